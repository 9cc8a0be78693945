// Move text: a game of parsed moves from the start position. Each byte either chooses a legal move
// or starts a word that is parsed as move text; both notations.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "tests/fuzz/fuzz_rules.h"

namespace crossriver {
namespace {

// A move text parsed on any position gives a legal move that is spelt so, or an error.
void ParseAnything(const Position& position, absl::string_view text) {
  const absl::StatusOr<Move> move = ParseMove(position, text);
  if (move.ok()) CR_CHECK(absl::string_view(FormatMove(position.rules(), *move)) == text);
  const absl::StatusOr<Move> usi = ParseUsiMove(position, text);
  if (usi.ok()) CR_CHECK(absl::string_view(FormatUsiMove(position.rules(), *usi)) == text);
}

}  // namespace
}  // namespace crossriver

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crossriver;  // NOLINT(google-build-using-namespace): the entry point of a program
  if (size < 1 || size > 400) return 0;
  const Rules& rules = RulesChosenBy(data[0]);
  Position position = StartPosition(rules);
  std::vector<Move> moves;
  for (size_t i = 1; i < size; ++i) {
    if (data[i] >= 'A' && data[i] <= 'z') {
      const size_t length = std::min<size_t>(size - i, 6);
      ParseAnything(position, {reinterpret_cast<const char*>(data) + i, length});
      i += length - 1;
      continue;
    }
    GenerateLegalMoves(position, &moves);
    if (moves.empty()) return 0;
    const Move move = moves[data[i] * moves.size() / 256];
    ParseAnything(position, FormatMove(rules, move));
    position.Do(move);
    CR_CHECK(position.key() == position.ComputeKey());
  }
  return 0;
}
