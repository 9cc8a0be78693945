#include "mcts/options.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

absl::Status Expected(absl::string_view field, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("search option '", field, "': expected ", what));
}

bool IsShare(float value) { return value >= 0 && value <= 1; }
bool IsPositive(float value) { return std::isfinite(value) && value > 0; }
bool IsNotNegative(float value) { return std::isfinite(value) && value >= 0; }

absl::Status ValidatePuct(const PuctOptions& puct) {
  if (!IsPositive(puct.c_init)) return Expected("c_init", "a positive number");
  if (!IsNotNegative(puct.c_factor)) return Expected("c_factor", "a number of at least 0");
  if (!IsPositive(puct.c_base)) return Expected("c_base", "a positive number");
  if (!IsNotNegative(puct.fpu_reduction)) return Expected("fpu_reduction", "at least 0");
  if (!IsShare(puct.noise_share)) return Expected("noise_share", "a number from 0 to 1");
  if (!IsPositive(puct.noise_total)) return Expected("noise_total", "a positive number");
  if (!IsNotNegative(puct.forced_playouts)) return Expected("forced_playouts", "at least 0");
  return absl::OkStatus();
}

}  // namespace

absl::Status Validate(const SearchOptions& options) {
  if (absl::Status status = ValidatePuct(options.puct); !status.ok()) return status;
  if (options.gumbel.sampled_moves < 1) return Expected("sampled_moves", "at least 1");
  if (!IsNotNegative(options.gumbel.c_visit)) return Expected("c_visit", "at least 0");
  if (!IsPositive(options.gumbel.c_scale)) return Expected("c_scale", "a positive number");
  if (options.root_policy == RootPolicy::kGumbel && options.puct.forced_playouts > 0) {
    return Expected("forced_playouts", "0 with the Gumbel policy");
  }
  if (options.root_policy == RootPolicy::kGumbel && options.puct.noise_share > 0) {
    return Expected("noise_share", "0 with the Gumbel policy");
  }
  if (!IsNotNegative(options.lcb_deviations)) return Expected("lcb_deviations", "at least 0");
  if (!IsShare(options.lcb_min_share)) return Expected("lcb_min_share", "a number from 0 to 1");
  if (!IsShare(options.draw_score)) return Expected("draw_score", "a number from 0 to 1");
  if (options.max_plies < 0) return Expected("max_plies", "at least 0");
  if (options.tree_bytes < kMinTreeBytes) {
    return Expected("tree_bytes", absl::StrCat("at least ", kMinTreeBytes));
  }
  return absl::OkStatus();
}

absl::Status Validate(const SearchLimits& limits, const SearchOptions& options) {
  if (limits.visits < 0) return Expected("visits", "at least 0");
  if (limits.nodes < 1) return Expected("nodes", "at least 1");
  if (limits.time <= absl::ZeroDuration()) return Expected("time", "a positive duration");
  if (!(limits.min_kl_gain >= 0)) return Expected("min_kl_gain", "at least 0");
  if (limits.kl_interval < 1) return Expected("kl_interval", "at least 1");
  if (options.root_policy != RootPolicy::kGumbel) return absl::OkStatus();
  // Sequential halving spreads a known number of visits over its rounds.
  if (limits.visits == kNoLimit) return Expected("visits", "a limit, with the Gumbel policy");
  if (limits.stop_when_clear) return Expected("stop_when_clear", "false with the Gumbel policy");
  if (limits.min_kl_gain > 0) return Expected("min_kl_gain", "0 with the Gumbel policy");
  return absl::OkStatus();
}

}  // namespace crossriver
