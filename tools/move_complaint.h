// Why a text is no legal move, in plain words.
#ifndef CROSSRIVER_TOOLS_MOVE_COMPLAINT_H_
#define CROSSRIVER_TOOLS_MOVE_COMPLAINT_H_

#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "core/position.h"
#include "core/types.h"

namespace crossriver {

// Of a text that stands for none of the `legal` moves: "the Horse on b1 can't go to c4", "b5 is
// empty", "that would leave your General open to capture", …; with the nearest spelling where the
// text looks like no move.
std::string WhyNoMove(const Position& position, std::span<const Move> legal,
                      absl::string_view text);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_MOVE_COMPLAINT_H_
