// The games that training learns from.
#ifndef CROSSRIVER_SELFPLAY_REPLAY_H_
#define CROSSRIVER_SELFPLAY_REPLAY_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "core/variant_group.h"
#include "mcts/random.h"
#include "nn/features.h"
#include "nn/number_option.h"
#include "nn/training_row.h"
#include "selfplay/record.h"

namespace crossriver {

struct ReplayOptions {
  // After N rows in all, the window holds the newest min(N, W) of them, with
  //   W = m (1 + g ((N / m)^e - 1) / e), m = min_rows, g = growth, e = exponent,
  // so that it grows by a power law, and at first by `growth` rows a row (Wu 2019, appendix C).
  int min_rows = 10'000;
  double growth = 0.4;
  double exponent = 0.65;
  int max_rows = 1'000'000;  // of which each takes some 1,200 bytes
  // Whether plies of cheap searches are rows, too: without a target for the policy.
  bool cheap_rows = false;
  // The share of a game's weight that goes to its rows by the surprise of their searches; the rest
  // is spread evenly (policy surprise weighting).
  double surprise_share = 0;
};

using ReplayRateOption = NumberOption<ReplayOptions, double>;
using ReplayCountOption = NumberOption<ReplayOptions, int>;
const std::vector<ReplayRateOption>& ReplayRateOptions();
const std::vector<ReplayCountOption>& ReplayCountOptions();

// OK, or the first option that can't be, with what was expected.
absl::Status Validate(const ReplayOptions& options);

// W of the formula above; without max_rows where N is below min_rows.
int64_t WindowRows(const ReplayOptions& options, int64_t total_rows);

// Not synchronised.
class ReplayWindow {
 public:
  // Of games of all these variants. `options` must be valid.
  ReplayWindow(VariantGroup variants, const ReplayOptions& options);

  // Takes the rows of the newest game, and lets go of the oldest games that the window has no place
  // for. Error: a record that can't be replayed (see ReplayRecord); then nothing of it is taken.
  absl::Status Add(const GameRecord& record);

  // Rows of games that are not added, because they are older than the window: they count in N.
  void CountOlder(int64_t rows) { total_rows_ += rows; }

  // The rows that Add would take of a game that can be replayed.
  int64_t RowsOf(const GameRecord& record) const;

  int64_t rows() const { return rows_; }
  int64_t total_rows() const { return total_rows_; }
  int64_t games() const { return static_cast<int64_t>(games_.size()); }

  // So many rows, drawn evenly and with replacement. There must be some.
  std::vector<TrainingRow> Sample(size_t count, RandomStream* random) const;

 private:
  // A row as it is kept: legal moves and the whole policy are made when it is drawn.
  struct Row {
    Position position;
    FeatureContext context;
    SparsePolicy policy;  // empty: the row has no policy target
    std::optional<Wdl> outcome;
    std::optional<Wdl> search;
    std::optional<float> plies_left;
    std::optional<Move> reply;
    float weight = 1;
  };
  struct Game {
    uint64_t id = 0;
    std::vector<Row> rows;
    int64_t first = 0;  // number of its first row, in order of arrival
  };

  bool IsRow(const GameRecord& record, size_t ply) const;
  std::optional<Row> RowOf(const GameRecord& record, int ply, const Position& position,
                           const History& history) const;
  void WeighBySurprise(const GameRecord& record, const std::vector<int>& plies, Game* game) const;
  TrainingRow Expand(const Game& game, const Row& row) const;

  const VariantGroup variants_;
  const ReplayOptions options_;
  std::deque<Game> games_;
  int64_t rows_ = 0;
  int64_t total_rows_ = 0;
  int64_t next_row_ = 0;  // its number
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_REPLAY_H_
