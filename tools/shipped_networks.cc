#include "tools/shipped_networks.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/variant_loader.h"
#include "tools/program_folder.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

constexpr char kFolderVariable[] = "CROSSRIVER_NETS";

fs::path Folder() {
  if (const char* const folder = std::getenv(kFolderVariable)) return folder;
  const fs::path program = ProgramFolder();
  return program.empty() ? fs::path() : program.parent_path() / "configs" / "nets";
}

}  // namespace

std::optional<std::string> ShippedNetwork(const Rules& rules) {
  const fs::path folder = Folder();
  if (folder.empty()) return std::nullopt;
  const VariantDefinition& definition = rules.definition();
  for (const std::string& name : {definition.id, definition.family}) {
    const fs::path file = folder / (name + ".safetensors");
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    const auto built_in = LoadBuiltin(definition.id);
    if (!built_in.ok() || (*built_in)->hash() != rules.hash()) return std::nullopt;
    return file.string();
  }
  return std::nullopt;
}

}  // namespace crossriver
