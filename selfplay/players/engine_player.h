// Another program as a player.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_PLAYER_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_PLAYER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/mutex.h"
#include "core/rules.h"
#include "selfplay/players/engine_client.h"
#include "selfplay/players/player.h"

namespace crossriver {

// Each seat has a process of its own, started with its first game and kept for the next ones. One
// that has failed is killed, and another started with the next game. A program that does not answer
// within EngineSettings::timeout has failed. Resigning is an error of the seat's too (Aborted), but
// its process stays.
class EnginePlayer : public Player {
 public:
  // Starts the program once, so that what is wrong with it is known before a match begins; the
  // first seat takes that process. Errors: those of EngineClient::Start.
  static absl::StatusOr<std::unique_ptr<EnginePlayer>> Open(std::string name,
                                                            std::shared_ptr<const Rules> rules,
                                                            const EngineSettings& settings);

  const std::string& name() const override { return name_; }
  std::unique_ptr<Seat> NewSeat() override;

  // For the player's seats. Thread-safe.
  absl::StatusOr<std::unique_ptr<EngineClient>> NewClient();

 private:
  EnginePlayer(std::string name, std::shared_ptr<const Rules> rules, const EngineSettings& settings)
      : name_(std::move(name)), rules_(std::move(rules)), settings_(settings) {}

  const std::string name_;
  const std::shared_ptr<const Rules> rules_;
  const EngineSettings settings_;
  Mutex mutex_;
  std::unique_ptr<EngineClient> spare_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_PLAYER_H_
