#include "selfplay/report/material_samples.h"

#include <algorithm>
#include <numeric>

#include "core/check.h"

namespace crossriver {
namespace {

// Rows of a block, so that it stays in the cache.
constexpr size_t kBlockRows = 1024;

}  // namespace

void MaterialSamples::AddGame(const MaterialSpells& spells, double first_score) {
  CR_CHECK(spells.differences.size() == spells.plies.size() * static_cast<size_t>(columns_));
  const int plies = std::accumulate(spells.plies.begin(), spells.plies.end(), 0);
  if (plies == 0) return;
  differences_.insert(differences_.end(), spells.differences.begin(), spells.differences.end());
  for (const int spell : spells.plies) {
    weights_.push_back(static_cast<float>(spell) / static_cast<float>(plies));
  }
  game_ends_.push_back(weights_.size());
  scores_.push_back(static_cast<float>(first_score));
}

MaterialSamples& MaterialSamples::operator+=(const MaterialSamples& other) {
  CR_CHECK(columns_ == other.columns_);
  const size_t before = weights_.size();
  differences_.insert(differences_.end(), other.differences_.begin(), other.differences_.end());
  weights_.insert(weights_.end(), other.weights_.begin(), other.weights_.end());
  for (const size_t end : other.game_ends_) game_ends_.push_back(before + end);
  scores_.insert(scores_.end(), other.scores_.begin(), other.scores_.end());
  return *this;
}

std::vector<int> MaterialSamples::UsedColumns() const {
  std::vector<bool> used(static_cast<size_t>(columns_), false);
  for (size_t i = 0; i < differences_.size(); ++i) {
    if (differences_[i] != 0) used[i % used.size()] = true;
  }
  std::vector<int> columns;
  for (int column = 0; column < columns_; ++column) {
    if (used[static_cast<size_t>(column)]) columns.push_back(column);
  }
  return columns;
}

size_t MaterialSamples::FillBlock(size_t game, std::span<const int> columns, Block* block) const {
  const size_t begin = BeginOf(game);
  size_t last = game + 1;
  while (last < scores_.size() && game_ends_[last] - begin <= kBlockRows) ++last;
  const size_t rows = BeginOf(last) - begin;
  block->inputs.resize(static_cast<Eigen::Index>(rows),
                       static_cast<Eigen::Index>(columns.size() + 1));
  block->weights.resize(static_cast<Eigen::Index>(rows));
  block->scores.resize(static_cast<Eigen::Index>(rows));
  block->game_ends.clear();
  for (; game < last; ++game) {
    for (size_t position = BeginOf(game); position < game_ends_[game]; ++position) {
      const auto row = static_cast<Eigen::Index>(position - begin);
      const int8_t* differences = differences_.data() + position * static_cast<size_t>(columns_);
      block->inputs(row, 0) = 1;
      for (size_t i = 0; i < columns.size(); ++i) {
        block->inputs(row, static_cast<Eigen::Index>(i + 1)) = differences[columns[i]];
      }
      block->weights[row] = static_cast<double>(weights_[position]);
      block->scores[row] = static_cast<double>(scores_[game]);
    }
    block->game_ends.push_back(static_cast<Eigen::Index>(game_ends_[game] - begin));
  }
  return last;
}

void MaterialSamples::ForBlocks(std::span<const int> columns,
                                absl::FunctionRef<void(const Block&)> visit) const {
  Block block;
  for (size_t game = 0; game < scores_.size();) {
    game = FillBlock(game, columns, &block);
    visit(block);
  }
}

}  // namespace crossriver
