// What a user interface may set: the options that the engine declares, with their types and ranges.
#ifndef CROSSRIVER_TOOLS_ENGINE_OPTIONS_H_
#define CROSSRIVER_TOOLS_ENGINE_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/engine_command.h"
#include "tools/evaluator_choice.h"

namespace crossriver {

struct EngineOptions {
  std::string variant;       // a name of VariantNames
  std::string variant_file;  // instead of it, until a variant is named; empty = none
  EvaluatorFlags evaluator;
  int threads = 1;
  int batch = 0;      // positions a thread asks of the evaluator at once; 0 = what suits it
  int hash_mb = 256;  // the tree, at most
  int multi_pv = 1;   // lines to report
  bool show_wdl = false;
  bool ponder = false;        // the user interface may ponder; changes nothing here
  int move_overhead_ms = 30;  // lost between us and the clock with every move
  int mate_nodes = 20'000;    // positions to look for a forced win in before the search; 0 = none
  int draw_score = 50;        // percent of a win that a draw is worth to us

  friend bool operator==(const EngineOptions&, const EngineOptions&) = default;
};

// What has to be made anew after a change.
enum class Affects : uint8_t {
  kNothing,
  kSearch,     // the tree
  kEvaluator,  // and what judges positions
  kVariant,    // and the rules
};

// "option name Threads type spin default 1 min 1 max 64", one for each option; the defaults are the
// values of `options`. USI has its own names for some.
std::vector<std::string> DeclareOptions(Protocol protocol, const EngineOptions& options,
                                        const std::vector<std::string>& variants);

// Sets an option by its name. Case, blanks, and the prefixes UCI_ and USI_ don't matter, so that
// "Move Overhead" and "Hash" are understood in both protocols. Variants are not checked here. The
// error says what was expected and leaves `options` as they were.
absl::StatusOr<Affects> SetOption(Protocol protocol, const OptionSetting& setting,
                                  EngineOptions* options);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_ENGINE_OPTIONS_H_
