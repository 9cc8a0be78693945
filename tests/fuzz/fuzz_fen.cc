// FEN and SFEN of every variant: parsing never crashes, what it accepts round-trips and can be
// played.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "tests/fuzz/fuzz_rules.h"

namespace crossriver {
namespace {

void Check(const Position& position) {
  CR_CHECK(position.key() == position.ComputeKey());
  const absl::StatusOr<Position> again = ParseFen(position.rules(), FormatFen(position));
  CR_CHECK_OK(again.status());
  CR_CHECK(*again == position);
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  CR_CHECK(static_cast<int64_t>(moves.size()) == CountLegalMoves(position));
  Position played = position;
  for (const Move move : moves) {
    const UndoRecord undo = played.Do(move);
    CR_CHECK(played.key() == played.ComputeKey());
    played.Undo(move, undo);
    CR_CHECK(played == position);
  }
}

}  // namespace
}  // namespace crossriver

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crossriver;  // NOLINT(google-build-using-namespace): the entry point of a program
  if (size < 1 || size > 1000) return 0;
  const Rules& rules = RulesChosenBy(data[0]);
  const absl::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const absl::StatusOr<Position> fen = ParseFen(rules, text);
  if (fen.ok()) Check(*fen);
  const absl::StatusOr<Position> sfen = ParseSfen(rules, text);
  if (sfen.ok()) Check(*sfen);
  return 0;
}
