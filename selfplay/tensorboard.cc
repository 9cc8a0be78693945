#include "selfplay/tensorboard.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "selfplay/bytes.h"

namespace crossriver {
namespace {

// CRC-32C (Castagnoli), reflected.
uint32_t Crc32c(absl::string_view bytes) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> entries{};
    for (uint32_t i = 0; i < entries.size(); ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (0x82F63B78U & (~(value & 1) + 1));
      entries[i] = value;
    }
    return entries;
  }();
  uint32_t crc = ~0U;
  for (const char c : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<uint8_t>(c)) & 255];
  return ~crc;
}

// TFRecord stores checksums so, because of checksums over data that hold checksums.
uint32_t Masked(uint32_t crc) { return std::rotr(crc, 15) + 0xA282EAD8U; }

// Protocol buffers: field number and wire type.
constexpr uint64_t kVarint = 0;
constexpr uint64_t kFixed64 = 1;
constexpr uint64_t kBytes = 2;
constexpr uint64_t kFixed32 = 5;
void Tag(uint64_t field, uint64_t type, ByteWriter* out) { out->Varint(field << 3 | type); }

ByteWriter NewEvent() {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  ByteWriter event;
  Tag(1, kFixed64, &event);
  event.Fixed64(std::bit_cast<uint64_t>(now.count()));
  return event;
}

}  // namespace

std::string TensorBoardFrame(absl::string_view bytes) {
  ByteWriter length;
  length.Fixed64(bytes.size());
  ByteWriter frame;
  frame.Fixed64(bytes.size());
  frame.Fixed32(Masked(Crc32c(length.bytes())));
  ByteWriter end;
  end.Fixed32(Masked(Crc32c(bytes)));
  return absl::StrCat(frame.bytes(), bytes, end.bytes());
}

absl::StatusOr<std::unique_ptr<EventWriter>> EventWriter::Create(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t time = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::string path = absl::StrCat(folder, "/events.out.tfevents.", time, ".crossriver");
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return absl::UnavailableError(absl::StrCat(path, ": ", std::strerror(errno)));
  std::unique_ptr<EventWriter> writer(new EventWriter(file, path));
  ByteWriter event = NewEvent();
  Tag(3, kBytes, &event);
  event.Text("brain.Event:2");
  if (absl::Status status = writer->Write(event.bytes()); !status.ok()) return status;
  return writer;
}

EventWriter::~EventWriter() { close(file_); }

absl::Status EventWriter::Scalar(absl::string_view name, int64_t step, double value) {
  ByteWriter scalar;
  Tag(1, kBytes, &scalar);
  scalar.Text(name);
  Tag(2, kFixed32, &scalar);
  scalar.Fixed32(std::bit_cast<uint32_t>(static_cast<float>(value)));
  ByteWriter summary;
  Tag(1, kBytes, &summary);
  summary.Text(scalar.bytes());
  ByteWriter event = NewEvent();
  Tag(2, kVarint, &event);
  event.Varint(static_cast<uint64_t>(step));
  Tag(5, kBytes, &event);
  event.Text(summary.bytes());
  return Write(event.bytes());
}

// A frame that is cut off would make the rest of the file unreadable: it is undone.
absl::Status EventWriter::Write(absl::string_view event) {
  const off_t end = lseek(file_, 0, SEEK_END);
  const std::string frame = TensorBoardFrame(event);
  absl::string_view rest = frame;
  while (!rest.empty()) {
    const ssize_t written = write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int code = written < 0 ? errno : EIO;
      if (end < 0 || ftruncate(file_, end) != 0) {
        return absl::DataLossError(
            absl::StrCat(path_, ": ends with a part of an event, after: ", std::strerror(code)));
      }
      return absl::UnavailableError(absl::StrCat(path_, ": ", std::strerror(code)));
    }
    rest.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

}  // namespace crossriver
