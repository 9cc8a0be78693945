#include "selfplay/players/alphabeta_player.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "selfplay/players/alphabeta.h"

namespace crossriver {
namespace {

constexpr double kLogisticScale = 200;
constexpr double kDrawMargin = 100;

class AlphaBetaSeat : public SimpleSeat {
 public:
  explicit AlphaBetaSeat(AlphaBeta engine) : engine_(std::move(engine)) {}

  absl::Status NewGame(uint64_t /*seed*/) override {
    engine_.NewGame();
    return absl::OkStatus();
  }

 protected:
  absl::StatusOr<Choice> Choose(const Turn& turn) override {
    const AlphaBetaResult result = engine_.Search(*turn.position, *turn.history);
    return Choice{result.move, ScoreToWdl(result.score, result.mate_plies), result.nodes};
  }

 private:
  AlphaBeta engine_;
};

}  // namespace

Wdl ScoreToWdl(int score, int mate_plies) {
  if (mate_plies != 0) return mate_plies > 0 ? Wdl{1, 0, 0} : Wdl{0, 0, 1};
  const auto logistic = [](double x) { return 1 / (1 + std::exp(-x / kLogisticScale)); };
  const double win = logistic(score - kDrawMargin);
  const double loss = logistic(-score - kDrawMargin);
  const double draw = std::max(0.0, 1 - win - loss);
  return {static_cast<float>(win), static_cast<float>(draw), static_cast<float>(loss)};
}

AlphaBetaPlayer::AlphaBetaPlayer(std::string name, std::shared_ptr<const Rules> rules,
                                 const AlphaBetaOptions& options)
    : name_(std::move(name)),
      rules_(std::move(rules)),
      values_(std::make_shared<const PieceValues>(*rules_)),
      options_(options) {}

std::unique_ptr<Seat> AlphaBetaPlayer::NewSeat() {
  return std::make_unique<AlphaBetaSeat>(AlphaBeta(rules_, values_, options_));
}

}  // namespace crossriver
