#include "selfplay/run_rows.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "selfplay/bytes.h"
#include "selfplay/checksum.h"

namespace crossriver {
namespace {

// No game comes near it.
constexpr size_t kMaxRecordBytes = 64 << 20;
// A frame that asks for more memory than 2^this is refused.
constexpr int kMaxWindowLog = 23;

absl::StatusOr<std::string> Decompress(absl::string_view bytes) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     &ZSTD_freeDCtx);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  std::array<char, 1 << 14> buffer;
  std::string result;
  ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
  size_t code = 1;
  while (code != 0) {
    ZSTD_outBuffer out = {buffer.data(), buffer.size(), 0};
    code = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(code)) {
      return absl::DataLossError(absl::StrCat("compressed record: ", ZSTD_getErrorName(code)));
    }
    result.append(buffer.data(), out.pos);
    if (result.size() > kMaxRecordBytes) {
      return absl::DataLossError("compressed record: longer than any game");
    }
    if (code != 0 && out.pos < buffer.size() && in.pos == in.size) {
      return absl::DataLossError("compressed record: cut off");
    }
  }
  if (in.pos != in.size) return absl::DataLossError("compressed record: too many bytes");
  return result;
}

uint64_t HashOfMoves(const GameRecord& record) {
  ByteWriter bytes;
  bytes.Text(record.start_fen);
  for (const RecordedMove& move : record.moves) bytes.Fixed16(move.move.raw());
  return Checksum(bytes.bytes());
}

}  // namespace

GameRow DescribeGame(const GameRecord& record) {
  GameRow row;
  row.id = record.id;
  for (const RecordedMove& move : record.moves) {
    row.checkpoint = std::max(row.checkpoint, move.checkpoint);
    if (move.full) ++row.rows;
  }
  row.variant = record.variant;
  row.start_kind = record.start_kind;
  row.start_fen = record.start_fen;
  row.plies = static_cast<int>(record.moves.size());
  row.result = record.result;
  row.reason = record.reason;
  row.truncated = record.truncated;
  row.resigned = record.resigned;
  row.resign_ply = record.resign_ply;
  row.seed = record.seed;
  row.moves_hash = HashOfMoves(record);
  return row;
}

absl::string_view ResultText(Result result) {
  switch (result) {
    case Result::kNone:
      return "none";
    case Result::kWin:
      return "first";
    case Result::kLoss:
      return "second";
    case Result::kDraw:
      return "draw";
  }
  return "none";
}

absl::string_view StartKindText(StartKind kind) {
  switch (kind) {
    case StartKind::kArray:
      return "array";
    case StartKind::kRandomPlies:
      return "random_plies";
    case StartKind::kPolicy:
      return "policy";
    case StartKind::kRestart:
      return "restart";
    case StartKind::kArmy:
      return "army";
    case StartKind::kOpening:
      return "opening";
    case StartKind::kImported:
      return "imported";
  }
  return "array";
}

std::string PackRecord(const GameRecord& record, int compression_level) {
  const std::string bytes = EncodeRecord(record);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), compression_level);
  CR_CHECK(!ZSTD_isError(size));
  packed.resize(size);
  return packed;
}

absl::StatusOr<GameRecord> UnpackRecord(absl::string_view bytes) {
  const absl::StatusOr<std::string> plain = Decompress(bytes);
  if (!plain.ok()) return plain.status();
  return DecodeRecord(*plain);
}

int64_t NowMilliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace crossriver
