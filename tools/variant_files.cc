#include "tools/variant_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/variant_loader.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxVariantBytes = 1 << 17;  // more than the reader accepts, so that it complains

// An id must not lead out of the folder it is looked up in.
bool IsFileName(absl::string_view id) {
  return !id.empty() && id.find('/') == absl::string_view::npos && id[0] != '.';
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is a directory, expected a file"));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) {
    return absl::NotFoundError(absl::StrCat(path, ": can't be read: ", std::strerror(errno)));
  }
  std::string text(max_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(max_bytes));
  text.resize(static_cast<size_t>(file.gcount()));
  if (file.bad()) return absl::DataLossError(absl::StrCat(path, ": can't be read"));
  return text;
}

bool IsVariantPath(const std::string& argument) {
  return absl::StrContains(argument, '/') || absl::EndsWith(argument, ".toml");
}

absl::StatusOr<std::shared_ptr<const Rules>> LoadVariantArgument(const std::string& argument) {
  return IsVariantPath(argument) ? LoadVariantFile(argument) : LoadBuiltin(argument);
}

absl::StatusOr<VariantGroup> LoadVariantGroup(const std::vector<std::string>& arguments) {
  std::vector<std::shared_ptr<const Rules>> variants;
  for (const std::string& argument : arguments) {
    absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(argument);
    if (!rules.ok()) return rules.status();
    variants.push_back(*std::move(rules));
  }
  return VariantGroup::Create(std::move(variants));
}

absl::StatusOr<std::shared_ptr<const Rules>> LoadVariantFile(const std::string& file) {
  const fs::path path(file);
  absl::StatusOr<std::string> text = ReadFile(file, kMaxVariantBytes);
  if (!text.ok()) return text.status();
  const VariantResolver resolve = [&path](absl::string_view id) -> absl::StatusOr<VariantSource> {
    const fs::path beside = path.parent_path() / absl::StrCat(id, ".toml");
    std::error_code error;
    // A file may have the id of the built-in one that it inherits.
    if (!IsFileName(id) || !fs::exists(beside, error) || fs::equivalent(beside, path, error)) {
      return ResolveBuiltin(id);
    }
    absl::StatusOr<std::string> parent = ReadFile(beside.string(), kMaxVariantBytes);
    if (!parent.ok()) return parent.status();
    return VariantSource{std::string(id), beside.string(), *std::move(parent)};
  };
  return LoadVariant({path.stem().string(), file, *std::move(text)}, resolve);
}

}  // namespace crossriver
