#include "selfplay/openings/opening_path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/bytes.h"
#include "selfplay/openings/opening_counts.h"

namespace crossriver {
namespace {

enum StepFlag : uint8_t { kHasValue = 1, kHasSearch = 2, kOtherNetwork = 4 };
constexpr size_t kLeastStepBytes = 3;
constexpr uint64_t kMaxFirst = 1 << 20;

// As a record rounds it when it is stored.
int64_t Quantised(float probability) {
  const float bounded = probability > 0 ? std::min(probability, 1.0F) : 0.0F;
  return std::lround(bounded * static_cast<float>(kOpinionUnit));
}

bool HasOpinion(const Wdl& wdl) { return wdl.win > 0 || wdl.draw > 0 || wdl.loss > 0; }

int64_t ScoreOfWdl(const Wdl& wdl) { return 2 * Quantised(wdl.win) + Quantised(wdl.draw); }

OpeningStep StepOf(const RecordedMove& move) {
  OpeningStep step;
  step.move = move.move;
  step.checkpoint = move.checkpoint;
  if (move.checkpoint != kNoCheckpoint && HasOpinion(move.raw)) step.value = ScoreOfWdl(move.raw);
  if (move.visits > 0 && HasOpinion(move.root)) {
    step.search_value = ScoreOfWdl(move.root);
    step.visits = move.visits;
  }
  return step;
}

bool IsOpening(StartKind kind) { return kind != StartKind::kRestart && kind != StartKind::kArmy; }

}  // namespace

int PlyOf(const Position& position, const Position& array) {
  const auto plies = [](const Position& at) {
    return 2 * at.move_number() + Index(at.side_to_move());
  };
  return std::max(0, plies(position) - plies(array));
}

absl::StatusOr<OpeningPath> MakeOpeningPath(const Rules& rules, const GameRecord& record,
                                            int opening_plies, int max_ply) {
  if (record.rules_hash != rules.hash()) {
    return absl::InvalidArgumentError("played under other rules than the variant's");
  }
  if (!IsOpening(record.start_kind)) {
    return absl::InvalidArgumentError("did not begin from an opening");
  }
  const absl::StatusOr<Position> start = ParseFen(rules, record.start_fen);
  if (!start.ok()) return start.status();
  const Position array = StartPosition(rules);
  OpeningPath path;
  if (!(*start == array)) path.start_fen = record.start_fen;
  path.first = std::max(0, opening_plies);
  path.result = record.result;
  const int most = std::max(0, max_ply - PlyOf(*start, array));
  for (const RecordedMove& move : record.moves) {
    if (path.steps.size() == static_cast<size_t>(most)) break;
    path.steps.push_back(StepOf(move));
  }
  return path;
}

std::string EncodeOpeningPath(const OpeningPath& path) {
  ByteWriter out;
  out.Text(path.start_fen);
  out.Varint(static_cast<uint64_t>(path.first));
  out.Byte(static_cast<uint8_t>(path.result));
  out.Varint(path.steps.size());
  int64_t checkpoint = kNoCheckpoint;
  for (const OpeningStep& step : path.steps) {
    int flags = 0;
    if (step.value) flags |= kHasValue;
    if (step.search_value) flags |= kHasSearch;
    if (step.checkpoint != checkpoint) flags |= kOtherNetwork;
    out.Byte(static_cast<uint8_t>(flags));
    out.Fixed16(step.move.raw());
    if (step.value) out.Varint(static_cast<uint64_t>(*step.value));
    if (step.search_value) {
      out.Varint(static_cast<uint64_t>(*step.search_value));
      out.Varint(static_cast<uint64_t>(step.visits));
    }
    if (flags & kOtherNetwork) out.Signed(step.checkpoint);
    checkpoint = step.checkpoint;
  }
  return out.Take();
}

absl::StatusOr<OpeningPath> DecodeOpeningPath(absl::string_view bytes) {
  ByteReader in(bytes);
  OpeningPath path;
  path.start_fen = std::string(in.Text());
  path.first = static_cast<int>(in.VarintUpTo(kMaxFirst));
  const uint8_t result = in.Byte();
  path.result = static_cast<Result>(result);
  const uint64_t steps = in.VarintUpTo(in.left() / kLeastStepBytes);
  int64_t checkpoint = kNoCheckpoint;
  for (uint64_t i = 0; i < steps && in.ok(); ++i) {
    OpeningStep step;
    const uint8_t flags = in.Byte();
    step.move = Move::FromRaw(in.Fixed16());
    if (flags & kHasValue) step.value = static_cast<int64_t>(in.VarintUpTo(kOpinionScale));
    if (flags & kHasSearch) {
      step.search_value = static_cast<int64_t>(in.VarintUpTo(kOpinionScale));
      step.visits = static_cast<int64_t>(in.VarintUpTo(std::numeric_limits<uint32_t>::max()));
    }
    if (flags & kOtherNetwork) checkpoint = in.Signed();
    step.checkpoint = checkpoint;
    path.steps.push_back(step);
  }
  if (!in.ok() || in.left() != 0 || result > static_cast<uint8_t>(Result::kDraw)) {
    return absl::DataLossError("opening path: damaged");
  }
  return path;
}

absl::Status ReplayOpeningPath(const Rules& rules, const OpeningPath& path, PathVisitor visit) {
  absl::StatusOr<Position> position =
      path.start_fen.empty() ? StartPosition(rules) : ParseFen(rules, path.start_fen);
  if (!position.ok()) return position.status();
  for (size_t i = 0; i < path.steps.size(); ++i) {
    const Move move = path.steps[i].move;
    if (!IsLegal(*position, move)) {
      return absl::InvalidArgumentError(
          absl::StrCat("ply ", i, ": move ", move.raw(), " is not legal"));
    }
    if (!visit(i, *position)) return absl::OkStatus();
    position->Do(move);
  }
  return absl::OkStatus();
}

}  // namespace crossriver
