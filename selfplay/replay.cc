#include "selfplay/replay.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/movegen.h"

namespace crossriver {
namespace {

// The game's result as the side to move sees it; none where it was cut short.
std::optional<Wdl> OutcomeFor(const GameRecord& record, Side mover) {
  switch (record.result) {
    case Result::kNone:
      return std::nullopt;
    case Result::kDraw:
      return Wdl{0, 1, 0};
    case Result::kWin:
    case Result::kLoss:
      const bool wins = (record.result == Result::kWin) == (mover == Side::kFirst);
      return wins ? Wdl{1, 0, 0} : Wdl{0, 0, 1};
  }
  return std::nullopt;
}

SparsePolicy OneMove(Move move) { return {{{move, 65535}}}; }

}  // namespace

const std::vector<ReplayRateOption>& ReplayRateOptions() {
  static const auto& options = *new std::vector<ReplayRateOption>{
      {"growth", &ReplayOptions::growth, 0, 1},
      {"exponent", &ReplayOptions::exponent, 0.01, 1},
      {"surprise_share", &ReplayOptions::surprise_share, 0, 1},
  };
  return options;
}

const std::vector<ReplayCountOption>& ReplayCountOptions() {
  static const auto& options = *new std::vector<ReplayCountOption>{
      {"min_rows", &ReplayOptions::min_rows, 1, 1'000'000'000},
      {"max_rows", &ReplayOptions::max_rows, 1, 1'000'000'000},
  };
  return options;
}

absl::Status Validate(const ReplayOptions& options) {
  absl::Status status = CheckRanges(ReplayRateOptions(), options);
  status.Update(CheckRanges(ReplayCountOptions(), options));
  if (!status.ok()) return status;
  if (options.max_rows < options.min_rows) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_rows: ", options.max_rows, " is less than min_rows"));
  }
  return absl::OkStatus();
}

int64_t WindowRows(const ReplayOptions& options, int64_t total_rows) {
  const double least = options.min_rows;
  const auto total = static_cast<double>(total_rows);
  if (total <= least) return options.min_rows;
  const double grown = (std::pow(total / least, options.exponent) - 1) / options.exponent;
  const double rows = least * (1 + options.growth * grown);
  return static_cast<int64_t>(std::min(rows, static_cast<double>(options.max_rows)));
}

ReplayWindow::ReplayWindow(VariantGroup variants, const ReplayOptions& options)
    : variants_(std::move(variants)), options_(options) {
  CR_CHECK_OK(Validate(options));
}

absl::Status ReplayWindow::Add(const GameRecord& record) {
  Game game;
  game.id = record.id;
  std::vector<int> plies;  // of the rows
  const auto visit = [&](int ply, const Position& position, const History& history,
                         std::span<const Move> /*legal*/) {
    std::optional<Row> row = RowOf(record, ply, position, history);
    if (row.has_value()) {
      game.rows.push_back(*std::move(row));
      plies.push_back(ply);
    }
    return true;
  };
  const Rules& rules = variants_.FindOrFirst(record.rules_hash);
  if (absl::Status status = ReplayRecord(rules, record, visit); !status.ok()) return status;
  game.rows.shrink_to_fit();
  WeighBySurprise(record, plies, &game);
  const auto size = static_cast<int64_t>(game.rows.size());
  game.first = next_row_;
  next_row_ += size;
  rows_ += size;
  total_rows_ += size;
  if (size > 0) games_.push_back(std::move(game));
  const int64_t window = WindowRows(options_, total_rows_);
  while (games_.size() > 1 && rows_ - static_cast<int64_t>(games_.front().rows.size()) >= window) {
    rows_ -= static_cast<int64_t>(games_.front().rows.size());
    games_.pop_front();
  }
  return absl::OkStatus();
}

bool ReplayWindow::IsRow(const GameRecord& record, size_t ply) const {
  const RecordedMove& move = record.moves[ply];
  const bool given = record.start_kind == StartKind::kImported;
  if (!move.full && !given && !(options_.cheap_rows && move.visits > 0)) return false;
  return record.result != Result::kNone || move.visits > 0;  // there is a value to learn
}

int64_t ReplayWindow::RowsOf(const GameRecord& record) const {
  int64_t rows = 0;
  for (size_t ply = 0; ply < record.moves.size(); ++ply) rows += IsRow(record, ply) ? 1 : 0;
  return rows;
}

std::optional<ReplayWindow::Row> ReplayWindow::RowOf(const GameRecord& record, int ply,
                                                     const Position& position,
                                                     const History& history) const {
  const auto at = static_cast<size_t>(ply);
  if (at == record.moves.size() || !IsRow(record, at)) return std::nullopt;
  const RecordedMove& move = record.moves[at];
  const bool given = record.start_kind == StartKind::kImported;
  Row row{position, ContextOf(history), {}, {}, {}, {}, {}, 1};
  // Of a game from outside, the moves that were played are all there is.
  row.policy = given ? OneMove(move.move) : move.policy;
  row.outcome = OutcomeFor(record, position.side_to_move());
  if (move.visits > 0) row.search = move.root;
  // A game that was cut short or given up says nothing of how long it would have been.
  if (row.outcome.has_value() && !record.resigned) {
    row.plies_left = static_cast<float>(record.moves.size() - at);
  }
  if (at + 1 < record.moves.size()) row.reply = record.moves[at + 1].move;
  return row;
}

void ReplayWindow::WeighBySurprise(const GameRecord& record, const std::vector<int>& plies,
                                   Game* game) const {
  if (options_.surprise_share == 0) return;
  double sum = 0;
  for (const int ply : plies) {
    sum += static_cast<double>(record.moves[static_cast<size_t>(ply)].surprise);
  }
  if (sum <= 0) return;
  const double even = 1 - options_.surprise_share;
  const double scale = options_.surprise_share * static_cast<double>(plies.size()) / sum;
  for (size_t i = 0; i < plies.size(); ++i) {
    const float surprise = record.moves[static_cast<size_t>(plies[i])].surprise;
    game->rows[i].weight = static_cast<float>(even + scale * static_cast<double>(surprise));
  }
}

std::vector<TrainingRow> ReplayWindow::Sample(size_t count, RandomStream* random) const {
  CR_CHECK(rows_ > 0);
  std::vector<TrainingRow> sample;
  sample.reserve(count);
  const int64_t first = games_.front().first;
  for (size_t i = 0; i < count; ++i) {
    const int64_t number =
        first + static_cast<int64_t>(random->Below(static_cast<size_t>(next_row_ - first)));
    const auto after =
        std::upper_bound(games_.begin(), games_.end(), number,
                         [](int64_t value, const Game& game) { return value < game.first; });
    const Game& game = *(after - 1);
    sample.push_back(Expand(game, game.rows[static_cast<size_t>(number - game.first)]));
  }
  return sample;
}

TrainingRow ReplayWindow::Expand(const Game& game, const Row& row) const {
  TrainingRow out(row.position);
  out.context = row.context;
  GenerateLegalMoves(row.position, &out.moves);
  out.policy = ExpandPolicy(row.policy, out.moves);
  out.policy_weight = row.policy.empty() ? 0.0F : 1.0F;
  out.outcome = row.outcome;
  out.search = row.search;
  out.weight = row.weight;
  out.plies_left = row.plies_left;
  out.reply = row.reply;
  out.game_id = game.id;
  return out;
}

}  // namespace crossriver
