// What must hold of every position, and a comparison with the slow rules.
#ifndef CROSSRIVER_TESTS_POSITION_CHECKS_H_
#define CROSSRIVER_TESTS_POSITION_CHECKS_H_

#include <bitset>
#include <string>
#include <vector>

#include "core/action_space.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"
#include "tests/random_positions.h"

namespace crossriver::testing {

// Each check fails the running test where it finds something wrong. `moves` is the list that
// GenerateLegalMoves gives for the position.
class PositionChecker {
 public:
  // `rules` must outlive the checker.
  explicit PositionChecker(const Rules* rules);

  // The key, and everything that a position keeps beside its board and hands.
  void CheckState(const Position& position) const;
  // The list: no move twice, as many as counted; each with an action of its own.
  void CheckMoves(const Position& position, const std::vector<Move>& moves);
  // FEN round trip; returns the text.
  std::string CheckFen(const Position& position) const;

  // The others are slow, for samples. Move texts, and SFEN where the variant has it:
  void CheckTexts(const Position& position, const std::vector<Move>& moves, Random* random) const;
  // IsLegal, asked about moves that are and moves that are not.
  void CheckIsLegal(const Position& position, const std::vector<Move>& moves, Random* random);
  // Legal moves, check, and the position after every move.
  void CheckAgainstSlow(const Position& position, const std::vector<Move>& moves) const;

 private:
  void CheckSfen(const Position& position) const;

  const Rules* rules_;
  ActionSpace actions_;
  std::vector<bool> seen_actions_;
  std::bitset<65536> seen_moves_;
};

// A line for failure messages, from which the position can be set up again.
std::string Describe(const Position& position);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_POSITION_CHECKS_H_
