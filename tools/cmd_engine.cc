// crossriver uci, crossriver usi: an engine for user interfaces of board games.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/build_info.h"
#include "tools/command.h"
#include "tools/engine_session.h"
#include "tools/engine_variants.h"
#include "tools/evaluator_choice.h"
#include "tools/interrupt.h"
#include "tools/line_reader.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

// What user interfaces mean that never ask for a variant.
constexpr char kUsualUciVariant[] = "xiangqi";
constexpr char kUsualUsiVariant[] = "shogi";

constexpr size_t kMaxLine = size_t{1} << 20;  // a game of 200,000 moves

absl::StatusOr<std::shared_ptr<const Rules>> LoadRules(Protocol protocol, const VariantNames& names,
                                                       const EngineOptions& options) {
  absl::StatusOr<std::shared_ptr<const Rules>> rules;
  if (!options.variant_file.empty()) {
    rules = LoadVariantFile(options.variant_file);
  } else {
    const absl::StatusOr<std::string> id = names.IdOf(options.variant);
    if (!id.ok()) return id.status();
    rules = LoadBuiltin(*id);
  }
  if (rules.ok() && protocol == Protocol::kUsi && (*rules)->definition().sfen_hand_order.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        (*rules)->definition().location, ": has no SFEN (no sfen_hand_order), which USI needs"));
  }
  return rules;
}

EngineParts PartsOf(Protocol protocol, bool can_open_networks) {
  EngineParts parts;
  parts.protocol = protocol;
  const std::string facts = BuildInfo();
  parts.name = facts.substr(0, facts.find('\n'));
  const auto names = std::make_shared<const VariantNames>(protocol);
  parts.variants = names->names();
  parts.load_rules = [protocol, names](const EngineOptions& options) {
    return LoadRules(protocol, *names, options);
  };
  if (!can_open_networks) {
    parts.notice = "built without LibTorch: the options Net and Device have no effect";
  }
  parts.make_evaluator =
      [can_open_networks](const EngineOptions& options,
                          std::shared_ptr<const Rules> rules) -> absl::StatusOr<ChosenEvaluator> {
    if (!options.evaluator.net.empty() && !can_open_networks) {
      return absl::UnimplementedError(
          absl::StrCat(options.evaluator.net, ": this program was built without networks"));
    }
    return ChooseEvaluator(options.evaluator, std::move(rules), options.threads);
  };
  parts.write = [](absl::string_view line) {
    std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
    std::fflush(stdout);
  };
  return parts;
}

// Before anything is read: another program may have to take over.
absl::Status RunEngine(Protocol protocol, const EngineOptions& options) {
  auto session = EngineSession::Create(PartsOf(protocol, CanOpenNetworks()), options);
  if (!session.ok()) return session.status();
  std::signal(SIGPIPE, SIG_IGN);  // a user interface that has gone is an error
  CatchInterrupts();
  LineReader reader(STDIN_FILENO, kMaxLine);
  std::string line;
  while (std::ferror(stdout) == 0 && reader.Next(&line)) {
    if (reader.was_cut()) {
      (*session)->Complain(absl::StrCat("a line of more than ", kMaxLine, " bytes was ignored"));
    } else if (!(*session)->Handle(line)) {
      break;
    }
  }
  (*session)->Finish();
  return absl::OkStatus();
}

void AddEngineCommand(CLI::App* app, Action* action, Protocol protocol, const char* name,
                      const char* help, const char* usual_variant, const char* example) {
  auto options = std::make_shared<EngineOptions>();
  options->variant = usual_variant;
  CLI::App* command = app->add_subcommand(name, help);
  command->add_option("variant", options->variant,
                      absl::StrCat(kVariantHelp, "; default ", usual_variant));
  AddEvaluatorFlags(command, &options->evaluator);
  command->add_option("--threads", options->threads, "Default 1")->check(CLI::Range(1, 64));
  command->footer(absl::StrCat(
      "The engine reads commands from its input and ends with it. Its settings are options of the\n"
      "protocol, which '",
      name, "' lists. Nodes are visits of the search. Example:\n", example));
  SetAction(command, options, action, [protocol, usual_variant](EngineOptions flags) {
    if (IsVariantPath(flags.variant)) {
      flags.variant_file = std::exchange(flags.variant, usual_variant);
    }
    return RunEngine(protocol, flags);
  });
}

}  // namespace

void AddEngineCommands(CLI::App* app, Action* action) {
  AddEngineCommand(app, action, Protocol::kUci, "uci", "An engine that speaks UCI",
                   kUsualUciVariant,
                   "  (echo position startpos; echo go movetime 1000; sleep 2) | crossriver uci "
                   "switchback");
  AddEngineCommand(app, action, Protocol::kUsi, "usi", "An engine that speaks USI (shogi)",
                   kUsualUsiVariant,
                   "  (echo position startpos; echo go byoyomi 1000; sleep 2) | crossriver usi "
                   "minishogi");
}

}  // namespace crossriver
