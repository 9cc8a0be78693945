// Helpers shared by tests: compiled variants, files of the source tree.
#ifndef CROSSRIVER_TESTS_TEST_DATA_H_
#define CROSSRIVER_TESTS_TEST_DATA_H_

#include <memory>
#include <string>
#include <vector>

#include "core/position.h"
#include "core/rules.h"

namespace crossriver::testing {

// A built-in variant, compiled once and never destroyed. Aborts on an unknown id. Thread-safe.
const Rules& RulesOf(const std::string& id);
// The same for what shares ownership.
std::shared_ptr<const Rules> SharedRulesOf(const std::string& id);

// "tests/data/x" as a path in the source tree.
std::string SourcePath(const std::string& relative);
// The lines of a text file of the source tree; aborts where there is none.
std::vector<std::string> ReadLines(const std::string& relative);
std::string ReadText(const std::string& relative);

// Sorted move texts of all legal moves.
std::vector<std::string> LegalMoveTexts(const Position& position);

// An integer environment variable, for longer runs of a test than CI's.
int FromEnvironment(const char* name, int otherwise);

// A name that GoogleTest accepts for a parameter: letters and digits.
std::string TestName(std::string id);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_TEST_DATA_H_
