// What a user interface may change between searches, and what can't be had then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mcts/uniform_evaluator.h"
#include "tests/tools/engine_helpers.h"

namespace crossriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::kUci;
using testing::Lines;
using testing::MakeParts;
using testing::MakeSession;
using testing::Send;
using ::testing::StartsWith;

TEST(EngineSettingsTest, AnEvaluatorThatFailsCostsNoAnswer) {
  Lines lines;
  std::atomic<int> calls = 0;
  const auto session = MakeSession(kUci, "switchback", &lines, [&calls] {
    return ++calls < 20 ? absl::OkStatus() : absl::InternalError("out of order");
  });
  Send(session.get(), {"go nodes 1000"});
  lines.WaitFor("bestmove");
  EXPECT_THAT(lines.all(), Contains("info string the search broke off: out of order"));
  Send(session.get(), {"setoption name Net value /no/such", "isready", "go nodes 10"});
  lines.WaitFor("bestmove", 2);
  EXPECT_THAT(lines.all(), Contains("info string no judgement of positions: no such network"));
}

TEST(EngineSettingsTest, AnotherVariantStartsAtItsOwnPosition) {
  Lines lines;
  const auto session = MakeSession(kUci, "xiangqi", &lines);
  Send(session.get(), {"go nodes 5"});
  lines.WaitFor("bestmove");
  Send(session.get(), {"setoption name UCI_Variant value Switchback", "d", "go nodes 5"});
  lines.WaitFor("bestmove", 2);
  EXPECT_THAT(lines.all(), Contains(StartsWith("info string variant switchback startpos ")));
}

// A network of one variant only; its calls, as "xiangqi n".
class OneNetwork {
 public:
  explicit OneNetwork(Lines* lines) : parts_(MakeParts(kUci, lines)) {
    parts_.make_evaluator = [this](const EngineOptions& options,
                                   const std::shared_ptr<const Rules>& rules) {
      calls_.push_back(rules->definition().id + " " + options.evaluator.net);
      return Open(rules->definition().id);
    };
  }

  EngineParts& parts() { return parts_; }
  void Remove() { removed_ = true; }
  void Restore() { removed_ = false; }
  std::vector<std::string> TakeCalls() { return std::exchange(calls_, {}); }

 private:
  absl::StatusOr<ChosenEvaluator> Open(const std::string& variant) const {
    if (removed_ || variant != "shogi") return absl::NotFoundError("no network");
    return ChosenEvaluator{std::make_unique<UniformEvaluator>(), true, 1};
  }

  EngineParts parts_;
  std::vector<std::string> calls_;
  bool removed_ = false;
};

// A network that can't be loaded is not forgotten.
TEST(EngineSettingsTest, ANetworkIsTriedAgain) {
  Lines lines;
  OneNetwork network(&lines);
  const auto session = MakeSession(network.parts(), "xiangqi");
  Send(session.get(), {"setoption name Net value n", "isready", "isready"});
  EXPECT_THAT(network.TakeCalls(), ElementsAre("xiangqi n"));
  EXPECT_EQ(lines.Count("info string no judgement of positions: no network"), 1);
  Send(session.get(), {"setoption name UCI_Variant value shogi", "isready"});
  EXPECT_THAT(network.TakeCalls(), ElementsAre("shogi n"));
  // What is there is not loaded again.
  Send(session.get(), {"setoption name Net value n", "isready"});
  EXPECT_THAT(network.TakeCalls(), ElementsAre());
  EXPECT_EQ(lines.Count("info string no judgement of positions"), 1);
  network.Remove();
  Send(session.get(), {"setoption name Threads value 2", "isready"});
  EXPECT_EQ(lines.Count("info string no judgement of positions"), 2);
  network.Restore();
  // What changes no evaluator is no occasion; what is sent again is.
  Send(session.get(), {"setoption name MultiPV value 2", "isready"});
  EXPECT_THAT(network.TakeCalls(), ElementsAre("shogi n"));
  Send(session.get(), {"position startpos moves c3c4", "setoption name Net value n", "isready"});
  EXPECT_THAT(network.TakeCalls(), ElementsAre("shogi n"));
  EXPECT_EQ(lines.Count("info string no judgement of positions"), 2);
  EXPECT_EQ(lines.Count("info string variant "), 1);
}

TEST(EngineSettingsTest, AnExceptionIsAnErrorOfTheNetwork) {
  Lines lines;
  EngineParts parts = MakeParts(kUci, &lines);
  parts.make_evaluator =
      [](const EngineOptions&,
         const std::shared_ptr<const Rules>&) -> absl::StatusOr<ChosenEvaluator> {
    throw std::runtime_error("out of memory\nframe #0: …");
  };
  const auto session = MakeSession(parts, "xiangqi");
  Send(session.get(), {"setoption name Net value n.safetensors", "isready", "go nodes 5"});
  lines.WaitFor("bestmove ");
  EXPECT_THAT(lines.all(),
              Contains("info string no judgement of positions: n.safetensors: out of memory"));
  EXPECT_EQ(lines.Count("info string"), 1);
}

}  // namespace
}  // namespace crossriver
