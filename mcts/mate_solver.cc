#include "mcts/mate_solver.h"

#include <algorithm>

#include "core/adjudicator.h"
#include "core/check.h"
#include "core/fingerprint.h"
#include "core/movegen.h"

namespace crossriver {
namespace {

using Numbers = MateTable::Numbers;
constexpr uint32_t kInfinity = MateTable::kInfinity;

uint32_t Add(uint32_t a, uint32_t b) { return std::min(a + b, kInfinity); }

// The numbers as the side to move sees them: the attacker proves by one move and is refuted by all,
// the defender the other way round. With them both sides are searched alike.
struct View {
  bool attacking;
  uint32_t Own(Numbers n) const { return attacking ? n.proof : n.disproof; }
  uint32_t Other(Numbers n) const { return attacking ? n.disproof : n.proof; }
  Numbers Make(uint32_t own, uint32_t other) const {
    return attacking ? Numbers{own, other} : Numbers{other, own};
  }
};

// One search, with the path it is on.
class MateSearch {
 public:
  MateSearch(const MateOptions& options, MateTable* table, const Position& position,
             const History& history, absl::FunctionRef<bool()> stopped)
      : options_(options),
        table_(*table),
        position_(position),
        history_(history),
        stopped_(stopped) {}

  MateResult Run();

 private:
  struct Child {
    Move move;
    uint64_t key = 0;
    Numbers numbers;
    bool depends_on_path = false;
  };
  struct Ply {
    Move move;
    UndoRecord undo;
  };

  // Searches the present position with `plies` left until its numbers reach the thresholds.
  // `depends_on_path` is set to whether they rest on the path.
  Numbers Search(int plies, Numbers thresholds, bool* depends_on_path);
  std::vector<Child> Expand(int plies, bool attacking);
  Child Try(Move move, int plies, bool attacking);
  void Play(Move move);
  void TakeBack();
  bool Stopped() {
    ended_ = ended_ || nodes_ >= options_.max_nodes || stopped_();
    return ended_;
  }
  uint64_t KeyOf(int plies) const;
  int ExactPlies(int most);
  std::vector<Move> Line(int plies);

  const MateOptions& options_;
  MateTable& table_;
  Position position_;
  History history_;
  absl::FunctionRef<bool()> stopped_;
  bool ended_ = false;
  std::vector<Ply> path_;
  int64_t nodes_ = 0;
};

MateResult MateSearch::Run() {
  MateResult result;
  const Outcome outcome = Adjudicate(position_, history_, HasLegalMove(position_));
  const int max_plies = outcome.is_over() ? 0 : options_.max_plies;
  for (int plies = 1; plies <= max_plies; plies += 2) {
    bool depends_on_path = false;
    const Numbers numbers = Search(plies, {kInfinity, kInfinity}, &depends_on_path);
    result.nodes = nodes_;
    if (numbers.proven()) {
      result.answer = MateResult::Answer::kMate;
      result.plies = plies;
      result.line = Line(plies);
      return result;
    }
    if (!numbers.disproven()) return result;
    result.searched_plies = plies;
  }
  result.answer = MateResult::Answer::kNoMate;
  return result;
}

void MateSearch::Play(Move move) {
  const UndoRecord undo = position_.Do(move);
  history_.Push(position_, undo);
  path_.push_back({move, undo});
}

void MateSearch::TakeBack() {
  history_.Pop();
  position_.Undo(path_.back().move, path_.back().undo);
  path_.pop_back();
}

// The no-progress count is part of the state only where it can matter.
uint64_t MateSearch::KeyOf(int plies) const {
  const int limit = position_.rules().game().no_progress_plies;
  if (limit == 0 || position_.no_progress() + plies < limit) return position_.key();
  return position_.key() ^ KeySequence(static_cast<uint64_t>(position_.no_progress())).Next();
}

// What is known of a move before it is searched; `plies` are left after it.
MateSearch::Child MateSearch::Try(Move move, int plies, bool attacking) {
  Child child{move, 0, {}, false};
  Play(move);
  child.key = KeyOf(plies);
  const int64_t replies = CountLegalMoves(position_);
  const Outcome outcome = Adjudicate(position_, history_, replies > 0);
  // After the attacker's move the side to move is the defender.
  if (outcome.is_over()) {
    const Result wanted = attacking ? Result::kLoss : Result::kWin;
    const bool wins = replies == 0 && outcome.result == wanted;
    child.numbers = wins ? MateTable::kProven : MateTable::kDisproven;
    child.depends_on_path = outcome.depends_on_path();
  } else if (plies == 0) {
    child.numbers = MateTable::kDisproven;
  } else {
    // Few replies are easier to refute one by one.
    const auto count = static_cast<uint32_t>(replies);
    child.numbers =
        table_.Find(child.key, plies, attacking ? Numbers{count, 1} : Numbers{1, count});
  }
  TakeBack();
  return child;
}

std::vector<MateSearch::Child> MateSearch::Expand(int plies, bool attacking) {
  ++nodes_;
  std::vector<Move> moves;
  GenerateLegalMoves(position_, &moves);
  std::vector<Child> children;
  children.reserve(moves.size());
  for (const Move move : moves) {
    if (attacking && options_.checks_only) {
      Play(move);
      const bool checks = history_.in_check();
      TakeBack();
      if (!checks) continue;
    }
    children.push_back(Try(move, plies - 1, attacking));
  }
  return children;
}

Numbers MateSearch::Search(int plies, Numbers thresholds, bool* depends_on_path) {
  const View view{path_.size() % 2 == 0};
  const uint64_t key = KeyOf(plies);
  std::vector<Child> children = Expand(plies, view.attacking);
  for (;;) {
    // One child decides the side to move's way, all together the other's.
    uint32_t own = kInfinity;
    uint32_t second = kInfinity;
    uint32_t other = 0;
    Child* best = nullptr;
    for (Child& child : children) {
      const uint32_t number = view.Own(child.numbers);
      if (best == nullptr || number < own) {
        second = own;
        own = number;
        best = &child;
      } else {
        second = std::min(second, number);
      }
      other = Add(other, view.Other(child.numbers));
    }
    const Numbers numbers = view.Make(own, other);
    if (numbers.solved()) {
      // Decided by one child, or by all of them.
      *depends_on_path =
          own == 0 ? best->depends_on_path
                   : std::any_of(children.begin(), children.end(),
                                 [](const Child& child) { return child.depends_on_path; });
      if (!*depends_on_path) table_.Store(key, plies, numbers);
      return numbers;
    }
    if (own >= view.Own(thresholds) || other >= view.Other(thresholds) || Stopped()) {
      table_.Store(key, plies, numbers);
      return numbers;
    }
    // On until the best child is no longer best, or this position's thresholds are reached.
    const uint32_t own_limit = std::min(view.Own(thresholds), Add(second, 1 + second / 4));
    const uint32_t other_limit = view.Other(thresholds) - other + view.Other(best->numbers);
    Play(best->move);
    best->numbers = Search(plies - 1, view.Make(own_limit, std::min(other_limit, kInfinity)),
                           &best->depends_on_path);
    TakeBack();
  }
}

// The least number of plies in which the present position is won. It is known to be won in `most`,
// which is the answer where the search does not get to its end. What the table knows makes it
// short.
int MateSearch::ExactPlies(int most) {
  for (int plies = most % 2; plies < most; plies += 2) {
    bool depends_on_path = false;
    const Numbers numbers = Search(plies, {kInfinity, kInfinity}, &depends_on_path);
    if (numbers.proven()) return plies;
    if (!numbers.solved()) break;
  }
  return most;
}

// Follows what has been proven. The defender replies what holds out longest.
std::vector<Move> MateSearch::Line(int plies) {
  std::vector<Move> line;
  for (bool attacking = true; plies > 0; attacking = !attacking) {
    int best_plies = -1;
    Move best;
    for (const Child& child : Expand(plies, attacking)) {
      if (!child.numbers.proven()) continue;
      Play(child.move);
      const int exact = HasLegalMove(position_) ? ExactPlies(plies - 1) : 0;
      TakeBack();
      if (best_plies < 0 || (attacking ? exact < best_plies : exact > best_plies)) {
        best_plies = exact;
        best = child.move;
      }
    }
    if (best_plies < 0) break;
    plies = best_plies;
    line.push_back(best);
    Play(best);
  }
  while (!path_.empty()) TakeBack();
  return line;
}

}  // namespace

MateResult MateSolver::Solve(const Position& position, const History& history,
                             absl::FunctionRef<bool()> stopped) {
  table_.Clear();
  return MateSearch(options_, &table_, position, history, stopped).Run();
}

}  // namespace crossriver
