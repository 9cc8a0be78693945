// What an engine says of a search, in UCI and in USI.
#ifndef CROSSRIVER_TOOLS_ENGINE_INFO_H_
#define CROSSRIVER_TOOLS_ENGINE_INFO_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/evaluator.h"
#include "core/rules.h"
#include "core/types.h"
#include "mcts/mate_solver.h"
#include "mcts/result.h"
#include "tools/engine_command.h"
#include "tools/game_input.h"

namespace crossriver {

// Of moves: UCI and USI each have their own.
inline Notation NotationOf(Protocol protocol) {
  return protocol == Protocol::kUci ? Notation::kFen : Notation::kSfen;
}

// The advantage in hundredths of a pawn that stands for an expected score s from 0 to 1, a draw
// being half a win:
//
//   400 log10(s / (1 - s)), at most 10000 either way
//
// by the usual reading of a pawn as 100 points of rating (s = 1 / (1 + 10^(-points / 400)), Elo
// 1978). No material is counted: what a piece is worth differs from game to game.
int Centipawns(double expected_score);

// "wdl 512 300 188": of a thousand games of the side to move, rounded so that they are a thousand.
std::string FormatWdl(const Wdl& wdl);

// "score cp 31" or "score mate -3". Mates are counted in moves in UCI and in plies in USI, negative
// where the side to move is mated. A forced result of unknown length is "mate +" in USI, and in
// UCI, which has no word for it, the largest score.
std::string FormatScore(Protocol protocol, const Wdl& wdl, const Proof& proof);

// What stands in all lines of one report.
struct InfoContext {
  Protocol protocol = Protocol::kUci;
  bool show_wdl = false;
  int multi_pv = 1;
  int64_t visits = 0;  // since `go`
  absl::Duration time;
  size_t tree_limit = 0;  // bytes, for the share in use
};

// One line for each of the best `multi_pv` moves that were looked at. `depth` is the length of the
// line shown, because a tree has no depth of its own; `nodes` are visits. Empty where there is
// nothing to tell yet.
std::vector<std::string> FormatInfo(const Rules& rules, const SearchResult& result,
                                    const InfoContext& context);
// Of a mate that the mate solver has found.
std::string FormatMateInfo(const Rules& rules, const MateResult& mate, const InfoContext& context);

// "bestmove b1c3 ponder h10g8". Without a move "bestmove (none)" in UCI, "bestmove resign" in USI.
std::string FormatBestMove(Protocol protocol, const Rules& rules, const SearchResult& result);
std::string FormatBestMove(Protocol protocol, const Rules& rules, const std::vector<Move>& line);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_ENGINE_INFO_H_
