// What the tests of the engine share: a session in this process, and evaluators made up for it.
#ifndef CROSSRIVER_TESTS_TOOLS_ENGINE_HELPERS_H_
#define CROSSRIVER_TESTS_TOOLS_ENGINE_HELPERS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/evaluator.h"
#include "core/mutex.h"
#include "tools/engine_session.h"

namespace crossriver::testing {

inline constexpr Protocol kUci = Protocol::kUci;
inline constexpr Protocol kUsi = Protocol::kUsi;

// Lines of commands, none of which ends the session.
void Send(EngineSession* session, const std::vector<std::string>& lines);

// Lines that some threads write and others wait for.
class Lines {
 public:
  void Add(absl::string_view line);
  std::vector<std::string> all() const;
  // Lines that begin so.
  int Count(absl::string_view prefix) const;
  // Waits until there are so many, and returns the last. Aborts after some minutes, so that a test
  // that hangs fails.
  std::string WaitFor(absl::string_view prefix, int count = 1) const;

 private:
  mutable Mutex mutex_;
  mutable CondVar added_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

// Aborts the test where nothing happens for some minutes, and says what was to happen.
class Watchdog {
 public:
  Watchdog();
  ~Watchdog();
  // It goes on: with this.
  void Pet(const std::string& what);

 private:
  void Watch();

  Mutex mutex_;
  CondVar changed_;
  std::string what_ ABSL_GUARDED_BY(mutex_);
  uint64_t pets_ ABSL_GUARDED_BY(mutex_) = 0;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// Uniform priors after `before` has been called, once for each call, and if it returned no error.
// The first player is ahead everywhere, whoever has the move: means over many positions are the
// same, and a view taken for the other shows.
class HookedEvaluator : public Evaluator {
 public:
  explicit HookedEvaluator(std::function<absl::Status()> before) : before_(std::move(before)) {}

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override;
  uint64_t id() const override { return 1; }

  // What it thinks of each, as the first player sees it: 191 centipawns.
  static constexpr Wdl kFirstPlayers{0.6F, 0.3F, 0.1F};

 private:
  const std::function<absl::Status()> before_;
};

// For a session that writes to `lines`, with the built-in variants, each compiled only once, and
// with evaluators of thread-safe hooks. A network file of any name is an error.
EngineParts MakeParts(
    Protocol protocol, Lines* lines,
    const std::function<absl::Status()>& before = [] { return absl::OkStatus(); });

// A session with them. Small: a tree of a megabyte, few nodes of the mate probe.
std::unique_ptr<EngineSession> MakeSession(const EngineParts& parts, const std::string& variant);
std::unique_ptr<EngineSession> MakeSession(
    Protocol protocol, const std::string& variant, Lines* lines,
    const std::function<absl::Status()>& before = [] { return absl::OkStatus(); });

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_TOOLS_ENGINE_HELPERS_H_
