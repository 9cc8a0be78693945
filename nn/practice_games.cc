#include "nn/practice_games.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/adjudicator.h"
#include "core/attacks.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/table_builder.h"

namespace crossriver {
namespace {

constexpr int kPliesApart = 7;
constexpr int kLongestRandomGame = 300;

// Material in units of the cells a piece reaches on an empty board, on average over the board.
constexpr double kMateScore = 1000;
constexpr double kTemperature = 1.5;
constexpr double kScoreOfEvenChance = 20;  // a lead that wins about 3 games in 4

double MeanReach(const Rules& rules, Kind kind) {
  const KindTables& tables = rules.tables(kind, Side::kFirst);
  double reach = 0;
  for (Cell cell : tables.zone) {
    reach += PlainReachableCells(rules.rays(), tables, cell).size();
  }
  return tables.zone.empty() ? 0 : reach / tables.zone.size();
}

class MaterialPlayer {
 public:
  explicit MaterialPlayer(const Rules* rules) : rules_(rules) {
    for (Kind kind = 0; kind < rules->num_kinds(); ++kind) {
      values_.push_back(rules->kind(kind).royal ? 0 : MeanReach(*rules, rules->kind(kind).base));
    }
  }

  // One score a move: what it wins at once less the most that the answer wins.
  std::vector<double> Score(Position* position, const std::vector<Move>& moves) {
    std::vector<double> scores;
    for (const Move move : moves) {
      const UndoRecord undo = position->Do(move);
      double score = Gain(*position, move, undo);
      GenerateLegalMoves(*position, &answers_);
      if (answers_.empty()) {
        score = AdjudicateNoMove(*position, InCheck(*position)).result == Result::kLoss ? kMateScore
                                                                                        : 0;
      } else {
        score -= BestGain(position);
      }
      scores.push_back(score);
      position->Undo(move, undo);
    }
    return scores;
  }

  // Of the side to move over the other, pieces in hand included.
  double MaterialLead(const Position& position) const {
    double lead = 0;
    const Side mover = position.side_to_move();
    for (Cell cell : position.occupied()) {
      const Piece piece = position.piece_at(cell);
      lead += (SideOf(piece) == mover ? 1 : -1) * ValueOf(KindOf(piece));
    }
    for (const Kind kind : rules_->hand_kinds()) {
      lead += ValueOf(kind) * (position.hand(mover, kind) - position.hand(Other(mover), kind));
    }
    return lead;
  }

 private:
  double ValueOf(Kind kind) const { return values_[static_cast<size_t>(kind)]; }

  // What the move that led to `position` won: captures, and what a promotion adds.
  double Gain(const Position& position, Move move, const UndoRecord& undo) const {
    double gain = 0;
    for (const Piece piece : {undo.captured, undo.displaced}) {
      if (piece != kNoPiece) gain += ValueOf(KindOf(piece));
    }
    if (undo.moved != kNoPiece) {
      gain += ValueOf(KindOf(position.piece_at(move.to()))) - ValueOf(KindOf(undo.moved));
    }
    return gain;
  }

  double BestGain(Position* position) {
    double best = -kMateScore;
    for (const Move move : answers_) {
      const UndoRecord undo = position->Do(move);
      best = std::max(best, Gain(*position, move, undo));
      position->Undo(move, undo);
    }
    return best;
  }

  const Rules* rules_;
  std::vector<double> values_;  // by kind
  std::vector<Move> answers_;
};

std::vector<float> Softmax(const std::vector<double>& scores) {
  const double best = *std::max_element(scores.begin(), scores.end());
  std::vector<float> shares;
  double sum = 0;
  for (const double score : scores) sum += std::exp((score - best) / kTemperature);
  for (const double score : scores) {
    shares.push_back(static_cast<float>(std::exp((score - best) / kTemperature) / sum));
  }
  return shares;
}

Wdl WdlOfLead(double lead) {
  const double win = 1 / (1 + std::exp(-lead / kScoreOfEvenChance));
  return {static_cast<float>(win), 0, static_cast<float>(1 - win)};
}

Wdl WdlOfResult(Result result) {
  return {result == Result::kWin ? 1.0F : 0.0F, result == Result::kDraw ? 1.0F : 0.0F,
          result == Result::kLoss ? 1.0F : 0.0F};
}

// Fills in what only the end of a game shows. `last` is the outcome as the side to move after the
// last row sees it; rows[begin, …) are one game's, one a ply without gaps.
void FinishGame(const Outcome& last, size_t begin, std::vector<TrainingRow>* rows) {
  Wdl wdl = WdlOfResult(last.result);
  float plies = 0;
  for (size_t i = rows->size(); i-- > begin;) {
    std::swap(wdl.win, wdl.loss);
    TrainingRow& row = (*rows)[i];
    ++plies;
    if (!last.is_over()) continue;
    row.outcome = wdl;
    row.plies_left = plies;
  }
}

}  // namespace

std::vector<SamplePosition> RandomPositions(const Rules& rules, int count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<SamplePosition> samples;
  std::vector<Move> moves;
  while (static_cast<int>(samples.size()) < count) {
    Position position = StartPosition(rules);
    History history(position);
    for (int ply = 0; ply < kLongestRandomGame; ++ply) {
      GenerateLegalMoves(position, &moves);
      if (Adjudicate(position, history, !moves.empty()).is_over()) break;
      if (ply % kPliesApart == kPliesApart - 1) samples.push_back({position, history, moves});
      if (static_cast<int>(samples.size()) == count) break;
      const UndoRecord undo = position.Do(moves[random() % moves.size()]);
      history.Push(position, undo);
    }
  }
  return samples;
}

std::vector<TrainingRow> PracticeRows(const Rules& rules, const PracticeOptions& options) {
  std::mt19937_64 random(options.seed);
  MaterialPlayer player(&rules);
  std::vector<TrainingRow> rows;
  std::vector<Move> moves;
  for (uint64_t game = 0; static_cast<int>(rows.size()) < options.rows; ++game) {
    Position position = StartPosition(rules);
    History history(position);
    const size_t begin = rows.size();
    Outcome outcome;
    for (int ply = 0; ply < options.max_plies; ++ply) {
      GenerateLegalMoves(position, &moves);
      outcome = Adjudicate(position, history, !moves.empty());
      if (outcome.is_over()) break;
      Move move = moves[random() % moves.size()];
      if (ply >= options.random_plies) {
        TrainingRow row(position);
        row.context = ContextOf(history);
        row.moves = moves;
        row.policy = Softmax(player.Score(&position, moves));
        row.search = WdlOfLead(player.MaterialLead(position));
        row.game_id = game;
        std::discrete_distribution<size_t> draw(row.policy.begin(), row.policy.end());
        move = moves[draw(random)];
        if (rows.size() > begin) rows.back().reply = move;
        rows.push_back(std::move(row));
      }
      const UndoRecord undo = position.Do(move);
      history.Push(position, undo);
    }
    FinishGame(outcome, begin, &rows);
  }
  rows.erase(rows.begin() + options.rows, rows.end());
  return rows;
}

}  // namespace crossriver
