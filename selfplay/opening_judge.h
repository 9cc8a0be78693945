// Whether a position is decided, by a shallow look.
#ifndef CROSSRIVER_SELFPLAY_OPENING_JUDGE_H_
#define CROSSRIVER_SELFPLAY_OPENING_JUDGE_H_

#include <functional>
#include <memory>

#include "core/history.h"
#include "core/position.h"
#include "core/rules.h"

namespace crossriver {

// The expected score, from 0 to 1, of the side to move in `position`, which is the last of
// `history`. The game is not over there.
using OpeningJudge = std::function<double(const Position& position, const History& history)>;

// 1 where the side to move has a mate in at most 2 moves, 0 where every move of it lets the other
// side mate at once, else one half.
double JudgeByMates(const Position& position, const History& history);

// The same, and elsewhere what an alpha-beta search of a few hundred positions says: it sees
// material that is about to be lost. Copies share one engine: one thread at a time. The same on
// every machine.
OpeningJudge JudgeByAlphaBeta(std::shared_ptr<const Rules> rules);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENING_JUDGE_H_
