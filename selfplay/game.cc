#include "selfplay/game.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/adjudicator.h"
#include "core/check.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/value.h"
#include "selfplay/draw_move.h"

namespace crossriver {

std::vector<float> PolicyTarget(const SearchResult& result) {
  std::vector<float> target;
  float wins = 0;
  for (const MoveResult& move : result.moves) {
    target.push_back(move.target);
    if (move.proof.result == Result::kWin) wins += move.target;
  }
  if (result.proof.result != Result::kWin) return target;
  const auto num_wins = static_cast<float>(
      std::count_if(result.moves.begin(), result.moves.end(),
                    [](const MoveResult& move) { return move.proof.result == Result::kWin; }));
  for (size_t i = 0; i < target.size(); ++i) {
    if (result.moves[i].proof.result != Result::kWin) {
      target[i] = 0;
    } else {
      target[i] = wins > 0 ? target[i] / wins : 1 / num_wins;
    }
  }
  return target;
}

float Surprise(const SearchResult& result, std::span<const float> target) {
  double sum = 0;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i] <= 0) continue;
    sum += static_cast<double>(target[i]) *
           std::log(static_cast<double>(target[i] / result.moves[i].prior));
  }
  // Priors are rounded.
  return static_cast<float>(std::max(sum, 0.0));
}

std::optional<bool> FalseResignation(const GameRecord& record) {
  if (!record.resign_ply.has_value() || record.result == Result::kNone) return std::nullopt;
  const bool first_began = FirstMover(record) == Side::kFirst;
  const bool first_resigned = first_began == (*record.resign_ply % 2 == 0);
  return record.result != (first_resigned ? Result::kLoss : Result::kWin);
}

SelfPlayGame::SelfPlayGame(const StartMaker* starts, const SelfPlayOptions* options)
    : starts_(*starts),
      options_(*options),
      search_(MakeSearchOptions(*options, /*full=*/true, 1), starts->array()),
      leaf_(search_.leaf(0)) {}

SelfPlayGame::~SelfPlayGame() {
  if (state_ == State::kEvaluate && asking_ == Asking::kSearch) search_.Cancel(leaf_);
}

void SelfPlayGame::Begin(const GameTicket& ticket) {
  if (state_ == State::kEvaluate && asking_ == Asking::kSearch) search_.Cancel(leaf_);
  const Rules& rules = starts_.rules();
  random_ = RandomStream(ticket.seed);
  record_ = GameRecord();
  record_.id = ticket.id;
  record_.seed = ticket.seed;
  record_.variant = rules.definition().id;
  record_.rules_hash = rules.hash();
  record_.max_plies = options_.max_plies;
  record_.no_progress_limit = NoProgressLimit(options_, rules, ticket.id);
  checkpoint_ = kNoCheckpoint;
  low_scores_ = {};
  plays_out_ = random_.Uniform() < options_.resign_played_out;
  start_plies_ = 0;
  const StartKind kind = starts_.DrawKind(&random_);
  if (kind == StartKind::kPolicy) {
    start_plies_ =
        1 + static_cast<int>(random_.Below(static_cast<size_t>(options_.max_policy_plies)));
    BeginFrom({StartKind::kPolicy, starts_.array()});
  } else {
    BeginFrom(starts_.Make(kind, &random_));
  }
}

void SelfPlayGame::BeginFrom(const Start& start) {
  record_.start_kind = start.kind;
  record_.start_fen = FormatFen(start.position);
  CR_CHECK_OK(search_.SetGame(start.position, {}));
  search_.Forget();
  EnterPosition();
}

void SelfPlayGame::EnterPosition() {
  GenerateLegalMoves(search_.root_position(), &legal_);
  state_ = TryFinish() ? State::kOver : State::kBetweenMoves;
}

// By the rules, or by a limit of our own.
bool SelfPlayGame::TryFinish() {
  const Position& position = search_.root_position();
  const Outcome outcome = Adjudicate(position, search_.root_history(), !legal_.empty());
  if (outcome.is_over()) {
    record_.reason = outcome.reason;
    End(outcome.result);
    return true;
  }
  const bool too_long = record_.max_plies > 0 && ply() >= record_.max_plies;
  const bool no_progress =
      record_.no_progress_limit > 0 && position.no_progress() >= record_.no_progress_limit;
  record_.truncated = too_long || no_progress;
  return record_.truncated;
}

void SelfPlayGame::End(Result for_mover) {
  record_.result = ForFirst(for_mover, mover());
  state_ = State::kOver;
}

void SelfPlayGame::BeginMove(int64_t checkpoint) {
  CR_CHECK(state_ == State::kBetweenMoves);
  // What another network has said is not mixed in.
  if (checkpoint != checkpoint_) search_.Forget();
  checkpoint_ = checkpoint;
  if (start_plies_ > 0 || legal_.size() == 1) {
    asking_ = start_plies_ > 0 ? Asking::kStart : Asking::kForced;
    state_ = State::kEvaluate;
  } else {
    BeginSearch();
  }
}

EvaluationRequest SelfPlayGame::request() const {
  CR_CHECK(state_ == State::kEvaluate);
  if (asking_ == Asking::kSearch) return leaf_->request();
  return {&search_.root_position(), &search_.root_history(), legal_};
}

void SelfPlayGame::Deliver(const Evaluation& evaluation) {
  CR_CHECK(state_ == State::kEvaluate);
  switch (asking_) {
    case Asking::kStart:
      return DeliverStart(evaluation);
    case Asking::kForced:
      return DeliverForced(evaluation);
    case Asking::kSearch:
      search_.Deliver(leaf_, evaluation);
      return Walk();
  }
}

void SelfPlayGame::DeliverStart(const Evaluation& evaluation) {
  std::vector<float> policy(legal_.size());
  std::transform(evaluation.log_priors.begin(), evaluation.log_priors.end(), policy.begin(),
                 [](float log_prior) { return std::exp(log_prior); });
  const Move move = legal_[DrawByWeight(policy, options_.policy_start_temperature, &random_)];
  // A move that ends the game is not played: the game begins before it.
  Position position = search_.root_position();
  History history = search_.root_history();
  const UndoRecord undo = position.Do(move);
  history.Push(position, undo);
  if (Adjudicate(position, history, HasLegalMove(position)).is_over()) return EndPolicyStart();
  CR_CHECK_OK(search_.Advance(move));
  if (--start_plies_ == 0) return EndPolicyStart();
  GenerateLegalMoves(search_.root_position(), &legal_);
  state_ = State::kBetweenMoves;
}

void SelfPlayGame::EndPolicyStart() {
  start_plies_ = 0;
  const std::optional<Position> start = AsStart(search_.root_position());
  if (start.has_value()) {
    BeginFrom({StartKind::kPolicy, *start});
  } else {
    BeginFrom({StartKind::kArray, starts_.array()});
  }
}

void SelfPlayGame::DeliverForced(const Evaluation& evaluation) {
  RecordedMove move;
  move.move = legal_.front();
  move.root = move.raw = evaluation.wdl;
  Play(std::move(move));
}

void SelfPlayGame::BeginSearch() {
  full_ = random_.Uniform() < options_.full_share;
  search_.SetOptions(MakeSearchOptions(options_, full_, random_.Next()));
  SearchLimits limits;
  limits.visits = SearchVisits(options_, full_);
  search_.Begin(limits);
  Walk();
}

void SelfPlayGame::Walk() {
  asking_ = Asking::kSearch;
  state_ = State::kEvaluate;
  const Next next = search_.NextLeaf(leaf_);
  CR_CHECK(next != Next::kWait);
  if (next == Next::kDone) EndSearch();
}

void SelfPlayGame::EndSearch() {
  const SearchResult result = search_.Result();
  if (ResignsAt(result)) {
    record_.resigned = true;
    return End(Result::kLoss);
  }
  RecordedMove move;
  move.visits = static_cast<uint32_t>(result.visits);
  move.root = result.wdl;
  move.raw = result.raw_wdl;
  // With nothing visited, because what was known before is a proof, there is nothing to learn.
  move.full = full_ && result.visits > 0;
  if (move.full) {
    std::vector<Move> moves;
    for (const MoveResult& candidate : result.moves) moves.push_back(candidate.move);
    const std::vector<float> target = PolicyTarget(result);
    move.policy = MakeSparsePolicy(moves, target);
    move.surprise = Surprise(result, target);
  }
  move.move = Choose(result);
  Play(std::move(move));
}

// Counts low scores, and notes where a game that is played out would have ended.
bool SelfPlayGame::ResignsAt(const SearchResult& result) {
  int& low = low_scores_[static_cast<size_t>(Index(mover()))];
  const double score =
      static_cast<double>(Score(result.wdl, static_cast<float>(options_.draw_score)));
  low = score < options_.resign_threshold ? low + 1 : 0;
  if (low < options_.resign_moves || ply() < options_.resign_min_ply) return false;
  if (!plays_out_) return true;
  if (!record_.resign_ply.has_value()) record_.resign_ply = ply();
  return false;
}

Move SelfPlayGame::Choose(const SearchResult& result) {
  const bool by_halving = options_.root_policy == RootPolicy::kGumbel;
  if (by_halving && ply() >= options_.temperature_plies) return result.best;
  return DrawMove(result, TemperatureAt(options_, ply()), &random_);
}

void SelfPlayGame::Play(RecordedMove move) {
  move.checkpoint = checkpoint_;
  const Move played = move.move;
  record_.moves.push_back(std::move(move));
  // Dropping the tree first is cheaper than dropping all but one subtree of it.
  if (!options_.tree_reuse) search_.Forget();
  CR_CHECK_OK(search_.Advance(played));
  EnterPosition();
}

}  // namespace crossriver
