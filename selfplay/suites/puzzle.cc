#include "selfplay/suites/puzzle.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/suites/material_search.h"
#include "selfplay/suites/mates.h"

namespace crossriver {
namespace {

constexpr double kHundred = 100;  // of PieceValues in a small piece
constexpr double kGainTolerance = 0.1;

// The same piece to the same cell: only whether it promotes may differ.
bool AreAlike(Move a, Move b) {
  if (a.is_drop() || b.is_drop()) return a == b;
  return a.from() == b.from() && a.to() == b.to();
}

bool AreAllAlike(const std::vector<Move>& moves) {
  return std::all_of(moves.begin(), moves.end(),
                     [&moves](Move move) { return AreAlike(move, moves.front()); });
}

absl::Status None(absl::string_view why) { return absl::NotFoundError(why); }

constexpr int64_t kOtherMateNodes = 2'000;  // for each move
// Who mates need not capture.
constexpr int kMateBeside = 7;  // plies
constexpr int64_t kMateBesideNodes = 2'000;

// Whether a move that is not among the `best` mates within `plies`, as far as is easily seen.
bool AnotherMates(const Position& position, const std::vector<Move>& best, int plies) {
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  return std::any_of(moves.begin(), moves.end(), [&](Move move) {
    if (std::find(best.begin(), best.end(), move) != best.end()) return false;
    const absl::StatusOr<bool> mates = ChecksMateWithin(position, move, plies, kOtherMateNodes);
    return mates.ok() && *mates;
  });
}

std::string MovesText(const SuitePosition& puzzle) {
  std::vector<std::string> texts;
  for (const Move move : puzzle.best) {
    texts.push_back(FormatMove(puzzle.position.rules(), move));
  }
  std::sort(texts.begin(), texts.end());
  return absl::StrJoin(texts, " ");
}

std::string NumberText(const SuitePosition& puzzle) {
  return puzzle.kind == SuiteKind::kMate ? absl::StrCat("a mate in ", puzzle.plies, " plies")
                                         : absl::StrFormat("a gain of %.1f", puzzle.gain);
}

}  // namespace

absl::StatusOr<SuitePosition> FindMatePuzzle(const Position& position, int max_plies,
                                             int64_t max_nodes, bool alone) {
  const absl::StatusOr<ShortestMates> mates = FindShortestMates(position, max_plies, max_nodes);
  if (!mates.ok()) return mates.status();
  if (!AreAllAlike(mates->moves)) return None("several moves mate");
  if (alone && AnotherMates(position, mates->moves, mates->plies + 2)) {
    return None("another move mates a little later");
  }
  SuitePosition puzzle{position, SuiteKind::kMate, mates->moves};
  puzzle.plies = mates->plies;
  return puzzle;
}

absl::StatusOr<SuitePosition> FindCapturePuzzle(const Position& position,
                                                const PieceValues& values) {
  MaterialSearch search(&values);
  const int now = search.Material(position);
  SuitePosition puzzle{position, SuiteKind::kCapture, {}};
  for (const int depth : kCaptureDepths) {
    const std::vector<ScoredMove> moves = search.Search(position, depth, /*exact=*/3);
    if (moves.size() < 2) return None("no choice");
    // A capture that promotes or not is one capture.
    const bool twofold = moves.size() > 2 && AreAlike(moves[0].move, moves[1].move) &&
                         moves[0].score - moves[1].score < kLeastGain;
    const int best = twofold ? moves[1].score : moves[0].score;
    const int gain = best - moves[twofold ? 2 : 1].score;
    if (gain < kLeastGain || best - now < kLeastGain) return None("no capture wins much");
    if (best >= MaterialSearch::kMateScore / 2) return None("it mates");
    // Where all else is mate the capture is a defence.
    if (gain >= MaterialSearch::kMateScore / 2) return None("it is forced");
    std::vector<Move> found = {moves[0].move};
    if (twofold) found.push_back(moves[1].move);
    std::sort(found.begin(), found.end());
    if (!puzzle.best.empty() && found != puzzle.best) return None("not the same at all depths");
    puzzle.best = found;
    puzzle.gain = gain / kHundred;
  }
  const Move move = puzzle.best.front();
  const Cell displaced = position.DisplacedCell(move);
  const bool takes =
      !move.is_drop() && (position.piece_at(move.to()) != kNoPiece || (displaced != kNoCell));
  if (!takes) return None("no capture");
  if (HasMateByChecks(position, kMateBeside, kMateBesideNodes)) return None("there is a mate");
  return puzzle;
}

bool IsPlainCapture(const SuitePosition& puzzle, const PieceValues& values) {
  const Position& position = puzzle.position;
  const auto victim = [&](Move move) {
    int gain = 0;
    for (const Cell cell : {move.to(), position.DisplacedCell(move)}) {
      if (move.is_drop() || cell == kNoCell || position.piece_at(cell) == kNoPiece) continue;
      gain += values.capture_gain(KindOf(position.piece_at(cell)));
    }
    return gain;
  };
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  int most = 0;
  for (const Move move : moves) most = std::max(most, victim(move));
  return victim(puzzle.best.front()) == most;
}

absl::Status CheckPuzzle(const SuitePosition& puzzle, const PieceValues& values,
                         int64_t max_nodes) {
  const absl::StatusOr<SuitePosition> found =
      puzzle.kind == SuiteKind::kMate
          ? FindMatePuzzle(puzzle.position, puzzle.plies, max_nodes, /*alone=*/false)
          : FindCapturePuzzle(puzzle.position, values);
  if (!found.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "not ", NumberText(puzzle), " by ", MovesText(puzzle), ": ", found.status().message()));
  }
  const bool same_number =
      puzzle.plies == found->plies &&
      std::abs(puzzle.gain - found->gain) <= kGainTolerance * (1 + std::abs(found->gain));
  if (same_number && MovesText(puzzle) == MovesText(*found)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("it says ", NumberText(puzzle), " by ",
                                                 MovesText(puzzle), ", but there is ",
                                                 NumberText(*found), " by ", MovesText(*found)));
}

}  // namespace crossriver
