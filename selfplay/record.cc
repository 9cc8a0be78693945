// The bytes of a record:
//
//   "CRG", format version (1 byte), facts of the game, moves, XXH64 of all before (8 bytes)
//
// Numbers are varints unless said otherwise; a move begins with a byte of flags that says which of
// its fields follow.
#include "selfplay/record.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "selfplay/bytes.h"
#include "selfplay/checksum.h"

namespace crossriver {
namespace {

constexpr absl::string_view kMagic = "CRG";
constexpr uint8_t kFormatVersion = 1;
constexpr size_t kHeaderBytes = 4;
constexpr size_t kChecksumBytes = 8;
constexpr size_t kLeastMoveBytes = 3;
constexpr size_t kLeastEntryBytes = 3;
constexpr uint64_t kMaxInt = std::numeric_limits<int>::max();
constexpr float kWhole = 65535;

enum GameFlag : uint8_t { kResigned = 1, kTruncated = 2, kHasResignPly = 4 };
enum MoveFlag : uint8_t {
  kFull = 1,
  kHasVisits = 2,
  kHasRoot = 4,
  kHasRaw = 8,
  kHasPolicy = 16,
  kHasSurprise = 32,
  kOtherCheckpoint = 64,  // than the move before
};

// The comparisons are such that a NaN becomes 0.
uint16_t Quantise(float probability) {
  if (!(probability > 0)) return 0;
  return static_cast<uint16_t>(std::lround(std::min(probability, 1.0F) * kWhole));
}

void WriteWdl(const Wdl& wdl, ByteWriter* out) {
  for (const float part : {wdl.win, wdl.draw, wdl.loss}) out->Fixed16(Quantise(part));
}

Wdl ReadWdl(ByteReader* in) {
  Wdl wdl;
  for (float* part : {&wdl.win, &wdl.draw, &wdl.loss})
    *part = static_cast<float>(in->Fixed16()) / kWhole;
  return wdl;
}

bool IsZero(const Wdl& wdl) {
  return Quantise(wdl.win) == 0 && Quantise(wdl.draw) == 0 && Quantise(wdl.loss) == 0;
}

// Shares fall, so their differences are small.
void WritePolicy(const SparsePolicy& policy, ByteWriter* out) {
  out->Varint(policy.entries.size());
  int before = 65535;
  for (const SparsePolicy::Entry& entry : policy.entries) {
    CR_CHECK(entry.share <= before);
    out->Fixed16(entry.move.raw());
    out->Varint(static_cast<uint64_t>(before - entry.share));
    before = entry.share;
  }
}

SparsePolicy ReadPolicy(ByteReader* in) {
  SparsePolicy policy;
  const uint64_t count = in->VarintUpTo(in->left() / kLeastEntryBytes);
  policy.entries.reserve(count);
  uint64_t before = 65535;
  for (uint64_t i = 0; i < count; ++i) {
    const Move move = Move::FromRaw(in->Fixed16());
    before -= in->VarintUpTo(before);
    policy.entries.push_back({move, static_cast<uint16_t>(before)});
  }
  return policy;
}

void WriteMove(const RecordedMove& move, int64_t checkpoint_before, ByteWriter* out) {
  const float surprise = std::isfinite(move.surprise) ? move.surprise : 0;
  int flags = 0;
  if (move.full) flags |= kFull;
  if (move.visits != 0) flags |= kHasVisits;
  if (!IsZero(move.root)) flags |= kHasRoot;
  if (!IsZero(move.raw)) flags |= kHasRaw;
  if (!move.policy.empty()) flags |= kHasPolicy;
  if (surprise != 0) flags |= kHasSurprise;
  if (move.checkpoint != checkpoint_before) flags |= kOtherCheckpoint;
  out->Byte(static_cast<uint8_t>(flags));
  out->Fixed16(move.move.raw());
  if (flags & kHasVisits) out->Varint(move.visits);
  if (flags & kHasRoot) WriteWdl(move.root, out);
  if (flags & kHasRaw) WriteWdl(move.raw, out);
  if (flags & kHasPolicy) WritePolicy(move.policy, out);
  if (flags & kHasSurprise) out->Fixed32(std::bit_cast<uint32_t>(surprise));
  if (flags & kOtherCheckpoint) out->Signed(move.checkpoint);
}

RecordedMove ReadMove(int64_t checkpoint_before, ByteReader* in) {
  const uint8_t flags = in->Byte();
  RecordedMove move;
  move.full = (flags & kFull) != 0;
  move.move = Move::FromRaw(in->Fixed16());
  if (flags & kHasVisits) {
    move.visits = static_cast<uint32_t>(in->VarintUpTo(std::numeric_limits<uint32_t>::max()));
  }
  if (flags & kHasRoot) move.root = ReadWdl(in);
  if (flags & kHasRaw) move.raw = ReadWdl(in);
  if (flags & kHasPolicy) move.policy = ReadPolicy(in);
  if (flags & kHasSurprise) move.surprise = std::bit_cast<float>(in->Fixed32());
  if (!std::isfinite(move.surprise)) move.surprise = 0;
  move.checkpoint = (flags & kOtherCheckpoint) != 0 ? in->Signed() : checkpoint_before;
  return move;
}

void WriteFacts(const GameRecord& record, ByteWriter* out) {
  out->Varint(record.id);
  out->Fixed64(record.seed);
  out->Text(record.variant);
  out->Fixed64(record.rules_hash);
  out->Varint(static_cast<uint64_t>(std::max(record.max_plies, 0)));
  out->Varint(static_cast<uint64_t>(std::max(record.no_progress_limit, 0)));
  out->Byte(static_cast<uint8_t>(record.start_kind));
  out->Text(record.start_fen);
  out->Byte(static_cast<uint8_t>(record.result));
  out->Byte(static_cast<uint8_t>(record.reason));
  out->Byte(static_cast<uint8_t>((record.resigned ? kResigned : 0) |
                                 (record.truncated ? kTruncated : 0) |
                                 (record.resign_ply ? kHasResignPly : 0)));
  if (record.resign_ply) out->Varint(static_cast<uint64_t>(std::max(*record.resign_ply, 0)));
}

template <typename Enum>
Enum ReadEnum(Enum last, bool* valid, ByteReader* in) {
  const uint8_t value = in->Byte();
  if (value > static_cast<uint8_t>(last)) *valid = false;
  return static_cast<Enum>(value);
}

// False where a value is none of its kind.
bool ReadFacts(ByteReader* in, GameRecord* record) {
  bool valid = true;
  record->id = in->Varint();
  record->seed = in->Fixed64();
  record->variant = std::string(in->Text());
  record->rules_hash = in->Fixed64();
  record->max_plies = static_cast<int>(in->VarintUpTo(kMaxInt));
  record->no_progress_limit = static_cast<int>(in->VarintUpTo(kMaxInt));
  record->start_kind = ReadEnum(StartKind::kImported, &valid, in);
  record->start_fen = std::string(in->Text());
  record->result = ReadEnum(Result::kDraw, &valid, in);
  record->reason = ReadEnum(Reason::kNoProgress, &valid, in);
  const uint8_t flags = in->Byte();
  record->resigned = (flags & kResigned) != 0;
  record->truncated = (flags & kTruncated) != 0;
  if (flags & kHasResignPly) record->resign_ply = static_cast<int>(in->VarintUpTo(kMaxInt));
  return valid && flags <= (kResigned | kTruncated | kHasResignPly);
}

absl::Status BadRecord(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("game record: ", what));
}

}  // namespace

std::string EncodeRecord(const GameRecord& record) {
  ByteWriter out;
  for (const char letter : kMagic) out.Byte(static_cast<uint8_t>(letter));
  out.Byte(kFormatVersion);
  WriteFacts(record, &out);
  out.Varint(record.moves.size());
  int64_t checkpoint = kNoCheckpoint;
  for (const RecordedMove& move : record.moves) {
    WriteMove(move, checkpoint, &out);
    checkpoint = move.checkpoint;
  }
  out.Fixed64(Checksum(out.bytes()));
  return out.Take();
}

absl::StatusOr<GameRecord> DecodeRecord(absl::string_view bytes) {
  if (bytes.size() < kHeaderBytes + kChecksumBytes) {
    return BadRecord(absl::StrCat("cut off after ", bytes.size(), " bytes"));
  }
  if (bytes.substr(0, kMagic.size()) != kMagic) return BadRecord("does not begin like one");
  const size_t body_end = bytes.size() - kChecksumBytes;
  if (ByteReader(bytes.substr(body_end)).Fixed64() != Checksum(bytes.substr(0, body_end))) {
    return BadRecord("its checksum is wrong: damaged or cut off");
  }
  const uint8_t version = static_cast<uint8_t>(bytes[kMagic.size()]);
  if (version != kFormatVersion) {
    return BadRecord(
        absl::StrCat("format ", version, "; this program reads format ", kFormatVersion));
  }
  ByteReader in(bytes.substr(kHeaderBytes, body_end - kHeaderBytes));
  GameRecord record;
  if (!ReadFacts(&in, &record)) return BadRecord("a fact of the game has no such value");
  const uint64_t plies = in.VarintUpTo(in.left() / kLeastMoveBytes);
  record.moves.reserve(plies);
  int64_t checkpoint = kNoCheckpoint;
  for (uint64_t i = 0; i < plies && in.ok(); ++i) {
    record.moves.push_back(ReadMove(checkpoint, &in));
    checkpoint = record.moves.back().checkpoint;
  }
  if (!in.ok()) return BadRecord("a number is not well formed, or the end is missing");
  if (in.left() != 0) return BadRecord(absl::StrCat(in.left(), " bytes too many"));
  return record;
}

}  // namespace crossriver
