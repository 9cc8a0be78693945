#include "selfplay/starts.h"

#include <algorithm>
#include <utility>

#include "core/adjudicator.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/symmetry.h"

namespace crossriver {
namespace {

// How many positions compete where a surprising one is asked for.
constexpr int kCandidates = 8;
// Random armies may be illegal or over at once; some tries, then the array.
constexpr int kArmyTries = 30;
// Of the pieces of a scattered army that leave their place.
constexpr double kScatteredShare = 0.5;

// Tells this stream from others of the same seed.
constexpr uint64_t kPoolStream = 0x706f6f6c;

Cell RandomCell(SquareSet cells, RandomStream* random) {
  for (size_t skip = random->Below(static_cast<size_t>(cells.size())); skip > 0; --skip) {
    cells.PopFirst();
  }
  return cells.First();
}

}  // namespace

std::optional<Position> AsStart(const Position& position) {
  Position fresh = position;
  fresh.SetCounts(0, position.move_number());
  absl::StatusOr<Position> start = ParseFen(position.rules(), FormatFen(fresh));
  if (!start.ok()) return std::nullopt;
  if (Adjudicate(*start, History(*start), HasLegalMove(*start)).is_over()) return std::nullopt;
  return *std::move(start);
}

void StartPool::Add(const Rules& rules, const GameRecord& record) {
  if (record.rules_hash != rules.hash()) return;
  std::vector<size_t> searched;
  for (size_t ply = 0; ply < record.moves.size(); ++ply) {
    if (record.moves[ply].visits > 0) searched.push_back(ply);
  }
  absl::StatusOr<Position> position = ParseFen(rules, record.start_fen);
  if (searched.empty() || !position.ok()) return;
  const size_t surprising =
      *std::max_element(searched.begin(), searched.end(), [&record](size_t a, size_t b) {
        return record.moves[a].surprise < record.moves[b].surprise;
      });
  RandomStream random(record.seed ^ kPoolStream);
  const size_t any = searched[random.Below(searched.size())];
  std::vector<Entry> taken;
  for (size_t ply = 0; ply < record.moves.size(); ++ply) {
    const RecordedMove& move = record.moves[ply];
    if (ply == surprising || ply == any) {
      taken.push_back({FormatFen(*position), move.surprise});
    }
    if (!IsLegal(*position, move.move)) break;
    position->Do(move.move);
  }
  MutexLock lock(&mutex_);
  Ring& ring = rings_[rules.hash()];
  for (Entry& entry : taken) Insert(std::move(entry), &ring);
}

void StartPool::Insert(Entry entry, Ring* ring) const {
  if (ring->entries.size() < capacity_) {
    ring->entries.push_back(std::move(entry));
    return;
  }
  ring->entries[ring->oldest] = std::move(entry);
  ring->oldest = (ring->oldest + 1) % capacity_;
}

std::optional<std::string> StartPool::Draw(const Rules& rules, bool surprising,
                                           RandomStream* random) const {
  MutexLock lock(&mutex_);
  const auto found = rings_.find(rules.hash());
  if (found == rings_.end() || found->second.entries.empty()) return std::nullopt;
  const auto& [entries, oldest] = found->second;
  // By age, so that a pool that was filled anew draws the same.
  const auto draw = [&entries = entries, oldest = oldest, random] {
    return &entries[(oldest + random->Below(entries.size())) % entries.size()];
  };
  const Entry* drawn = draw();
  for (int i = 1; surprising && i < kCandidates; ++i) {
    const Entry* other = draw();
    if (other->surprise > drawn->surprise) drawn = other;
  }
  return drawn->fen;
}

size_t StartPool::size() const {
  MutexLock lock(&mutex_);
  size_t size = 0;
  for (const auto& [hash, ring] : rings_) size += ring.entries.size();
  return size;
}

StartMaker::StartMaker(const Rules* rules, const SelfPlayOptions& options, const StartPool* pool,
                       const std::vector<Position>* openings)
    : rules_(rules),
      options_(options),
      pool_(pool),
      openings_(openings),
      array_(StartPosition(*rules)),
      reach_(ReachableFromStart(*rules)) {}

StartKind StartMaker::DrawKind(RandomStream* random) const {
  const std::pair<StartKind, double> shares[] = {
      {StartKind::kRandomPlies, options_.start_random_plies},
      {StartKind::kPolicy, options_.start_policy},
      {StartKind::kRestart, options_.start_restart},
      {StartKind::kArmy, options_.start_army},
      {StartKind::kOpening, options_.start_opening},
  };
  double at = random->Uniform();
  for (const auto& [kind, share] : shares) {
    if (at < share) return kind;
    at -= share;
  }
  return StartKind::kArray;
}

Start StartMaker::Make(StartKind kind, RandomStream* random) const {
  std::optional<Position> position;
  if (kind == StartKind::kRandomPlies) position = AsStart(AfterRandomPlies(random));
  if (kind == StartKind::kRestart) position = Restart(random);
  if (kind == StartKind::kArmy) position = RandomArmy(random);
  if (kind == StartKind::kOpening) position = Opening(random);
  if (!position.has_value()) return {StartKind::kArray, array_};
  return {kind, *position};
}

// Stops before a move that would end the game.
Position StartMaker::AfterRandomPlies(RandomStream* random) const {
  Position position = array_;
  History history(position);
  std::vector<Move> moves;
  const size_t plies = 1 + random->Below(static_cast<size_t>(options_.max_random_plies));
  for (size_t ply = 0; ply < plies; ++ply) {
    GenerateLegalMoves(position, &moves);
    const Move move = moves[random->Below(moves.size())];
    const UndoRecord undo = position.Do(move);
    history.Push(position, undo);
    if (Adjudicate(position, history, HasLegalMove(position)).is_over()) {
      position.Undo(move, undo);
      break;
    }
  }
  return position;
}

std::optional<Position> StartMaker::Restart(RandomStream* random) const {
  if (pool_ == nullptr) return std::nullopt;
  const bool surprising = random->Uniform() < options_.restart_surprising;
  const std::optional<std::string> fen = pool_->Draw(*rules_, surprising, random);
  if (!fen.has_value()) return std::nullopt;
  const absl::StatusOr<Position> position = ParseFen(*rules_, *fen);
  return position.ok() ? AsStart(*position) : std::nullopt;
}

std::optional<Position> StartMaker::Opening(RandomStream* random) const {
  if (openings_ == nullptr || openings_->empty()) return std::nullopt;
  return AsStart((*openings_)[random->Below(openings_->size())]);
}

std::optional<Position> StartMaker::RandomArmy(RandomStream* random) const {
  for (int i = 0; i < kArmyTries; ++i) {
    const Position position = ThinnedArmy(random);
    // Two royal pieces alone are no game, unless there is something to drop.
    const bool bare = position.occupied().size() <= kNumSides &&
                      position.hand_empty(Side::kFirst) && position.hand_empty(Side::kSecond);
    if (bare) continue;
    if (std::optional<Position> start = AsStart(position); start.has_value()) return start;
  }
  return std::nullopt;
}

// Not always a legal position.
Position StartMaker::ThinnedArmy(RandomStream* random) const {
  double removed[kNumSides];
  for (double& share : removed) share = options_.army_max_removed * random->Uniform();
  const bool scatter = random->Uniform() < options_.army_scattered;
  Position position(rules_);
  std::vector<Cell> scattered;
  for (const Cell cell : array_.occupied()) {
    const Piece piece = array_.piece_at(cell);
    const bool royal = rules_->kind(KindOf(piece)).royal;
    if (!royal && random->Uniform() < removed[Index(SideOf(piece))]) continue;
    if (scatter && random->Uniform() < kScatteredShare) {
      scattered.push_back(cell);
    } else {
      position.Put(piece, cell);
    }
  }
  for (const Cell cell : scattered) {
    const Piece piece = array_.piece_at(cell);
    const SquareSet free = reach_[piece] - position.occupied();
    // Its own place is always among those it reaches, but may be taken by now.
    if (!free.empty()) {
      position.Put(piece, RandomCell(free, random));
    } else if (rules_->kind(KindOf(piece)).royal) {
      return array_;
    }
  }
  for (const Side side : kSides) {
    for (const Kind kind : rules_->hand_kinds()) {
      position.SetHand(side, kind, array_.hand(side, kind));
    }
  }
  position.SetSideToMove(random->Uniform() < 0.5 ? Side::kFirst : Side::kSecond);
  return position;
}

}  // namespace crossriver
