// Games into a tree of openings.
//
// The rule of what is kept. A game comes to its positions one after the other, to each once however
// often it occurs in it. A position is kept, with its moves, when at least `min_games` games come
// to it along kept positions; a game that comes to another one waits there. So what is kept follows
// from the set of games alone and not from their order, no position below the count takes a row,
// and nothing is lost of a position that passes it later. Moves from `max_ply` on do not count, nor
// do games that began from no opening (MakeOpeningPath).
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_OPENING_BUILDER_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_OPENING_BUILDER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/position.h"
#include "core/rules.h"
#include "selfplay/database.h"
#include "selfplay/openings/opening_counts.h"
#include "selfplay/openings/opening_path.h"
#include "selfplay/openings/opening_settings.h"
#include "selfplay/openings/position_classes.h"
#include "selfplay/record.h"

namespace crossriver {

// Gathers games in memory and writes what came of them in one go. Not synchronised. After an error
// the builder is to be dropped; what was written before stays.
class OpeningBuilder {
 public:
  // Makes the tables (PrepareOpeningTables), so to be called in a transaction. `database` and
  // `classes` must outlive the builder.
  static absl::StatusOr<std::unique_ptr<OpeningBuilder>> Create(Database* database,
                                                                const PositionClasses* classes,
                                                                const OpeningSettings& settings);

  // A game that can't be counted is skipped and counted as such. `opening_plies`: see
  // MakeOpeningPath. Errors: of the database.
  absl::Status Add(const GameRecord& record, int opening_plies = 0);
  // Says up to which game of a run's table the tree goes.
  void SetSequence(int64_t sequence) { state_.sequence = sequence; }
  // Writes what has gathered; to be called in a transaction. Memory is bounded by the games between
  // two calls.
  absl::Status Write();

  const OpeningState& state() const { return state_; }

 private:
  struct Node {
    bool kept = false;
    bool newly_kept = false;
    std::string fen;               // of a newly kept one
    std::vector<int64_t> waiting;  // games, while it is not kept
    size_t num_stored = 0;         // of these, the first
  };
  // Of a row of opening_moves: class, move, checkpoint, ply.
  using MoveKey = std::array<int64_t, 4>;
  // A game that goes on from a position that it waited at.
  struct Awakened {
    int64_t game = 0;
    uint64_t key = 0;
  };

  OpeningBuilder(Database* database, const PositionClasses* classes)
      : database_(database), classes_(*classes), array_(StartPositionOf(*classes)) {}
  static Position StartPositionOf(const PositionClasses& classes);
  absl::Status Prepare(const OpeningSettings& settings);

  absl::StatusOr<Node*> FindNode(uint64_t key);
  absl::StatusOr<OpeningPath> FindPath(int64_t game);
  // Counts a game from its start, or from where it has waited, up to where it waits now.
  absl::Status Advance(int64_t game, const OpeningPath& path, const Awakened* from);
  // At a position that is not kept: the game waits there, and if it was the one that was missing,
  // all go on.
  void Wait(int64_t game, uint64_t key, const Position& position, Node* node);
  void Count(const PositionClass& of, const Position& position, const OpeningPath& path,
             size_t step);

  absl::Status WriteNodes();
  absl::Status WriteMoves();
  absl::Status WritePaths();

  Database* database_;
  const PositionClasses& classes_;
  const Position array_;
  OpeningState state_;
  Statement find_position_;
  Statement find_waiting_;
  Statement find_path_;

  std::unordered_map<uint64_t, Node> nodes_;
  std::map<MoveKey, OpeningCounts> moves_;  // to be added to the rows
  // Of games that wait, as EncodeOpeningPath makes them; empty: of one that has come to its end.
  std::unordered_map<int64_t, std::string> paths_;
  std::vector<Awakened> awakened_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_OPENING_BUILDER_H_
