#include "tools/engine_session.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/notation.h"
#include "core/spelling.h"
#include "mcts/uniform_evaluator.h"
#include "tools/board_drawing.h"

namespace crossriver {
namespace {

// Where there is no memory for a tree, one that is so many times smaller is tried.
constexpr int kLessMemory = 8;

// The FEN with a no-progress count of the rules' limit at most, as FENs of ours have it: other
// programs may not end games there, and what is searched must not be the position before.
std::string WithinOurLimit(const Rules& rules, const std::string& fen) {
  std::vector<std::string> fields = absl::StrSplit(fen, ' ');
  if (fields.size() < 2) return fen;
  std::string& count = fields[fields.size() - 2];
  const int limit = rules.game().no_progress_plies;
  int64_t plies = 0;
  if (limit > 0 && absl::SimpleAtoi(count, &plies) && plies > limit) {
    count = absl::StrCat(limit);
  }
  return absl::StrJoin(fields, " ");
}

}  // namespace

struct EngineSession::Command {
  std::string word;
  std::optional<Protocol> protocol;  // none = both
  void (EngineSession::*take)(absl::string_view arguments);
};

const std::vector<EngineSession::Command>& EngineSession::Commands() {
  static const auto& commands = *new std::vector<Command>{
      {"uci", Protocol::kUci, &EngineSession::OnIdentify},
      {"usi", Protocol::kUsi, &EngineSession::OnIdentify},
      {"isready", std::nullopt, &EngineSession::OnIsReady},
      {"setoption", std::nullopt, &EngineSession::OnSetOption},
      {"ucinewgame", Protocol::kUci, &EngineSession::OnNewGame},
      {"usinewgame", Protocol::kUsi, &EngineSession::OnNewGame},
      {"position", std::nullopt, &EngineSession::OnPosition},
      {"go", std::nullopt, &EngineSession::OnGo},
      {"stop", std::nullopt, &EngineSession::OnStop},
      {"ponderhit", std::nullopt, &EngineSession::OnPonderHit},
      {"d", std::nullopt, &EngineSession::OnShow},
      {"show", std::nullopt, &EngineSession::OnShow},
      {"debug", Protocol::kUci, &EngineSession::OnNothing},
      {"register", Protocol::kUci, &EngineSession::OnNothing},
      {"gameover", Protocol::kUsi, &EngineSession::OnNothing},
  };
  return commands;
}

absl::StatusOr<std::unique_ptr<EngineSession>> EngineSession::Create(EngineParts parts,
                                                                     const EngineOptions& options) {
  auto rules = parts.load_rules(options);
  if (!rules.ok()) return rules.status();
  return std::unique_ptr<EngineSession>(
      new EngineSession(std::move(parts), options, *std::move(rules)));
}

EngineSession::EngineSession(EngineParts parts, const EngineOptions& options,
                             std::shared_ptr<const Rules> rules)
    : parts_(std::move(parts)), options_(options), rules_(std::move(rules)) {
  game_.emplace(StartPosition(*rules_));
}

EngineSession::~EngineSession() { Finish(); }

void EngineSession::Finish() {
  finished_ = true;
  control_.Stop();
  Join();
}

bool EngineSession::Handle(absl::string_view line) {
  if (finished_) return false;
  absl::string_view arguments = line;
  const absl::string_view word = TakeWord(&arguments);
  if (word.empty()) return true;
  std::vector<std::string> words = {"quit"};
  if (word == words[0]) {
    Finish();
    return false;
  }
  for (const Command& command : Commands()) {
    if (command.protocol.value_or(parts_.protocol) != parts_.protocol) continue;
    if (word == command.word) {
      (this->*command.take)(arguments);
      return true;
    }
    words.push_back(command.word);
  }
  Complain(absl::StrCat("unknown command ", Quoted(word), Suggestion(word, words)));
  return true;
}

void EngineSession::OnIdentify(absl::string_view /*arguments*/) {
  Write(absl::StrCat("id name ", parts_.name));
  Write("id author the crossriver authors");
  for (const std::string& option : DeclareOptions(parts_.protocol, options_, parts_.variants)) {
    Write(option);
  }
  if (!parts_.notice.empty()) Complain(parts_.notice);
  Write(parts_.protocol == Protocol::kUci ? "uciok" : "usiok");
}

void EngineSession::OnIsReady(absl::string_view /*arguments*/) {
  if (!control_.searching()) {
    Join();
    GetReady();
  }
  Write("readyok");
}

void EngineSession::OnSetOption(absl::string_view arguments) {
  if (!IsStill("setoption")) return;
  const absl::StatusOr<OptionSetting> setting = ParseSetOption(arguments);
  const absl::Status status = setting.ok() ? ChangeOptions(*setting) : setting.status();
  if (!status.ok()) Complain(status.message());
}

absl::Status EngineSession::ChangeOptions(const OptionSetting& setting) {
  EngineOptions options = options_;
  const absl::StatusOr<Affects> affects = SetOption(parts_.protocol, setting, &options);
  if (!affects.ok()) return affects.status();
  // User interfaces send all options again before each game. An evaluator that could not be had
  // before may be there now.
  const bool changed = options != options_;
  if (!changed && !(stand_in_ && *affects > Affects::kSearch)) return absl::OkStatus();
  if (changed && *affects == Affects::kVariant) {
    auto rules = parts_.load_rules(options);
    if (!rules.ok()) return rules.status();
    search_.reset();
    game_.emplace(StartPosition(**rules));
    rules_ = *std::move(rules);
    Complain(absl::StrCat("variant ", rules_->definition().id, " startpos ",
                          rules_->definition().start_fen));
  }
  if (*affects != Affects::kNothing) search_.reset();
  if (*affects > Affects::kSearch) evaluator_.reset();
  options_ = options;
  return absl::OkStatus();
}

void EngineSession::OnNewGame(absl::string_view /*arguments*/) {
  if (!IsStill("new game")) return;
  if (search_ != nullptr) search_->Forget();
}

void EngineSession::OnPosition(absl::string_view arguments) {
  if (!IsStill("position")) return;
  const absl::StatusOr<PositionCommand> command = ParsePosition(parts_.protocol, arguments);
  if (!command.ok()) {
    Complain(command.status().message());
    return;
  }
  const Notation notation = NotationOf(parts_.protocol);
  const std::string board =
      notation == Notation::kFen ? WithinOurLimit(*rules_, command->board) : command->board;
  absl::StatusOr<GameInput> game = ParseGame(*rules_, notation, board, command->moves);
  if (!game.ok()) {
    Complain(absl::StrCat("position: ", game.status().message()));
    return;
  }
  game_ = *std::move(game);
}

void EngineSession::OnStop(absl::string_view /*arguments*/) { control_.Stop(); }

void EngineSession::OnPonderHit(absl::string_view /*arguments*/) {
  if (!control_.PonderHit(EngineControl::Clock::now())) {
    Complain("ponderhit: no search is pondering; expected go ponder first");
  }
}

void EngineSession::OnShow(absl::string_view /*arguments*/) {
  for (const absl::string_view line :
       absl::StrSplit(DrawPosition(game_->position, /*coloured=*/false), '\n')) {
    Write(line);
  }
  if (const auto sfen = FormatSfen(game_->position); sfen.ok()) {
    Write(absl::StrCat("SFEN: ", *sfen));
  }
}

bool EngineSession::IsStill(absl::string_view command) {
  if (control_.busy()) {
    Complain(absl::StrCat(command, ": refused, a search runs; expected stop first"));
    return false;
  }
  Join();
  return true;
}

void EngineSession::Join() {
  if (thread_.joinable()) thread_.join();
}

void EngineSession::GetReady() {
  if (!evaluator_.has_value()) evaluator_ = MakeEvaluator();
  if (search_ == nullptr) search_ = MakeSearch();
  search_->SetPlay(static_cast<float>(options_.draw_score) / 100, options_.mate_nodes);
}

ChosenEvaluator EngineSession::MakeEvaluator() {
  absl::StatusOr<ChosenEvaluator> evaluator;
  try {
    evaluator = parts_.make_evaluator(options_, rules_);
  } catch (const std::exception& error) {
    // What libraries throw where a device has no memory left: its first line says it.
    const EvaluatorFlags& asked = options_.evaluator;
    const std::string what = error.what();
    evaluator = absl::InternalError(absl::StrCat(asked.net.empty() ? asked.evaluator : asked.net,
                                                 ": ", what.substr(0, what.find('\n'))));
  }
  stand_in_ = !evaluator.ok();
  if (!stand_in_) return *std::move(evaluator);
  Complain(absl::StrCat("no judgement of positions: ", evaluator.status().message()));
  return {std::make_unique<UniformEvaluator>(), /*is_thread_safe=*/true, /*batch=*/1};
}

std::unique_ptr<EngineSearch> EngineSession::MakeSearch() {
  const int batch = options_.batch > 0 ? options_.batch : evaluator_->batch;
  SearchOptions search;
  search.concurrent = options_.threads > 1;
  search.seed = static_cast<uint64_t>(options_.evaluator.seed);
  for (int megabytes = options_.hash_mb;;) {
    search.tree_bytes = static_cast<size_t>(megabytes) << 20;
    try {
      return std::make_unique<EngineSearch>(rules_, *evaluator_, search, options_.threads, batch);
    } catch (const std::bad_alloc&) {
      if (megabytes == 1) throw;
    }
    const int asked = std::exchange(megabytes, std::max(megabytes / kLessMemory, 1));
    Complain(absl::StrCat("no ", asked, " MB of memory to be had, ", megabytes, " MB are tried"));
  }
}

void EngineSession::Complain(absl::string_view message) {
  for (const absl::string_view line : absl::StrSplit(message, '\n', absl::SkipEmpty())) {
    Write(absl::StrCat("info string ", Printable(line)));
  }
}

void EngineSession::Write(absl::string_view line) {
  MutexLock lock(&write_mutex_);
  parts_.write(line);
}

}  // namespace crossriver
