// Where the games of a match begin: many different positions that are not decided.
#ifndef CROSSRIVER_SELFPLAY_MATCH_OPENINGS_H_
#define CROSSRIVER_SELFPLAY_MATCH_OPENINGS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/symmetry.h"
#include "core/types.h"
#include "mcts/random.h"
#include "selfplay/opening_judge.h"

namespace crossriver {

// The game goes on after it.
struct MatchOpening {
  Position start;           // the array, or any other position
  std::vector<Move> moves;  // played from it before the players take over

  // After them.
  Position Reached() const;
};

// A file of openings has so many bytes at most.
inline constexpr size_t kMaxOpeningsBytes = size_t{256} << 20;

struct RandomOpeningOptions {
  int plies = 6;  // from the array; fewer in a variant whose random games end before that
  uint64_t seed = 1;
  // Openings are left out whose judged score is further from one half than this. With
  // JudgeByAlphaBeta the default is a lead of about two pieces.
  double max_lead = 0.4;
  OpeningJudge judge = JudgeByMates;
};

// A list of openings no two of which are the same position, also under the symmetries that keep the
// array. It follows from how it was made alone, so a longer match begins with the pairs of a
// shorter one. Not synchronised.
class MatchOpenings {
 public:
  // Uniformly random legal moves, made as they are asked for. `rules` must outlive the openings.
  MatchOpenings(const Rules* rules, RandomOpeningOptions options);
  // Given ones, at least one, in an order that follows from the seed; the first of equal ones.
  MatchOpenings(const Rules* rules, const std::vector<MatchOpening>& given, uint64_t seed);

  // The opening of a pair of games, numbered from 0. When there are no more, they come again from
  // the first.
  MatchOpening ForPair(int64_t pair);

  // How many different ones are in the first `pairs` pairs.
  int64_t Distinct(int64_t pairs);

 private:
  enum class Tried : uint8_t { kTaken, kKnown, kDecided, kOver };

  void Extend();
  Tried TryRandom();
  bool Add(MatchOpening opening, const Position& reached);

  const Rules* rules_;
  const RandomOpeningOptions options_;
  const std::vector<Symmetry> symmetries_;  // that keep the array
  RandomStream random_;
  int plies_;
  bool complete_ = false;
  std::vector<MatchOpening> openings_;
  std::unordered_set<uint64_t> seen_;
};

// The openings of a text, one a line in one of three forms, `start` standing for the array's FEN:
//
//   FEN
//   FEN moves m1 m2 …
//   {"fen": "FEN", "moves": ["m1", "m2", …]}      both optional, other members skipped
//
// Empty lines and those that begin with # are skipped. `name` is the file's, for errors, which name
// the line: what can't be read, illegal moves, a game that is over, a text without an opening.
absl::StatusOr<std::vector<MatchOpening>> ParseMatchOpenings(const Rules& rules,
                                                             absl::string_view text,
                                                             absl::string_view name);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_MATCH_OPENINGS_H_
