// Variant files: reading and compiling never crashes; what is accepted can be played a little.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crossriver;  // NOLINT(google-build-using-namespace): the entry point of a program
  if (size > 20000) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto rules = LoadVariant({"fuzzed", "fuzzed.toml", text}, ResolveBuiltin);
  if (!rules.ok()) {
    CR_CHECK(!rules.status().message().empty());
    return 0;
  }
  Position position = StartPosition(**rules);
  std::vector<Move> moves;
  for (size_t ply = 0; ply < 40; ++ply) {
    GenerateLegalMoves(position, &moves);
    CR_CHECK(static_cast<int64_t>(moves.size()) == CountLegalMoves(position));
    if (moves.empty()) return 0;
    position.Do(moves[(ply * 7919) % moves.size()]);
    CR_CHECK(position.key() == position.ComputeKey());
    const absl::StatusOr<Position> again = ParseFen(**rules, FormatFen(position));
    if (again.ok()) continue;
    // Only a game played on past its end can leave the range of FEN's numbers.
    const absl::string_view what = again.status().message();
    CR_CHECK(absl::StrContains(what, "no-progress") || absl::StrContains(what, "move number"));
  }
  return 0;
}
