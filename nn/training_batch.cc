#include "nn/training_batch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "nn/network.h"

namespace crossriver {
namespace {

Wdl ValueTarget(const TrainingRow& row, double search_share) {
  CR_CHECK(row.outcome.has_value() || row.search.has_value());
  if (!row.outcome.has_value()) return *row.search;
  if (!row.search.has_value()) return *row.outcome;
  const auto share = static_cast<float>(search_share);
  const auto mix = [share](float outcome, float search) {
    return (1 - share) * outcome + share * search;
  };
  return {mix(row.outcome->win, row.search->win), mix(row.outcome->draw, row.search->draw),
          mix(row.outcome->loss, row.search->loss)};
}

TrainingBatch EmptyBatch(int64_t rows, int64_t moves) {
  const auto longs = torch::TensorOptions().dtype(torch::kLong);
  TrainingBatch batch;
  batch.starts = torch::zeros({rows, moves}, longs);
  batch.ends = torch::zeros({rows, moves}, longs);
  batch.legal = torch::zeros({rows, moves}, torch::TensorOptions().dtype(torch::kBool));
  batch.policy = torch::zeros({rows, moves});
  batch.policy_weight = torch::zeros({rows});
  batch.wdl = torch::zeros({rows, 3});
  batch.weight = torch::zeros({rows});
  batch.plies_left = torch::zeros({rows});
  batch.has_plies_left = torch::zeros({rows});
  batch.reply_from = torch::zeros({rows}, longs);
  batch.reply_to = torch::zeros({rows}, longs);
  batch.has_reply = torch::zeros({rows});
  return batch;
}

}  // namespace

BatchBuilder::BatchBuilder(VariantGroup variants, const NetworkOptions& network,
                           const BatchOptions& options)
    : variants_(std::move(variants)),
      encoder_(variants_.pointers(),
               {options.type, /*channels_last=*/true, ColumnsOf(network.geometry)}),
      policy_(variants_.first().get(), encoder_),
      shape_(ShapeOf(*variants_.first(), encoder_.schema())),
      box_(network.geometry == Geometry::kBox),
      options_(options) {
  for (const Rules* variant : variants_.pointers()) {
    symmetries_.push_back(FindSymmetries(*variant).reach);
  }
}

const Symmetry* BatchBuilder::SymmetryOf(const TrainingRow& row, uint64_t number) const {
  size_t variant = 0;
  while (variant + 1 < variants_.size() &&
         variants_[variant]->hash() != row.position.rules().hash()) {
    ++variant;
  }
  const std::vector<Symmetry>& symmetries = symmetries_[variant];
  return &symmetries[number % symmetries.size()];
}

TrainingBatch BatchBuilder::Build(std::span<const TrainingRow* const> rows,
                                  std::span<const uint64_t> symmetries) const {
  const auto size = static_cast<int64_t>(rows.size());
  size_t moves = 1;
  for (const TrainingRow* row : rows) moves = std::max(moves, row->moves.size());
  TrainingBatch batch = EmptyBatch(size, static_cast<int64_t>(moves));
  torch::Tensor planes =
      torch::empty({size, shape_.cells(), shape_.planes}, ScalarTypeOf(options_.type));
  batch.constants = torch::empty({size, shape_.constants});
  auto* const plane_bytes = static_cast<uint8_t*>(planes.data_ptr());
  auto* const constants = batch.constants.data_ptr<float>();
  for (int64_t i = 0; i < size; ++i) {
    const TrainingRow& row = *rows[static_cast<size_t>(i)];
    const Symmetry* symmetry =
        symmetries.empty() ? nullptr : SymmetryOf(row, symmetries[static_cast<size_t>(i)]);
    encoder_.Encode(row.position, row.context, symmetry,
                    plane_bytes + static_cast<size_t>(i) * encoder_.plane_bytes(),
                    constants + i * shape_.constants);
    FillTargets(row, symmetry, i, &batch);
  }
  // Channels last in memory, channels second by name.
  batch.planes =
      box_ ? planes.view({size, shape_.ranks, shape_.levels, shape_.files, -1})
                 .permute({0, 4, 1, 2, 3})
           : planes.view({size, shape_.ranks, shape_.columns(), -1}).permute({0, 3, 1, 2});
  for (torch::Tensor* tensor :
       {&batch.planes, &batch.constants, &batch.starts, &batch.ends, &batch.legal, &batch.policy,
        &batch.policy_weight, &batch.wdl, &batch.weight, &batch.plies_left, &batch.reply_from,
        &batch.reply_to, &batch.has_plies_left, &batch.has_reply}) {
    *tensor = tensor->to(options_.device);
  }
  return batch;
}

void BatchBuilder::FillTargets(const TrainingRow& row, const Symmetry* symmetry, int64_t index,
                               TrainingBatch* batch) const {
  CR_CHECK(!row.moves.empty() && row.policy.size() == row.moves.size());
  const Side mover = row.position.side_to_move();
  const int64_t first = index * batch->starts.size(1);
  auto* starts = batch->starts.data_ptr<int64_t>() + first;
  auto* ends = batch->ends.data_ptr<int64_t>() + first;
  auto* legal = batch->legal.data_ptr<bool>() + first;
  for (const Move move : row.moves) {
    const PolicyAction action = policy_.Of(move, mover, symmetry);
    *starts++ = action.start;
    *ends++ = action.end;
    *legal++ = true;
  }
  std::copy(row.policy.begin(), row.policy.end(), batch->policy.data_ptr<float>() + first);
  const Wdl wdl = ValueTarget(row, options_.search_share);
  auto* target = batch->wdl.data_ptr<float>() + 3 * index;
  target[0] = wdl.win;
  target[1] = wdl.draw;
  target[2] = wdl.loss;
  batch->weight.data_ptr<float>()[index] = row.weight;
  batch->policy_weight.data_ptr<float>()[index] = row.policy_weight;
  if (row.plies_left.has_value()) {
    batch->plies_left.data_ptr<float>()[index] = std::log1p(*row.plies_left);
    batch->has_plies_left.data_ptr<float>()[index] = 1;
  }
  if (row.reply.has_value()) {
    // The opponent's move as the mover sees the board.
    const PolicyAction reply = policy_.Of(*row.reply, mover, symmetry);
    batch->reply_from.data_ptr<int64_t>()[index] = policy_.ReplyStart(reply.start);
    batch->reply_to.data_ptr<int64_t>()[index] = reply.end;
    batch->has_reply.data_ptr<float>()[index] = 1;
  }
}

}  // namespace crossriver
