// crossriver-net's way from a network file to an evaluator.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/eval_cache.h"
#include "core/evaluator_pool.h"
#include "nn/checkpoint.h"
#include "nn/device.h"
#include "nn/inference_bench.h"
#include "nn/network_evaluator.h"
#include "selfplay/players/network_reference.h"
#include "tools/evaluator_choice.h"
#include "tools/network_commands.h"

namespace crossriver {
namespace {

// Leaves of one search out at a time: large enough for the device, small enough that walks which
// don't see each other's results lose little.
constexpr int kBatchOnCpu = 8;
constexpr int kBatchOnGpu = 64;
// Of many searches, with a leaf each, as in self-play.
constexpr int kSearchesOnCpu = 64;
constexpr int kSearchesOnGpu = 256;

// An evaluator a thread and their cache.
class NetworkOfThreads : public Evaluator {
 public:
  NetworkOfThreads(const std::shared_ptr<const InferenceModel>& model, int threads)
      : pool_(Evaluators(model, threads)), cache_(EvalCacheOptions()), cached_(&pool_, &cache_) {}

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override {
    return cached_.Evaluate(requests, results);
  }
  uint64_t id() const override { return cached_.id(); }

 private:
  static std::vector<std::unique_ptr<Evaluator>> Evaluators(
      const std::shared_ptr<const InferenceModel>& model, int threads) {
    std::vector<std::unique_ptr<Evaluator>> evaluators;
    for (int i = 0; i < threads; ++i) {
      evaluators.push_back(std::make_unique<NetworkEvaluator>(model));
    }
    return evaluators;
  }

  EvaluatorPool pool_;
  EvalCache cache_;
  CachedEvaluator cached_;
};

}  // namespace

absl::StatusOr<ChosenEvaluator> OpenNetwork(const EvaluatorFlags& flags,
                                            std::shared_ptr<const Rules> rules, int threads) {
  const absl::StatusOr<DeviceChoice> device = ChooseDevice(flags.device);
  if (!device.ok()) return device.status();
  const absl::StatusOr<NetworkReference> network = ResolveNetwork(flags.net);
  if (!network.ok()) return network.status();
  for (const std::string& message : network->messages) {
    std::fprintf(stderr, "%s\n", message.c_str());
  }
  const absl::StatusOr<LoadedNetwork> loaded = LoadNetwork(network->file, *rules);
  if (!loaded.ok()) return loaded.status();
  TuneMalloc();
  SetIntraOpThreads(1);
  int batch = device->cuda ? kBatchOnGpu : kBatchOnCpu;
  if (flags.many_searches) batch = device->cuda ? kSearchesOnGpu : kSearchesOnCpu;
  const absl::StatusOr<InferenceSettings> settings =
      FastestSettings(*loaded->network, rules, *device, batch);
  if (!settings.ok()) return settings.status();
  const auto model = std::make_shared<const InferenceModel>(
      *loaded->network, std::move(rules), loaded->info.weights_hash, *device, *settings);
  return ChosenEvaluator{std::make_unique<NetworkOfThreads>(model, device->cuda ? 1 : threads),
                         /*is_thread_safe=*/true, batch, loaded->info.weights_hash};
}

}  // namespace crossriver
