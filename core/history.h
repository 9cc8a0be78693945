// What a position alone does not know: which positions came before it and who gave check.
#ifndef CROSSRIVER_CORE_HISTORY_H_
#define CROSSRIVER_CORE_HISTORY_H_

#include <cstdint>
#include <vector>

#include "core/position.h"

namespace crossriver {

// The positions of a game from its start to now. Push after every Position::Do, Pop after every
// Undo. Not synchronised; copying costs 16 bytes a ply.
class History {
 public:
  // A game that starts from `start`, which counts as the first occurrence.
  explicit History(const Position& start);

  void Push(const Position& position, const UndoRecord& undo);
  void Pop();

  // Plies played since the start.
  int plies() const { return static_cast<int>(entries_.size()) - 1; }
  // How often the present position has occurred, now included; at least 1.
  int Occurrences() const;
  // The ply (0 = the start) of its first occurrence; plies() where it is new.
  int FirstOccurrence() const;
  // Whether every move of the side to move (of the other side) after ply `since` gave check;
  // false where that side made none.
  bool MoverCheckedSince(int since) const { return CheckedSince(since, plies() - 1); }
  bool OpponentCheckedSince(int since) const { return CheckedSince(since, plies()); }
  // Whether the side to move is in check.
  bool in_check() const { return entries_.back().in_check; }

 private:
  struct Entry {
    uint64_t key;
    int32_t reversible_since;  // no position before this ply can come again
    bool in_check;             // the side to move
  };

  // The moves that led to plies `last`, `last` - 2, … down to `since`, exclusive.
  bool CheckedSince(int since, int last) const;

  std::vector<Entry> entries_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_HISTORY_H_
