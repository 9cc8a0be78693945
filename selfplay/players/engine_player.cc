#include "selfplay/players/engine_player.h"

#include <utility>

namespace crossriver {
namespace {

class EngineSeat : public SimpleSeat {
 public:
  explicit EngineSeat(EnginePlayer* player) : player_(*player) {}

  absl::Status NewGame(uint64_t /*seed*/) override {
    if (client_ != nullptr) {
      absl::Status status = Checked(client_->NewGame());
      if (!absl::IsUnavailable(status)) return status;
      // It ended while it had nothing to do: no reason to lose a game that has not begun.
    }
    if (client_ == nullptr) {
      absl::StatusOr<std::unique_ptr<EngineClient>> client = player_.NewClient();
      if (!client.ok()) return client.status();
      client_ = *std::move(client);
    }
    return Checked(client_->NewGame());
  }

 protected:
  absl::StatusOr<Choice> Choose(const Turn& turn) override {
    if (client_ == nullptr) {
      return absl::FailedPreconditionError("the engine has failed in this game");
    }
    absl::StatusOr<Choice> choice = client_->Go(turn);
    if (!choice.ok()) return Checked(choice.status());
    return choice;
  }

 private:
  absl::Status Checked(absl::Status status) {
    if (!status.ok() && !absl::IsAborted(status)) client_.reset();
    return status;
  }

  EnginePlayer& player_;
  std::unique_ptr<EngineClient> client_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<EnginePlayer>> EnginePlayer::Open(std::string name,
                                                                 std::shared_ptr<const Rules> rules,
                                                                 const EngineSettings& settings) {
  std::unique_ptr<EnginePlayer> player(
      new EnginePlayer(std::move(name), std::move(rules), settings));
  absl::StatusOr<std::unique_ptr<EngineClient>> client = player->NewClient();
  if (!client.ok()) return client.status();
  {
    MutexLock lock(&player->mutex_);
    player->spare_ = *std::move(client);
  }
  return player;
}

absl::StatusOr<std::unique_ptr<EngineClient>> EnginePlayer::NewClient() {
  {
    MutexLock lock(&mutex_);
    if (spare_ != nullptr) return std::move(spare_);
  }
  return EngineClient::Start(settings_, *rules_);
}

std::unique_ptr<Seat> EnginePlayer::NewSeat() { return std::make_unique<EngineSeat>(this); }

}  // namespace crossriver
