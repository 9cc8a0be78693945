#include "selfplay/selfplay_options.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

constexpr int kMany = 1'000'000'000;

}  // namespace

const std::vector<SelfPlayRateOption>& SelfPlayRateOptions() {
  using Options = SelfPlayOptions;
  static const auto& options = *new std::vector<SelfPlayRateOption>{
      {"full_share", &Options::full_share, 0, 1},
      {"gumbel_c_visit", &Options::gumbel_c_visit, 0, 1e6},
      {"gumbel_c_scale", &Options::gumbel_c_scale, 1e-3, 1e3},
      {"puct_c", &Options::puct_c, 1e-3, 100},
      {"puct_noise_share", &Options::puct_noise_share, 0, 1},
      {"puct_noise_total", &Options::puct_noise_total, 1e-3, 1e4},
      {"puct_forced_playouts", &Options::puct_forced_playouts, 0, 100},
      {"draw_score", &Options::draw_score, 0, 1},
      {"temperature_initial", &Options::temperature_initial, 0, 10},
      {"temperature_final", &Options::temperature_final, 0, 10},
      {"temperature_half_life", &Options::temperature_half_life, 1e-3, 1e6},
      {"start_random_plies", &Options::start_random_plies, 0, 1},
      {"start_policy", &Options::start_policy, 0, 1},
      {"start_restart", &Options::start_restart, 0, 1},
      {"start_army", &Options::start_army, 0, 1},
      {"start_opening", &Options::start_opening, 0, 1},
      {"policy_start_temperature", &Options::policy_start_temperature, 0, 10},
      {"restart_surprising", &Options::restart_surprising, 0, 1},
      {"army_max_removed", &Options::army_max_removed, 0, 1},
      {"army_scattered", &Options::army_scattered, 0, 1},
      {"resign_threshold", &Options::resign_threshold, 0, 0.5},
      {"resign_played_out", &Options::resign_played_out, 0, 1},
  };
  return options;
}

const std::vector<SelfPlayCountOption>& SelfPlayCountOptions() {
  using Options = SelfPlayOptions;
  static const auto& options = *new std::vector<SelfPlayCountOption>{
      {"games", &Options::games, 1, 65536},
      {"full_visits", &Options::full_visits, 1, 10'000'000},
      {"cheap_visits", &Options::cheap_visits, 1, 10'000'000},
      {"gumbel_sampled_moves", &Options::gumbel_sampled_moves, 1, 10'000},
      {"tree_kbytes", &Options::tree_kbytes, static_cast<int>(kMinTreeBytes / 1024), 1 << 26},
      {"temperature_plies", &Options::temperature_plies, 0, kMany},
      {"max_random_plies", &Options::max_random_plies, 1, 10'000},
      {"max_policy_plies", &Options::max_policy_plies, 1, 10'000},
      {"restart_pool", &Options::restart_pool, 1, 10'000'000},
      {"resign_moves", &Options::resign_moves, 1, 10'000},
      {"resign_min_ply", &Options::resign_min_ply, 0, kMany},
      {"max_plies", &Options::max_plies, 0, kMany},
      {"no_progress_plies", &Options::no_progress_plies, 0, kMany},
      {"no_progress_games", &Options::no_progress_games, 1, kMany},
  };
  return options;
}

absl::Status Validate(const SelfPlayOptions& options) {
  absl::Status status = CheckRanges(SelfPlayRateOptions(), options);
  status.Update(CheckRanges(SelfPlayCountOptions(), options));
  if (!status.ok()) return status;
  const double starts = options.start_random_plies + options.start_policy + options.start_restart +
                        options.start_army + options.start_opening;
  if (starts > 1 + 1e-9) {
    return absl::InvalidArgumentError(
        absl::StrCat("start_random_plies, start_policy, start_restart, start_army and ",
                     "start_opening: expected shares that sum to at most 1, got ", starts));
  }
  if (options.start_opening > 0 && options.openings.empty()) {
    return absl::InvalidArgumentError(
        "openings: expected a file of openings, because start_opening is above 0");
  }
  if (options.cheap_visits > options.full_visits) {
    return absl::InvalidArgumentError(absl::StrCat("cheap_visits: expected at most full_visits (",
                                                   options.full_visits, "), got ",
                                                   options.cheap_visits));
  }
  status.Update(Validate(MakeSearchOptions(options, /*full=*/true, 1)));
  status.Update(Validate(MakeSearchOptions(options, /*full=*/false, 1)));
  return status;
}

SearchOptions MakeSearchOptions(const SelfPlayOptions& options, bool full, uint64_t seed) {
  SearchOptions search;
  search.root_policy = options.root_policy;
  search.puct.c_init = static_cast<float>(options.puct_c);
  search.gumbel.sampled_moves = options.gumbel_sampled_moves;
  search.gumbel.c_visit = static_cast<float>(options.gumbel_c_visit);
  search.gumbel.c_scale = static_cast<float>(options.gumbel_c_scale);
  search.gumbel.noise = full;
  if (full && options.root_policy == RootPolicy::kPuct) {
    search.puct.noise_share = static_cast<float>(options.puct_noise_share);
    search.puct.noise_total = static_cast<float>(options.puct_noise_total);
    search.puct.forced_playouts = static_cast<float>(options.puct_forced_playouts);
  }
  search.draw_score = static_cast<float>(options.draw_score);
  search.max_plies = options.max_plies;
  search.tree_bytes = static_cast<size_t>(options.tree_kbytes) << 10;
  search.seed = seed;
  return search;
}

int64_t SearchVisits(const SelfPlayOptions& options, bool full) {
  return full ? options.full_visits : options.cheap_visits;
}

double TemperatureAt(const SelfPlayOptions& options, int ply) {
  return options.temperature_final + (options.temperature_initial - options.temperature_final) *
                                         std::exp2(-ply / options.temperature_half_life);
}

int NoProgressLimit(const SelfPlayOptions& options, const Rules& rules, uint64_t game) {
  const int first = options.no_progress_plies;
  const int last = rules.game().no_progress_plies;
  const auto games = static_cast<uint64_t>(options.no_progress_games);
  if (first == 0 || game >= games || (last > 0 && first >= last)) return 0;
  // Without a limit in the rules there is nothing to rise to.
  if (last == 0) return first;
  const double share = static_cast<double>(game) / static_cast<double>(games);
  const int limit = first + static_cast<int>(std::floor(share * (last - first)));
  return limit < last ? limit : 0;
}

}  // namespace crossriver
