// crossriver perft: counts the leaves of the tree of legal moves.
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "core/notation.h"
#include "core/perft.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

struct PerftFlags {
  std::string variant;
  std::optional<std::string> fen;
  bool divide = false;
  PerftOptions options;
};

absl::Status RunPerft(const PerftFlags& flags) {
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<Position> position =
      flags.fen.has_value() ? ParseFen(**rules, *flags.fen) : StartPosition(**rules);
  if (!position.ok()) return position.status();
  PerftOptions options = flags.options;
  std::unique_ptr<Progress> progress;
  options.progress = [&progress](int done, int total) {
    if (progress == nullptr) progress = std::make_unique<Progress>("root moves", total);
    progress->Update(done);
  };
  const auto start = std::chrono::steady_clock::now();
  uint64_t nodes = 0;
  if (flags.divide && options.depth > 0) {
    const auto counts = PerftDivide(*position, options);
    progress.reset();
    for (const auto& [move, count] : counts) {
      std::printf("%s: %llu\n", FormatMove(**rules, move).c_str(),
                  static_cast<unsigned long long>(count));
      nodes += count;
    }
  } else {
    nodes = Perft(*position, options);
  }
  progress.reset();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("seconds %.3f\nnodes %llu\nnodes/s %.0f\n", seconds,
              static_cast<unsigned long long>(nodes), static_cast<double>(nodes) / seconds);
  return absl::OkStatus();
}

}  // namespace

void AddPerftCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<PerftFlags>();
  CLI::App* command = app->add_subcommand("perft", "Count the leaves of the tree of legal moves");
  command->add_option("variant", flags->variant, kVariantHelp)->required();
  command->add_option("depth", flags->options.depth, "Plies")->required()->check(CLI::Range(0, 30));
  command->add_option("--fen", flags->fen, "Start from this position");
  command->add_flag("--divide", flags->divide, "Print the count below each root move");
  command->add_option("--threads", flags->options.threads, "Threads, default 1")
      ->check(CLI::Range(1, 1024));
  command->footer(
      "The last ply is counted in bulk, by population count. Example:\n"
      "  crossriver perft switchback 4 --divide");
  SetAction(command, flags, action, RunPerft);
}

}  // namespace crossriver
