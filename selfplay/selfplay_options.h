// How games of self-play are played.
#ifndef CROSSRIVER_SELFPLAY_SELFPLAY_OPTIONS_H_
#define CROSSRIVER_SELFPLAY_SELFPLAY_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/rules.h"
#include "mcts/options.h"
#include "nn/number_option.h"

namespace crossriver {

struct SelfPlayOptions {
  int games = 64;  // at a time, a worker: the size of its batches

  // Searches. A share of them is full, with noise, and gives policy targets; the others are cheap
  // and only carry the game on (playout cap randomisation; Wu 2019, section 3.1).
  RootPolicy root_policy = RootPolicy::kGumbel;
  int full_visits = 32;
  int cheap_visits = 8;
  double full_share = 0.5;
  int gumbel_sampled_moves = 16;  // in full searches; in cheap ones as many as have visits
  double gumbel_c_visit = 50;
  double gumbel_c_scale = 1;
  double puct_c = 1.75;
  double puct_noise_share = 0.25;
  double puct_noise_total = 10;
  double puct_forced_playouts = 2;
  // Whether a search goes on from what the one before knows. Sequential halving counts on visits
  // that are all its own, so with Gumbel it is better off.
  bool tree_reuse = false;
  // What a draw is worth to the side to move in a search and for resignation.
  double draw_score = 0.5;
  int tree_kbytes = 1024;  // of one game's search

  // The choice of the move. Up to `temperature_plies` it is drawn from the search's policy (visit
  // shares with PUCT, the improved policy with Gumbel) to the power of 1 / temperature, which goes
  // from initial to final as final + (initial - final) 2^(-ply / half-life). Then PUCT goes on so,
  // and Gumbel plays what sequential halving has left.
  double temperature_initial = 1;
  double temperature_final = 0.15;
  double temperature_half_life = 12;
  int temperature_plies = 20;

  // Shares of the ways to begin (StartKind); the rest begin from the variant's own array.
  double start_random_plies = 0.05;
  double start_policy = 0.1;
  double start_restart = 0.1;
  double start_army = 0.1;
  double start_opening = 0;   // of the positions that `openings` gives
  std::string openings;       // a file as ParseMatchOpenings reads it, such as a book; empty: none
  int max_random_plies = 10;  // 1 to so many
  int max_policy_plies = 20;
  double policy_start_temperature = 1;
  // Restarts: the positions kept, and the share of draws that prefers the surprising ones.
  int restart_pool = 4096;  // positions, of each variant
  double restart_surprising = 0.5;
  // Armies: each side loses a share of its pieces between nothing and this; in a share of the
  // armies the rest are scattered as well.
  double army_max_removed = 0.8;
  double army_scattered = 0.5;

  // A side resigns when its score has been below the threshold in so many searches of its own on
  // end. Some of the games in which one would are played out, to see how often that was wrong.
  double resign_threshold = 0.03;  // 0 = no resignation
  int resign_moves = 4;
  int resign_min_ply = 20;
  double resign_played_out = 0.1;

  // Plies after which a game is truncated; 0 = never.
  int max_plies = 400;
  // A game without progress is truncated after this many plies, in the first game of the run. The
  // limit rises evenly to the rules' own, which is reached in game `no_progress_games`. 0 = the
  // rules' alone.
  int no_progress_plies = 0;
  int no_progress_games = 1000;

  // Games depend on their ticket alone: no shared cache, and workers put nothing into the pool of
  // restarts.
  bool deterministic = false;
};

// The options that are numbers, as configs and messages name them.
using SelfPlayRateOption = NumberOption<SelfPlayOptions, double>;
using SelfPlayCountOption = NumberOption<SelfPlayOptions, int>;
const std::vector<SelfPlayRateOption>& SelfPlayRateOptions();
const std::vector<SelfPlayCountOption>& SelfPlayCountOptions();

// OK, or the first option that can't be, with what was expected.
absl::Status Validate(const SelfPlayOptions& options);

// What a search is told.
SearchOptions MakeSearchOptions(const SelfPlayOptions& options, bool full, uint64_t seed);
int64_t SearchVisits(const SelfPlayOptions& options, bool full);

// Of the choice of the move after so many plies of the game.
double TemperatureAt(const SelfPlayOptions& options, int ply);

// The early no-progress limit of a game by its number in the run; 0 where the rules' own is in
// force.
int NoProgressLimit(const SelfPlayOptions& options, const Rules& rules, uint64_t game);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SELFPLAY_OPTIONS_H_
