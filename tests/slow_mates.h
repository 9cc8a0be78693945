// Mates by playing out every line, to check the solver by.
#ifndef CROSSRIVER_TESTS_SLOW_MATES_H_
#define CROSSRIVER_TESTS_SLOW_MATES_H_

#include "core/history.h"
#include "core/position.h"

namespace crossriver::testing {

// Whether the attacker, who has the move where `attacking`, mates within `plies`; with
// `checks_only` by moves that give check alone. Nothing is remembered. Both are left as they were.
bool MatesByAllLines(Position* position, History* history, int plies, bool attacking,
                     bool checks_only = false);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SLOW_MATES_H_
