// What `crossriver train` shows.
#ifndef CROSSRIVER_TOOLS_TRAIN_REPORTER_H_
#define CROSSRIVER_TOOLS_TRAIN_REPORTER_H_

#include <optional>
#include <string>

#include "selfplay/match_score.h"
#include "selfplay/run_observer.h"
#include "tools/progress.h"

namespace crossriver {

// Progress of each stage on standard error; a block of lines a generation on standard output, or
// with `json` one object a line.
class TrainReporter : public RunObserver {
 public:
  explicit TrainReporter(bool json) : json_(json) {}

  void OnMessage(const std::string& message) override;
  void OnEstimate(const RunEstimate& estimate) override;
  void OnSelfPlay(const SelfPlayProgress& progress) override;
  void OnTraining(const TrainingProgress& progress) override;
  void OnMatch(const char* what, int64_t games, int64_t wanted) override;
  void OnGeneration(const GenerationReport& report) override;
  // The last network against the first.
  void OnFinalMatch(int64_t checkpoint, int visits, const MatchScore& score);

 private:
  // The stage's progress; a new stage ends the one before.
  Progress* Stage(const std::string& name, int64_t total);
  void EndStage();
  void PrintGeneration(const GenerationReport& report);

  const bool json_;
  std::string stage_;
  std::optional<Progress> progress_;
  double seconds_ = 0;  // of the generations so far
  int64_t first_ = -1;  // generation of this process
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_TRAIN_REPORTER_H_
