// How a tree of openings is built, and how far it has come.
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_OPENING_SETTINGS_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_OPENING_SETTINGS_H_

#include <cstdint>

namespace crossriver {

// A tree that was built with other settings is built anew.
struct OpeningSettings {
  int max_ply = 40;       // moves from this ply on, counted from the array, are not kept
  int64_t min_games = 4;  // positions that fewer games came to are not kept; at least 1

  friend bool operator==(const OpeningSettings&, const OpeningSettings&) = default;
};

struct OpeningState {
  OpeningSettings settings;
  int64_t games = 0;     // that were looked at
  int64_t skipped = 0;   // of them: of other rules, damaged, or begun from no opening
  int64_t sequence = 0;  // of the newest of them in a run's table of games; 0 elsewhere
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_OPENING_SETTINGS_H_
