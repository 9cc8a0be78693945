// Where `openings` and `book` take games from.
#ifndef CROSSRIVER_TOOLS_OPENINGS_SOURCE_H_
#define CROSSRIVER_TOOLS_OPENINGS_SOURCE_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"
#include "selfplay/database.h"
#include "selfplay/openings/opening_settings.h"
#include "selfplay/openings/opening_tree.h"

namespace crossriver {

struct OpeningSourceFlags {
  std::string source;   // a run, a match's file, a file of games
  std::string variant;  // of a file of games
  int max_ply = 0;      // 0: as the tree is, or the default
  int min_games = 0;    // likewise
};

void AddOpeningSourceFlags(CLI::App* command, OpeningSourceFlags* flags);

// A tree of openings of all games there are.
struct OpenedOpenings {
  std::shared_ptr<const Rules> rules;
  std::unique_ptr<Database> memory;  // where the tree is not in the source itself
  std::unique_ptr<OpeningTree> tree;
  OpeningState state;
  int64_t duplicates = 0;             // games with the start and moves of another
  std::vector<std::string> messages;  // for the user
};

// A run that nobody trains just now has its tree brought up to date first. One that is in use, or
// can't be written, is read: its tree as it is, with a message of how many games are newer; without
// one, a tree in memory. Long work shows its progress and can be interrupted.
absl::StatusOr<OpenedOpenings> OpenOpenings(const OpeningSourceFlags& flags);

// The flag --checkpoints: "A..B", "A..", "..B" or "A".
absl::StatusOr<CheckpointRange> ParseCheckpoints(const std::string& text);

// A position by text: "FEN", "FEN moves m1 m2 …" or moves from the array alone.
struct OpeningPlace {
  Position start;
  std::vector<Move> moves;
  Position position;
};
absl::StatusOr<OpeningPlace> ParseOpeningPlace(const Rules& rules, absl::string_view text);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_OPENINGS_SOURCE_H_
