// The tables of a tree of openings, in a run's database or one of their own.
//
// They hold nothing that can't be made again from the games: a tree of another version, of other
// rules or settings is dropped and built anew. Programs that do not know them leave them alone, so
// they are no part of a run's schema version.
//
//   opening_state      names and numbers: version, settings, games so far
//   opening_positions  the positions of the tree: key of the class, FEN of its image
//   opening_moves      by class, move, checkpoint and ply: what was counted
//   opening_waiting    positions that too few games came to, and these games
//   opening_paths      the beginnings of the games that wait somewhere
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_OPENING_SCHEMA_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_OPENING_SCHEMA_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/database.h"
#include "selfplay/openings/opening_settings.h"

namespace crossriver {

// Makes empty tables where there are none, or none that this program and these settings can go on
// with. Both to be called in a transaction.
absl::Status PrepareOpeningTables(const Rules& rules, const OpeningSettings& settings,
                                  Database* database);
absl::Status WriteOpeningState(const OpeningState& state, Database* database);

// NotFound where there are no tables, FailedPrecondition where they are of other rules or of
// another version.
absl::StatusOr<OpeningState> ReadOpeningState(const Rules& rules, Database* database);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_OPENING_SCHEMA_H_
