// A variant compiled for play: kinds, move tables, hash keys.
#ifndef CROSSRIVER_CORE_RULES_H_
#define CROSSRIVER_CORE_RULES_H_

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/move_tables.h"
#include "core/types.h"
#include "core/variant.h"

namespace crossriver {

// A kind of the compiled variant. A pending form (a piece that was dropped beyond the river and is
// promoted at its next move) is a kind of its own.
struct KindInfo {
  std::string id;          // "point", "pending_point"
  std::string name;        // "Point", "pending Point"
  std::string letter;      // in FEN for the first player: "P", "+P", "*P"
  Kind base = kNoKind;     // itself, or the kind this is the pending form of
  Kind pending = kNoKind;  // its pending form
  Kind hand_form = kNoKind;
  bool in_hand = false;  // may be held in hand and dropped
  bool royal = false;
  bool resets_progress = false;
  int max_per_file = 0;
  bool drop_mate = true;

  bool is_pending(Kind self) const { return base != self; }
};

// Immutable, shared by all positions of the variant, safe to use from many threads.
class Rules {
 public:
  // Pieces of one kind in one hand. No position of a variant with drops is accepted that has more
  // pieces in all, on the board and in hand, and no move adds one.
  static constexpr int kMaxHand = 127;

  // Errors: what only the tables show (two ways from one cell to another of which one displaces, a
  // promotion onto a cell the promoted piece may not stand on, too many kinds).
  static absl::StatusOr<std::shared_ptr<const Rules>> Compile(VariantDefinition definition);

  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  const VariantDefinition& definition() const { return definition_; }
  const GameRules& game() const { return definition_.rules; }
  const Topology& topology() const { return definition_.topology; }
  int num_cells() const { return num_cells_; }
  const RayTables& rays() const { return rays_; }

  int num_kinds() const { return static_cast<int>(kinds_.size()); }
  const KindInfo& kind(Kind kind) const { return kinds_[static_cast<size_t>(kind)]; }
  const KindTables& tables(Kind kind, Side side) const {
    return tables_[static_cast<size_t>(MakePiece(kind, side))];
  }
  Kind royal_kind() const { return royal_kind_; }
  // The kinds that may be in hand, in order of kind; empty in a variant without drops.
  const std::vector<Kind>& hand_kinds() const { return hand_kinds_; }
  bool has_drops() const { return !hand_kinds_.empty(); }
  bool has_hoppers() const { return has_hoppers_; }
  // The columns of the board, for limits a file.
  const std::vector<SquareSet>& columns() const { return columns_; }
  SquareSet pending_zone(Side side) const { return ForSide(definition_.rules.pending_zone, side); }
  // A set given for the first player, as the same set of `side`.
  SquareSet ForSide(SquareSet set, Side side) const {
    return side == Side::kFirst ? set : topology().MirrorRank(set);
  }

  // Hash keys (Zobrist). The same for the same definition on every machine.
  uint64_t piece_key(Piece piece, Cell cell) const {
    return piece_keys_[static_cast<size_t>(piece * num_cells_ + cell)];
  }
  uint64_t hand_key(Side side, Kind kind, int count) const {
    return hand_keys_[static_cast<size_t>(MakePiece(kind, side) * (kMaxHand + 1) + count)];
  }
  uint64_t side_key() const { return side_key_; }

  // A fingerprint of the rules: equal for definitions that play alike with pieces and cells of the
  // same names, whatever the variant is called and where it starts. It marks the training data and
  // networks made under them.
  uint64_t hash() const { return hash_; }

 private:
  friend class RulesBuilder;
  explicit Rules(VariantDefinition definition) : definition_(std::move(definition)) {}

  VariantDefinition definition_;
  int num_cells_ = 0;
  std::vector<KindInfo> kinds_;
  std::vector<KindTables> tables_;  // by piece code
  RayTables rays_;
  Kind royal_kind_ = kNoKind;
  std::vector<Kind> hand_kinds_;
  bool has_hoppers_ = false;
  std::vector<SquareSet> columns_;
  std::vector<uint64_t> piece_keys_;
  std::vector<uint64_t> hand_keys_;
  uint64_t side_key_ = 0;
  uint64_t hash_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_RULES_H_
