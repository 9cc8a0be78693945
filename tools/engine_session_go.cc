// What `go` starts: searches, mates, counts.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/adjudicator.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/perft.h"
#include "mcts/mate_solver.h"
#include "tools/engine_session.h"

namespace crossriver {
namespace {

// Enough to say what a lone move leads to, when there is a clock.
constexpr int64_t kVisitsOfLoneMove = 100;
// Plies that are counted without a look for a stop: a moment.
constexpr int kPliesAtOnce = 2;

}  // namespace

void EngineSession::OnGo(absl::string_view arguments) {
  const EngineControl::Clock::time_point now = EngineControl::Clock::now();
  if (!IsStill("go")) return;
  const GoCommand go = ParseGo(parts_.protocol, arguments);
  for (const std::string& complaint : go.complaints) Complain(complaint);
  if (go.perft.has_value()) {
    Launch(go, now, [this, depth = *go.perft, position = game_->position] {
      return CountLeaves(depth, position);
    });
    return;
  }
  GetReady();
  SetGame();
  const EngineLimits limits = LimitsOf(go);
  if (go.mate_plies.has_value()) {
    Launch(go, now, [this, go, limits, now] { return FindMate(go, limits, *game_, now); });
  } else {
    Launch(go, now, [this, limits] { return Search(limits); });
  }
}

void EngineSession::SetGame() {
  const bool has_move = HasLegalMove(game_->position);
  const Outcome outcome = Adjudicate(game_->position, game_->history, has_move);
  if (!outcome.is_over() || !has_move) {
    search_->SetGame(*game_);
    return;
  }
  Complain(absl::StrCat("by our rules the game is over (", ToString(outcome.result), " by ",
                        ToString(outcome.reason), "); searched as the start of a new one"));
  Position start = game_->position;
  start.SetCounts(0, start.move_number());
  search_->SetGame(GameInput(start));
}

EngineLimits EngineSession::LimitsOf(const GoCommand& go) const {
  const absl::Duration overhead = absl::Milliseconds(options_.move_overhead_ms);
  EngineLimits limits;
  if (go.nodes.has_value()) limits.visits = *go.nodes;
  if (go.move_time.has_value()) limits.time = TimeWithin(*go.move_time, overhead);
  if (go.clocks[0].has_value() || go.clocks[1].has_value()) {
    const auto& clock = go.clocks[Index(game_->position.side_to_move())];
    limits.time = std::min(limits.time, TimeForMove(clock.value_or(GameClock()), overhead));
    if (!go.ponder && CountLegalMoves(game_->position) == 1) {
      limits.visits = std::min(limits.visits, kVisitsOfLoneMove);
    }
  }
  return limits;
}

void EngineSession::Launch(const GoCommand& go, EngineControl::Clock::time_point now,
                           std::function<std::string()> search) {
  control_.Begin(go.infinite, go.ponder, now);
  thread_ = std::thread([this, search = std::move(search)] {
    const std::string answer = search();
    control_.WaitForRelease();
    // Before the answer is out: whoever has read it may send the next position at once.
    control_.End();
    Write(answer);
  });
}

std::string EngineSession::Search(const EngineLimits& limits) {
  const EngineReport report = search_->Run(limits, &control_, [this](const EngineReport& now) {
    for (const std::string& line : FormatInfo(*rules_, now.result, Context(now.visits, now.time))) {
      Write(line);
    }
  });
  if (!report.status.ok()) {
    Complain(absl::StrCat("the search broke off: ", report.status.message()));
  }
  return FormatBestMove(parts_.protocol, *rules_, report.result);
}

std::string EngineSession::FindMate(const GoCommand& go, EngineLimits limits, const GameInput& game,
                                    EngineControl::Clock::time_point begin) {
  const auto spent = [begin] { return absl::FromChrono(EngineControl::Clock::now() - begin); };
  MateOptions options;
  options.max_plies = *go.mate_plies;
  options.max_nodes = go.nodes.value_or(kNoLimit);
  // A problem in USI is one of checks.
  const bool usi = parts_.protocol == Protocol::kUsi;
  options.checks_only = usi;
  const MateResult mate = MateSolver(options).Solve(
      game.position, game.history, [&] { return control_.stopped() || spent() >= limits.time; });
  if (mate.answer == MateResult::Answer::kMate && !mate.line.empty()) {
    Write(FormatMateInfo(*rules_, mate, Context(mate.nodes, spent())));
    if (!usi) return FormatBestMove(parts_.protocol, *rules_, mate.line);
    std::string answer = "checkmate";
    for (const Move move : mate.line) absl::StrAppend(&answer, " ", FormatUsiMove(*rules_, move));
    return answer;
  }
  const bool none = mate.answer == MateResult::Answer::kNoMate;
  if (usi) return none ? "checkmate nomate" : "checkmate timeout";
  Complain(none ? absl::StrCat("no mate in ", (options.max_plies + 1) / 2)
                : absl::StrCat("no mate found within ", mate.nodes, " positions"));
  limits.visits = std::min(limits.visits, kFallbackVisits);
  return Search(limits);
}

// Leaves below each move, then their sum.
std::string EngineSession::CountLeaves(int depth, Position position) {
  uint64_t sum = depth == 0 ? 1 : 0;
  std::vector<Move> moves;
  if (depth > 0) GenerateLegalMoves(position, &moves);
  for (const Move move : moves) {
    const UndoRecord undo = position.Do(move);
    const uint64_t leaves = CountBelow(depth - 1, &position);
    position.Undo(move, undo);
    if (control_.stopped()) break;
    Write(absl::StrCat(FormatMove(*rules_, NotationOf(parts_.protocol), move), ": ", leaves));
    sum += leaves;
  }
  if (control_.stopped()) Complain("perft: stopped, the sum is of the moves above");
  return absl::StrCat("Nodes searched: ", sum);
}

uint64_t EngineSession::CountBelow(int depth, Position* position) {
  if (depth <= kPliesAtOnce) {
    PerftOptions options;
    options.depth = depth;
    return Perft(*position, options);
  }
  uint64_t sum = 0;
  std::vector<Move> moves;
  GenerateLegalMoves(*position, &moves);
  for (const Move move : moves) {
    if (control_.stopped()) break;
    const UndoRecord undo = position->Do(move);
    sum += CountBelow(depth - 1, position);
    position->Undo(move, undo);
  }
  return sum;
}

InfoContext EngineSession::Context(int64_t visits, absl::Duration time) const {
  InfoContext context;
  context.protocol = parts_.protocol;
  context.show_wdl = options_.show_wdl;
  context.multi_pv = options_.multi_pv;
  context.visits = visits;
  context.time = time;
  context.tree_limit = search_->tree_bytes();
  return context;
}

}  // namespace crossriver
