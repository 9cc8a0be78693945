// crossriver variants: lists, explains and checks variant definitions.
#include <cstdio>
#include <memory>

#include "core/variant_loader.h"
#include "tools/command.h"
#include "tools/describe_variant.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

struct VariantFlags {
  std::string variant;
};

absl::Status ListVariants() {
  for (const std::string& id : BuiltinVariantIds()) {
    const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadBuiltin(id);
    if (!rules.ok()) return rules.status();
    std::printf("%-24s %3d cells  %s\n", id.c_str(), (*rules)->num_cells(),
                (*rules)->definition().name.c_str());
  }
  return absl::OkStatus();
}

absl::Status ShowVariant(const VariantFlags& flags) {
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  std::fputs(DescribeVariant(**rules).c_str(), stdout);
  return absl::OkStatus();
}

absl::Status CheckVariant(const VariantFlags& flags) {
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantFile(flags.variant);
  if (!rules.ok()) return rules.status();
  std::printf("%s: ok: %s, %d cells, %zu pieces, family %s\n", flags.variant.c_str(),
              (*rules)->definition().name.c_str(), (*rules)->num_cells(),
              (*rules)->definition().pieces.size(), (*rules)->definition().family.c_str());
  return absl::OkStatus();
}

}  // namespace

void AddVariantsCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<VariantFlags>();
  CLI::App* command = app->add_subcommand("variants", "List, explain and check variants");
  command->require_subcommand(0, 1);
  command->callback([action, command] {
    if (command->get_subcommands().empty()) *action = ListVariants;
  });
  command->footer(
      "Examples:\n  crossriver variants\n  crossriver variants show switchback\n"
      "  crossriver variants check my-variant.toml");
  CLI::App* show = command->add_subcommand(
      "show", "Print board, pieces with their moves drawn, zones, promotions, limits, symmetries");
  show->add_option("variant", flags->variant, kVariantHelp)->required();
  show->footer("Example:\n  crossriver variants show shoxiang-xq-strong");
  SetAction(show, flags, action, ShowVariant);
  CLI::App* check = command->add_subcommand(
      "check", "Validate a variant file; each mistake with file, line and field");
  check->add_option("file", flags->variant, "Path of a variant file (.toml)")->required();
  check->footer("Example:\n  crossriver variants check my-variant.toml");
  SetAction(check, flags, action, CheckVariant);
}

}  // namespace crossriver
