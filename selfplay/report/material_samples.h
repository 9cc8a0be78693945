// Material differences along many games, and how the games ended.
#ifndef CROSSRIVER_SELFPLAY_REPORT_MATERIAL_SAMPLES_H_
#define CROSSRIVER_SELFPLAY_REPORT_MATERIAL_SAMPLES_H_

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "selfplay/report/game_facts.h"

namespace crossriver {

// A byte a number, as there are millions of positions. A game's positions weigh 1 together, each
// by the plies for which it was on the board, so that long games count no more than short ones.
class MaterialSamples {
 public:
  explicit MaterialSamples(int columns) : columns_(columns) {}

  // `first_score`: 1, 1/2 or 0 points of the first player. A game without spells is left out.
  void AddGame(const MaterialSpells& spells, double first_score);
  // `other` must have as many columns.
  MaterialSamples& operator+=(const MaterialSamples& other);

  int columns() const { return columns_; }
  int64_t games() const { return static_cast<int64_t>(scores_.size()); }
  int64_t positions() const { return static_cast<int64_t>(weights_.size()); }
  // The columns that are not 0 throughout, rising.
  std::vector<int> UsedColumns() const;

  // Some whole games as matrices.
  struct Block {
    Eigen::MatrixXd inputs;               // a row a position: 1, then the chosen columns
    Eigen::VectorXd weights;              // by row
    Eigen::VectorXd scores;               // by row: the game's
    std::vector<Eigen::Index> game_ends;  // the row behind each game
  };
  void ForBlocks(std::span<const int> columns, absl::FunctionRef<void(const Block&)> visit) const;

 private:
  // Fills `block` with games from `game` on, and returns the first that it has not.
  size_t FillBlock(size_t game, std::span<const int> columns, Block* block) const;
  size_t BeginOf(size_t game) const { return game == 0 ? 0 : game_ends_[game - 1]; }

  int columns_;
  std::vector<int8_t> differences_;  // [position][column]
  std::vector<float> weights_;       // by position
  std::vector<size_t> game_ends_;    // the position behind each game
  std::vector<float> scores_;        // by game
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_REPORT_MATERIAL_SAMPLES_H_
