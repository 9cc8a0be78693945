#include "core/history.h"

#include "core/attacks.h"

namespace crossriver {

History::History(const Position& start) { entries_.push_back({start.key(), 0, InCheck(start)}); }

void History::Push(const Position& position, const UndoRecord& undo) {
  const auto ply = static_cast<int32_t>(entries_.size());
  const int32_t since = undo.irreversible ? ply : entries_.back().reversible_since;
  entries_.push_back({position.key(), since, InCheck(position)});
}

void History::Pop() {
  CR_CHECK(entries_.size() > 1);
  entries_.pop_back();
}

int History::Occurrences() const {
  const Entry& now = entries_.back();
  int occurrences = 1;
  // The side to move is part of the key; no position can come again within less than four plies.
  for (int ply = plies() - 4; ply >= now.reversible_since; ply -= 2) {
    if (entries_[static_cast<size_t>(ply)].key == now.key) ++occurrences;
  }
  return occurrences;
}

int History::FirstOccurrence() const {
  const Entry& now = entries_.back();
  int first = plies();
  for (int ply = plies() - 4; ply >= now.reversible_since; ply -= 2) {
    if (entries_[static_cast<size_t>(ply)].key == now.key) first = ply;
  }
  return first;
}

bool History::CheckedSince(int since, int last) const {
  bool any = false;
  for (int ply = last; ply > since; ply -= 2) {
    if (!entries_[static_cast<size_t>(ply)].in_check) return false;
    any = true;
  }
  return any;
}

}  // namespace crossriver
