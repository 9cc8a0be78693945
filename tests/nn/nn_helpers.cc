#include "tests/nn/nn_helpers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/check.h"
#include "core/movegen.h"
#include "core/variant_loader.h"
#include "nn/network.h"
#include "tests/random_positions.h"

namespace crossriver::testing {

NetworkOptions SmallOptions() {
  NetworkOptions options;
  options.channels = 16;
  options.blocks = 2;
  options.pooling_every = 2;
  options.pooling_channels = 8;
  options.policy_channels = 8;
  options.value_channels = 8;
  options.value_units = 16;
  return options;
}

std::shared_ptr<Network> ScrambledNetwork(const NetworkOptions& options, const Rules& rules,
                                          uint64_t seed) {
  torch::manual_seed(seed);
  std::shared_ptr<Network> network = MakeNetwork(options, rules);
  const torch::NoGradGuard no_grad;
  for (const auto& item : network->named_parameters()) {
    item.value().add_(torch::randn_like(item.value()) * 0.1);
  }
  for (const auto& item : network->named_buffers()) {
    if (item.value().is_floating_point()) item.value().add_(torch::rand_like(item.value()));
  }
  network->eval();
  return network;
}

std::vector<SamplePosition> MixedPositions(const Rules& rules, int count, uint64_t seed) {
  std::vector<SamplePosition> samples = RandomPositions(rules, count / 2, seed);
  Random random("mixed positions", static_cast<int>(seed), 0);
  while (static_cast<int>(samples.size()) < count) {
    const std::optional<Position> position = RandomPosition(rules, &random);
    if (!position.has_value()) continue;
    std::vector<Move> moves;
    GenerateLegalMoves(*position, &moves);
    if (!moves.empty()) samples.push_back({*position, History(*position), std::move(moves)});
  }
  return samples;
}

std::shared_ptr<const Rules> RulesFromText(const std::string& id, const std::string& text) {
  absl::StatusOr<std::shared_ptr<const Rules>> rules =
      LoadVariant({id, id + ".toml", text}, ResolveBuiltin);
  CR_CHECK_OK(rules.status());
  return *std::move(rules);
}

Position OtherSideOf(const Position& position) {
  const Rules& rules = position.rules();
  Position other(&rules);
  for (const Cell cell : position.occupied()) {
    const Piece piece = position.piece_at(cell);
    other.Put(MakePiece(KindOf(piece), Other(SideOf(piece))), rules.topology().MirrorRank(cell));
  }
  for (const Side side : kSides) {
    for (const Kind kind : rules.hand_kinds()) {
      other.SetHand(Other(side), kind, position.hand(side, kind));
    }
  }
  other.SetSideToMove(Other(position.side_to_move()));
  other.SetCounts(position.no_progress(), position.move_number());
  return other;
}

std::shared_ptr<const Rules> Unowned(const Rules& rules) {
  return {&rules, [](const Rules*) {}};
}

std::shared_ptr<const InferenceModel> ScrambledModel(const Rules& rules,
                                                     const ModelChoice& choice) {
  const std::shared_ptr<Network> network = ScrambledNetwork(choice.options, rules, choice.seed);
  return std::make_shared<InferenceModel>(*network, Unowned(rules), /*weights_hash=*/choice.seed,
                                          DeviceChoice{}, choice.settings, choice.symmetry_use);
}

std::vector<EvaluationRequest> RequestsOf(const std::vector<SamplePosition>& samples) {
  std::vector<EvaluationRequest> requests;
  for (const SamplePosition& sample : samples) requests.push_back(sample.request());
  return requests;
}

std::vector<Evaluation> Ask(Evaluator* evaluator, const std::vector<SamplePosition>& samples) {
  const std::vector<EvaluationRequest> requests = RequestsOf(samples);
  std::vector<Evaluation> results(requests.size());
  const absl::Status status = evaluator->Evaluate(requests, results);
  EXPECT_TRUE(status.ok()) << status;
  for (size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(results[i].log_priors.size(), samples[i].moves.size());
    results[i].log_priors.resize(samples[i].moves.size());
  }
  return results;
}

std::vector<Evaluation> Ask(const std::shared_ptr<const InferenceModel>& model,
                            const std::vector<SamplePosition>& samples) {
  NetworkEvaluator evaluator(model);
  return Ask(&evaluator, samples);
}

double Difference(const Evaluation& a, const Evaluation& b) {
  if (a.log_priors.size() != b.log_priors.size()) return HUGE_VAL;
  float largest = 0;
  const auto compare = [&largest](float x, float y) {
    const float difference = std::abs(x - y);
    // Written so that it holds for what is no number, too.
    if (!(difference <= largest)) largest = difference;
  };
  for (size_t i = 0; i < a.log_priors.size(); ++i) {
    compare(std::exp(a.log_priors[i]), std::exp(b.log_priors[i]));
  }
  compare(a.wdl.win, b.wdl.win);
  compare(a.wdl.draw, b.wdl.draw);
  compare(a.wdl.loss, b.wdl.loss);
  return std::isnan(largest) ? HUGE_VAL : double{largest};
}

bool IsSameBits(const Evaluation& a, const Evaluation& b) {
  return a.log_priors == b.log_priors && a.wdl == b.wdl;
}

}  // namespace crossriver::testing
