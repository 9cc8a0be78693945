// A search over an evaluator, as a player.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_SEARCH_PLAYER_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_SEARCH_PLAYER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "core/evaluator.h"
#include "core/rules.h"
#include "mcts/options.h"
#include "selfplay/players/chosen_evaluator.h"
#include "selfplay/players/player.h"

namespace crossriver {

struct SearchPlayerOptions {
  // Root policy, draw score, sampled moves, memory. Its seed is not used: each game has one. Noise
  // is turned off, and `concurrent` must be.
  SearchOptions search;
  SearchLimits limits;
  // Plays the evaluator's likeliest move instead of searching.
  bool raw_policy = false;
  // PUCT alone: a search goes on with what the one before has found out. Gumbel's halving counts on
  // visits that are all its own.
  bool reuse = true;
  // For so many plies from a seat's first move of a game on, moves are drawn: see DrawMove. The
  // weights of a raw policy are its priors.
  double temperature = 0;
  int64_t temperature_plies = 0;
};

// OK, or what is wrong with them.
absl::Status Validate(const SearchPlayerOptions& options);

// Each seat has a search of its own, bounded by SearchOptions::tree_bytes, with one leaf out at a
// time, so that its moves follow from the seed and the evaluator's answers alone. The only legal
// move is evaluated and not searched.
class SearchPlayer : public Player {
 public:
  // Where the evaluator is not thread-safe, calls are made one after the other. `options` must be
  // valid.
  SearchPlayer(std::string name, std::shared_ptr<const Rules> rules, ChosenEvaluator evaluator,
               const SearchPlayerOptions& options);

  const std::string& name() const override { return name_; }
  uint64_t identity() const override { return identity_; }
  std::unique_ptr<Seat> NewSeat() override;
  Evaluator* evaluator() override { return evaluator_.get(); }
  int batch() const override { return batch_; }

 private:
  const std::string name_;
  const std::shared_ptr<const Rules> rules_;
  const int batch_;
  const uint64_t identity_;
  const std::unique_ptr<Evaluator> evaluator_;
  const SearchPlayerOptions options_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_SEARCH_PLAYER_H_
