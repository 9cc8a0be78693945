// Values of positions: probabilities, what the rules prove, and one number for both.
#ifndef CROSSRIVER_MCTS_VALUE_H_
#define CROSSRIVER_MCTS_VALUE_H_

#include <algorithm>
#include <cstdint>

#include "core/adjudicator.h"
#include "core/evaluator.h"

namespace crossriver {

// A result by its worth to the side to move.
enum class Worth : uint8_t { kLoss = 0, kDraw = 1, kWin = 2 };

// What is proven of a position: the best play of both sides gives at least `lower` and at most
// `upper` to the side to move. Packed in four bits for the arrays of a node.
struct Bounds {
  Worth lower = Worth::kLoss;
  Worth upper = Worth::kWin;

  static constexpr Bounds Exact(Worth worth) { return {worth, worth}; }
  static constexpr Bounds FromBits(uint32_t bits) {
    return {static_cast<Worth>(bits & 3), static_cast<Worth>(bits >> 2 & 3)};
  }
  constexpr uint32_t bits() const {
    return static_cast<uint32_t>(lower) | static_cast<uint32_t>(upper) << 2;
  }
  constexpr bool exact() const { return lower == upper; }
  constexpr bool open() const { return lower == Worth::kLoss && upper == Worth::kWin; }
  friend constexpr bool operator==(Bounds, Bounds) = default;
};

inline Wdl ExactWdl(Worth worth) {
  return {worth == Worth::kWin ? 1.0F : 0.0F, worth == Worth::kDraw ? 1.0F : 0.0F,
          worth == Worth::kLoss ? 1.0F : 0.0F};
}

inline Worth WorthOf(Result result) {
  return result == Result::kWin    ? Worth::kWin
         : result == Result::kLoss ? Worth::kLoss
                                   : Worth::kDraw;
}

inline Result ResultOf(Bounds bounds) {
  if (!bounds.exact()) return Result::kNone;
  return bounds.lower == Worth::kWin    ? Result::kWin
         : bounds.lower == Worth::kLoss ? Result::kLoss
                                        : Result::kDraw;
}

// From 0 (loss) to 1 (win), for a side to which a draw is worth `draw_score`.
inline float Score(const Wdl& wdl, float draw_score) { return wdl.win + draw_score * wdl.draw; }

inline float Score(Worth worth, float draw_score) {
  return worth == Worth::kWin ? 1.0F : worth == Worth::kLoss ? 0.0F : draw_score;
}

// An estimate cut to what is proven.
inline float Clamp(float score, Bounds bounds, float draw_score) {
  return std::clamp(score, Score(bounds.lower, draw_score), Score(bounds.upper, draw_score));
}

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_VALUE_H_
