// Games from outside, as records.
//
// Two forms are read, told apart by how the text begins:
//
//  - PGN-like: headers ([FEN "…"], [Result "1-0"], [Variant "…"]; others are skipped) and numbered
//    moves in the notation of core/notation.h. Comments, variations, glyphs and check marks are
//    skipped.
//  - One game a line: "e2e4 …", "startpos moves e2e4 …" or "fen FEN moves e2e4 …", each with a
//    result ("1-0", "0-1", "1/2-1/2", "*") behind it or not. Empty lines and those beginning with #
//    are skipped.
//
// Imported games have ids from kFirstImportedId on, apart from those that the run has played, whose
// numbering they do not disturb.
#ifndef CROSSRIVER_SELFPLAY_GAME_IMPORT_H_
#define CROSSRIVER_SELFPLAY_GAME_IMPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/rules.h"
#include "selfplay/record.h"

namespace crossriver {

struct ImportOptions {
  // Of the first good game; the others follow. A run with imported games goes on from
  // RunReader::NextImportedId.
  uint64_t first_id = kFirstImportedId;
};

struct ImportReport {
  int imported = 0;
  int skipped = 0;
  // One for each bad game: "game 3: line 12: …".
  std::vector<std::string> messages;
};

// Takes one game; an error ends the import.
using GameTaker = absl::FunctionRef<absl::Status(const GameRecord& record)>;

// Bad games are skipped and named. Results are the rules' where a game is over; otherwise a stated
// win is a resignation, a stated draw an agreed one, and a game without a result a truncated one.
// Errors: only the taker's.
absl::StatusOr<ImportReport> ImportGames(const Rules& rules, absl::string_view text,
                                         const ImportOptions& options, GameTaker take);
// The same of several variants. Games that do not say which they are of are of the first.
absl::StatusOr<ImportReport> ImportGames(const std::vector<const Rules*>& variants,
                                         absl::string_view text, const ImportOptions& options,
                                         GameTaker take);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_GAME_IMPORT_H_
