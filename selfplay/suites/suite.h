// Suites: positions of one variant with known best moves, to measure networks and searches by.
#ifndef CROSSRIVER_SELFPLAY_SUITES_SUITE_H_
#define CROSSRIVER_SELFPLAY_SUITES_SUITE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"

namespace crossriver {

enum class SuiteKind : uint8_t {
  kMate,     // the side to move mates; `best` in the least plies
  kCapture,  // one capture wins far more than any other move
};

// "mate", "capture".
absl::string_view ToString(SuiteKind kind);

struct SuitePosition {
  Position position;
  SuiteKind kind = SuiteKind::kMate;
  std::vector<Move> best;  // each of them solves it; at least one
  int plies = 0;           // of kMate: to the mate against the best defence, 1, 3, 5, …
  // Of kCapture: what the worst of `best` wins more than any other move, in pawns: the scale of
  // selfplay/players/piece_values.h.
  double gain = 0;
  int line = 0;  // of the file, from 1; 0 = of none
};

struct Suite {
  std::string name;  // of the file, as messages show it
  std::shared_ptr<const Rules> rules;
  std::vector<SuitePosition> positions;
};

// A suite as text, which is described in configs/suites/README.md: a JSON object a line.
struct SuiteSource {
  std::string name;  // the file, for messages
  std::string text;
};

// Compiles the variant that a suite names; LoadBuiltin or one that knows files as well.
using RulesLoader =
    absl::FunctionRef<absl::StatusOr<std::shared_ptr<const Rules>>(const std::string& variant)>;

// Errors name file, line, field and what was expected. Whether the moves are the best ones is
// another question: see CheckPuzzle.
absl::StatusOr<Suite> ReadSuite(const SuiteSource& source, RulesLoader load);

// One line of a suite with its end. `variant`: an id, or the path of a variant file, by which
// ReadSuite finds the rules again.
std::string FormatSuiteLine(const SuitePosition& position, const std::string& variant);

// The files of configs/suites as compiled into the program, sorted by variant.
struct BuiltinSuite {
  std::string variant;
  SuiteSource source;
};
const std::vector<BuiltinSuite>& BuiltinSuites();

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SUITES_SUITE_H_
