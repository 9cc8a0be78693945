// crossriver show: draws a position.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "core/notation.h"
#include "tools/board_drawing.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/svg_drawing.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

struct ShowFlags {
  std::string variant;
  std::optional<std::string> fen;
  std::string svg;
  bool sfen = false;
};

absl::Status WriteFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file.fail()) return absl::UnavailableError(absl::StrCat(path, ": can't be written"));
  return absl::OkStatus();
}

absl::Status RunShow(const ShowFlags& flags) {
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  absl::StatusOr<Position> position = StartPosition(**rules);
  if (flags.fen.has_value()) {
    position = flags.sfen ? ParseSfen(**rules, *flags.fen) : ParseFen(**rules, *flags.fen);
  }
  if (!position.ok()) return position.status();
  if (!flags.svg.empty()) return WriteFile(flags.svg, DrawSvg(*position));
  std::printf("%s\n%s", (*rules)->definition().name.c_str(),
              DrawPosition(*position, MayColour(STDOUT_FILENO)).c_str());
  if (const absl::StatusOr<std::string> sfen = FormatSfen(*position); sfen.ok()) {
    std::printf("SFEN: %s\n", sfen->c_str());
  }
  return absl::OkStatus();
}

}  // namespace

void AddShowCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<ShowFlags>();
  CLI::App* command = app->add_subcommand("show", "Draw a position, in text or as an SVG picture");
  command->add_option("variant", flags->variant, kVariantHelp)->required();
  command->add_option("fen", flags->fen, "The position in quotes; default the start position");
  command->add_option("--svg", flags->svg, "Write a picture to this file instead");
  command->add_flag("--sfen", flags->sfen, "The position is SFEN (shogi, minishogi)");
  command->footer("Example:\n  crossriver show switchback --svg start.svg");
  SetAction(command, flags, action, RunShow);
}

}  // namespace crossriver
