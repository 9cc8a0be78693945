// One conversation with a user interface: the state machine behind `crossriver uci` and
// `crossriver usi`.
#ifndef CROSSRIVER_TOOLS_ENGINE_SESSION_H_
#define CROSSRIVER_TOOLS_ENGINE_SESSION_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/mutex.h"
#include "core/rules.h"
#include "tools/engine_command.h"
#include "tools/engine_control.h"
#include "tools/engine_info.h"
#include "tools/engine_options.h"
#include "tools/engine_search.h"
#include "tools/evaluator_choice.h"
#include "tools/game_input.h"

namespace crossriver {

// What a session needs from outside.
struct EngineParts {
  Protocol protocol = Protocol::kUci;
  std::string name;                   // of the engine, with its version
  std::string notice;                 // said behind the options; empty = nothing
  std::vector<std::string> variants;  // the names to declare
  // The rules that the options name.
  std::function<absl::StatusOr<std::shared_ptr<const Rules>>(const EngineOptions&)> load_rules;
  std::function<absl::StatusOr<ChosenEvaluator>(const EngineOptions&, std::shared_ptr<const Rules>)>
      make_evaluator;
  // Takes a line without its end. Called by one thread at a time.
  std::function<void(absl::string_view)> write;
};

// Commands are taken by one thread, searches run in another: what is asked meanwhile is answered at
// once. Every `go` that is not refused is answered by one bestmove (or, where it asks for something
// else, by "checkmate …" or "Nodes searched: …"), at the latest when it is stopped; the first legal
// move is better than none, and where the rules have ended the game although there are moves, the
// user interface may know other rules, so that one is searched as in a new game. What is wrong is
// reported as "info string …" and changes nothing. While a search runs, commands that would
// disturb it are refused; after `stop` they wait for its answer.
class EngineSession {
 public:
  // Errors: the options' variant.
  static absl::StatusOr<std::unique_ptr<EngineSession>> Create(EngineParts parts,
                                                               const EngineOptions& options);
  ~EngineSession();
  EngineSession(const EngineSession&) = delete;
  EngineSession& operator=(const EngineSession&) = delete;

  // Takes one line. False after `quit`, when all is answered and nothing more will be written.
  bool Handle(absl::string_view line);
  // The end of the input: as `quit`.
  void Finish();
  // Says it as "info string …".
  void Complain(absl::string_view message);

 private:
  struct Command;
  static const std::vector<Command>& Commands();

  EngineSession(EngineParts parts, const EngineOptions& options,
                std::shared_ptr<const Rules> rules);

  // Commands, with what stands behind them.
  void OnIdentify(absl::string_view arguments);
  void OnIsReady(absl::string_view arguments);
  void OnSetOption(absl::string_view arguments);
  void OnNewGame(absl::string_view arguments);
  void OnPosition(absl::string_view arguments);
  void OnGo(absl::string_view arguments);
  void OnStop(absl::string_view arguments);
  void OnPonderHit(absl::string_view arguments);
  void OnShow(absl::string_view arguments);
  void OnNothing(absl::string_view /*arguments*/) {}

  // What `go` asks for, in the searching thread. They return the answer.
  std::string Search(const EngineLimits& limits);
  std::string FindMate(const GoCommand& go, EngineLimits limits, const GameInput& game,
                       EngineControl::Clock::time_point begin);
  std::string CountLeaves(int depth, Position position);
  uint64_t CountBelow(int depth, Position* position);

  absl::Status ChangeOptions(const OptionSetting& setting);
  // Whether no search runs, after a wait for one that has been stopped. Else says so.
  bool IsStill(absl::string_view command);
  void GetReady();
  // What the options name, or a uniform one in its stead.
  ChosenEvaluator MakeEvaluator();
  std::unique_ptr<EngineSearch> MakeSearch();
  void SetGame();
  EngineLimits LimitsOf(const GoCommand& go) const;
  void Launch(const GoCommand& go, EngineControl::Clock::time_point now,
              std::function<std::string()> search);
  void Join();
  InfoContext Context(int64_t visits, absl::Duration time) const;
  void Write(absl::string_view line);

  const EngineParts parts_;
  EngineOptions options_;
  std::shared_ptr<const Rules> rules_;
  std::optional<GameInput> game_;  // the position that `go` is about
  // Made when they are first needed. The evaluator outlives the search.
  std::optional<ChosenEvaluator> evaluator_;
  bool stand_in_ = false;  // whether it is not the one that the options name
  std::unique_ptr<EngineSearch> search_;
  bool finished_ = false;

  // Between Begin and End of it the reading thread changes nothing of the above, and leaves the
  // search and the evaluator alone.
  EngineControl control_;
  std::thread thread_;
  Mutex write_mutex_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_ENGINE_SESSION_H_
