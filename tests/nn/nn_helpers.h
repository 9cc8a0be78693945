// Helpers shared by the tests of networks. Needs no LibTorch.
#ifndef CROSSRIVER_TESTS_NN_NN_HELPERS_H_
#define CROSSRIVER_TESTS_NN_NN_HELPERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/rules.h"
#include "nn/network_evaluator.h"
#include "nn/network_options.h"
#include "nn/practice_games.h"
#include "tests/scratch_folder.h"

namespace crossriver {

class Network;

namespace testing {

// A network small enough to be fast and with every part in it.
NetworkOptions SmallOptions();

// A network whose weights and running statistics are all far from their first values, in evaluation
// mode. The same for the same seed.
std::shared_ptr<Network> ScrambledNetwork(const NetworkOptions& options, const Rules& rules,
                                          uint64_t seed = 5);

// Half from random games, with their histories, half from thinned and scattered armies. All have
// legal moves.
std::vector<SamplePosition> MixedPositions(const Rules& rules, int count, uint64_t seed);

// A variant from the text of its file, which may inherit built-in ones. Aborts on errors.
std::shared_ptr<const Rules> RulesFromText(const std::string& id, const std::string& text);

// The same board and hands as the other player would have them, that player to move: ranks turned
// over and sides swapped.
Position OtherSideOf(const Position& position);

// Rules that outlive whoever shares them.
std::shared_ptr<const Rules> Unowned(const Rules& rules);

// A model of ScrambledNetwork(options, rules). `rules` must outlive it.
struct ModelChoice {
  InferenceSettings settings;
  SymmetryUse symmetry_use = SymmetryUse::kNone;
  NetworkOptions options = SmallOptions();
  uint64_t seed = 5;
};
std::shared_ptr<const InferenceModel> ScrambledModel(const Rules& rules,
                                                     const ModelChoice& choice = {});

std::vector<EvaluationRequest> RequestsOf(const std::vector<SamplePosition>& samples);
// All in one call. An error fails the running test.
std::vector<Evaluation> Ask(Evaluator* evaluator, const std::vector<SamplePosition>& samples);
// The same by a new evaluator of the model.
std::vector<Evaluation> Ask(const std::shared_ptr<const InferenceModel>& model,
                            const std::vector<SamplePosition>& samples);

// The largest difference of any two probabilities, of priors as of results.
double Difference(const Evaluation& a, const Evaluation& b);
bool IsSameBits(const Evaluation& a, const Evaluation& b);

}  // namespace testing
}  // namespace crossriver

#endif  // CROSSRIVER_TESTS_NN_NN_HELPERS_H_
