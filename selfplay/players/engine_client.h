// A program that plays, set up for a variant.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_CLIENT_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_CLIENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/rules.h"
#include "selfplay/players/engine_process.h"
#include "selfplay/players/engine_text.h"
#include "selfplay/players/player.h"

namespace crossriver {

struct EngineSettings {
  EngineProtocol protocol = EngineProtocol::kUci;
  std::vector<std::string> command;  // the program and its arguments
  // Set in this order, before a variant is chosen.
  std::vector<std::pair<std::string, std::string>> options;
  absl::Duration timeout = absl::Seconds(60);  // of every answer
  // A move's limits; 0 = none. At least one of them is needed to play.
  int64_t nodes = 0;
  int64_t milliseconds = 0;
  int64_t depth = 0;
  // What a misspelt option may have been meant to be, besides those that the program declares.
  std::vector<std::string> other_options;
};

// One process. One thread at a time. Every call ends: in an answer, or in an error that names the
// program, what it was asked, and what it last said. After any error but Aborted the program is in
// an unknown state, and the client good for nothing but to go.
class EngineClient {
 public:
  // Starts the program, sets its options, and chooses the variant by the option UCI_Variant (some
  // say USI_Variant), unless the settings do. A program without such an option is asked for a move,
  // to see whether it knows the rules. `rules` must outlive the client.
  //
  // Errors: no such program, a program that ends or does not speak the protocol, a variant that it
  // does not know, that has no name for engines or no SFEN for USI, options that it does not have.
  static absl::StatusOr<std::unique_ptr<EngineClient>> Start(const EngineSettings& settings,
                                                             const Rules& rules);
  // Asks the program to quit, and kills it a moment later.
  ~EngineClient();

  absl::Status NewGame();
  // The program's move in the position. Errors: Aborted where it resigns; no answer in time, an
  // illegal move, none although there are legal ones.
  absl::StatusOr<Choice> Go(const Turn& turn);

  // For other conversations.
  EngineProcess* process() { return process_.get(); }

 private:
  EngineClient(EngineSettings settings, const Rules& rules)
      : settings_(std::move(settings)), rules_(rules) {}

  using LineVisitor = std::function<void(absl::string_view line)>;
  // Sends a question, and reads until a line that begins with the word `answer`.
  absl::StatusOr<std::string> Ask(const std::string& question, absl::string_view answer,
                                  const LineVisitor& visit = nullptr);
  absl::Status Send(const std::string& line);
  absl::Status Error(const absl::Status& status) const;

  absl::Status SetUp();
  absl::Status Greet();
  absl::Status SetOption(const std::string& name, const std::string& value);
  const EngineOption* Declared(absl::string_view name) const;  // null: it is not
  bool IsGiven(absl::string_view name) const;                  // by the settings
  std::string VariantOption() const;  // the name of the option that chooses it, empty without one
  absl::Status ChooseVariant();
  absl::Status TryOneMove();
  absl::StatusOr<Choice> GoFor(const Turn& turn, const std::string& limits);
  absl::StatusOr<Choice> ReadChoice(const Turn& turn, const std::string& text,
                                    const EngineInfo& info) const;

  const EngineSettings settings_;
  const Rules& rules_;
  std::unique_ptr<EngineProcess> process_;
  std::vector<EngineOption> declared_;
  std::string asked_;  // last
  std::string said_;   // last, empty lines apart
  bool is_healthy_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_CLIENT_H_
