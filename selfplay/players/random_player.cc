#include "selfplay/players/random_player.h"

#include "mcts/random.h"

namespace crossriver {
namespace {

class RandomSeat : public SimpleSeat {
 public:
  absl::Status NewGame(uint64_t seed) override {
    random_ = RandomStream(seed);
    return absl::OkStatus();
  }

 protected:
  absl::StatusOr<Choice> Choose(const Turn& turn) override {
    return Choice{turn.legal[random_.Below(turn.legal.size())], std::nullopt, 0};
  }

 private:
  RandomStream random_{0};
};

}  // namespace

std::unique_ptr<Seat> RandomPlayer::NewSeat() { return std::make_unique<RandomSeat>(); }

}  // namespace crossriver
