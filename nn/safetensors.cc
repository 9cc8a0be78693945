#include "nn/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/check.h"
#include "core/durable_file.h"
#include "core/fingerprint.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "files are little-endian");

constexpr size_t kMaxFileBytes = size_t{8} << 30;
constexpr size_t kMaxHeaderBytes = size_t{64} << 20;
constexpr size_t kLengthBytes = 8;
constexpr size_t kMaxDimensions = 8;
constexpr char kMetadata[] = "__metadata__";
constexpr char kChecksum[] = "checksum";
constexpr char kNoChecksum[] = "0000000000000000";

const std::vector<std::pair<std::string, torch::ScalarType>>& Types() {
  static const auto& types = *new std::vector<std::pair<std::string, torch::ScalarType>>{
      {"F32", torch::kFloat},     {"F64", torch::kDouble}, {"F16", torch::kHalf},
      {"BF16", torch::kBFloat16}, {"I64", torch::kLong},   {"I32", torch::kInt}};
  return types;
}

const std::string& TypeName(torch::ScalarType type) {
  for (const auto& [name, known] : Types()) {
    if (known == type) return name;
  }
  CR_CHECK(false && "a tensor of a type that is not written to files");
  return Types().front().first;
}

std::string ChecksumOf(absl::string_view bytes) {
  return absl::StrFormat("%016x", HashBytes(bytes));
}

// Where the digits of `checksum` stand in a header; npos where they don't. They are looked for with
// the quotes that the writer sets, so that no other text is taken for them.
size_t ChecksumPlace(absl::string_view header, const std::string& checksum) {
  const std::string key = absl::StrCat("\"", kChecksum, "\":\"");
  const size_t at = header.find(absl::StrCat(key, checksum, "\""));
  return at == std::string::npos ? at : at + key.size();
}

// What the header says of one tensor.
struct Entry {
  std::string name;
  torch::ScalarType type = torch::kFloat;
  std::vector<int64_t> shape;
  uint64_t begin = 0;
  uint64_t end = 0;
};

class Reader {
 public:
  Reader(std::string path, std::string content)
      : path_(std::move(path)), content_(std::move(content)) {}

  absl::StatusOr<SafetensorsFile> Read() {
    absl::Status status = ReadHeader();
    if (status.ok()) status = ReadMetadata();
    if (status.ok()) status = ReadEntries();
    if (status.ok()) status = CheckOffsets();
    if (status.ok()) status = CheckChecksum();
    if (!status.ok()) return status;
    for (const Entry& entry : entries_) {
      const torch::Tensor tensor = torch::empty(entry.shape, entry.type);
      if (entry.end > entry.begin) {
        std::memcpy(tensor.data_ptr(), content_.data() + data_begin_ + entry.begin,
                    entry.end - entry.begin);
      }
      file_.tensors[entry.name] = tensor;
    }
    return std::move(file_);
  }

 private:
  absl::Status Error(const std::string& message) const {
    return absl::DataLossError(absl::StrCat(path_, ": ", message));
  }
  absl::Status TensorError(const std::string& name, const std::string& message) const {
    return Error(absl::StrCat("tensor '", Printable(name), "': ", message));
  }

  absl::Status ReadHeader();
  absl::Status ReadMetadata();
  absl::Status ReadEntries();
  absl::Status ReadEntry(const std::string& name, const json& value);
  absl::Status ReadShape(const json& value, Entry* entry, uint64_t* elements) const;
  absl::Status CheckOffsets();
  absl::Status CheckChecksum();

  std::string path_;
  std::string content_;
  size_t data_begin_ = 0;
  json header_;
  std::vector<Entry> entries_;
  SafetensorsFile file_;
};

absl::Status Reader::ReadHeader() {
  if (content_.size() < kLengthBytes) {
    return Error(absl::StrCat("is no safetensors file: it has ", content_.size(), " bytes"));
  }
  uint64_t length = 0;
  std::memcpy(&length, content_.data(), kLengthBytes);
  if (length > kMaxHeaderBytes || length > content_.size() - kLengthBytes) {
    return Error(absl::StrCat("is truncated or no safetensors file: its header claims ", length,
                              " bytes, the file has ", content_.size() - kLengthBytes,
                              " behind the length"));
  }
  data_begin_ = kLengthBytes + length;
  const char* const text = content_.data() + kLengthBytes;
  header_ = json::parse(text, text + length, /*callback=*/nullptr, /*allow_exceptions=*/false);
  if (!header_.is_object()) return Error("its header is no JSON object");
  return absl::OkStatus();
}

absl::Status Reader::ReadMetadata() {
  const auto metadata = header_.find(kMetadata);
  if (metadata == header_.end()) return absl::OkStatus();
  if (!metadata->is_object()) return Error("its metadata are no JSON object");
  for (const auto& [name, value] : metadata->items()) {
    if (!value.is_string()) {
      return Error(absl::StrCat("metadata '", Printable(name), "' is no text"));
    }
    file_.metadata[name] = value.get<std::string>();
  }
  return absl::OkStatus();
}

absl::Status Reader::ReadEntries() {
  for (const auto& [name, value] : header_.items()) {
    if (name == kMetadata) continue;
    const absl::Status status = ReadEntry(name, value);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Reader::ReadEntry(const std::string& name, const json& value) {
  Entry entry;
  entry.name = name;
  if (!value.is_object()) return TensorError(name, "its description is no JSON object");
  for (const char* field : {"dtype", "shape", "data_offsets"}) {
    if (!value.contains(field)) return TensorError(name, absl::StrCat("has no ", field));
  }
  // What is no text is not shown: writing out deep nesting would take the whole stack.
  if (!value["dtype"].is_string()) return TensorError(name, "its type is no text");
  const auto type = value["dtype"].get<std::string>();
  const auto known = std::find_if(Types().begin(), Types().end(),
                                  [&type](const auto& pair) { return pair.first == type; });
  if (known == Types().end()) {
    return TensorError(name, absl::StrCat("unknown type ", Printable(type)));
  }
  entry.type = known->second;
  uint64_t elements = 1;
  const absl::Status status = ReadShape(value["shape"], &entry, &elements);
  if (!status.ok()) return status;
  const json& offsets = value["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned()) {
    return TensorError(name, "its offsets are not two numbers");
  }
  entry.begin = offsets[0].get<uint64_t>();
  entry.end = offsets[1].get<uint64_t>();
  const uint64_t data_bytes = content_.size() - data_begin_;
  if (entry.begin > entry.end || entry.end > data_bytes) {
    return TensorError(name, absl::StrCat("its bytes ", entry.begin, " to ", entry.end,
                                          " are not within the file's ", data_bytes,
                                          " bytes of data (truncated?)"));
  }
  if (entry.end - entry.begin != elements * c10::elementSize(entry.type)) {
    return TensorError(
        name, absl::StrCat("has ", entry.end - entry.begin, " bytes, its shape and type need ",
                           elements * c10::elementSize(entry.type)));
  }
  entries_.push_back(std::move(entry));
  return absl::OkStatus();
}

absl::Status Reader::ReadShape(const json& value, Entry* entry, uint64_t* elements) const {
  if (!value.is_array() || value.size() > kMaxDimensions) {
    return TensorError(entry->name, "its shape is no short list of numbers");
  }
  for (const json& length : value) {
    if (!length.is_number_unsigned()) {
      return TensorError(entry->name, "its shape has a length that is no number from 0");
    }
    const auto number = length.get<uint64_t>();
    if (number > kMaxFileBytes || (number != 0 && *elements > kMaxFileBytes / number)) {
      return TensorError(entry->name, "its shape is larger than any file");
    }
    *elements *= number;
    entry->shape.push_back(static_cast<int64_t>(number));
  }
  return absl::OkStatus();
}

absl::Status Reader::CheckOffsets() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  uint64_t end = 0;
  for (const Entry& entry : entries_) {
    if (entry.begin != end) {
      return TensorError(entry.name, absl::StrCat("begins at byte ", entry.begin, ", expected ",
                                                  end, ": tensors overlap or leave a gap"));
    }
    end = entry.end;
  }
  const uint64_t data_bytes = content_.size() - data_begin_;
  if (end != data_bytes) {
    return Error(absl::StrCat("has ", data_bytes, " bytes of data, its tensors take ", end));
  }
  return absl::OkStatus();
}

absl::Status Reader::CheckChecksum() {
  const auto found = file_.metadata.find(kChecksum);
  if (found == file_.metadata.end()) return Error("has no checksum");
  const std::string checksum = found->second;
  file_.metadata.erase(found);
  const size_t at = ChecksumPlace(absl::string_view(content_).substr(0, data_begin_), checksum);
  if (checksum.size() != std::strlen(kNoChecksum) || at == std::string::npos) {
    return Error("its checksum is damaged");
  }
  content_.replace(at, checksum.size(), kNoChecksum);
  if (ChecksumOf(content_) != checksum) {
    return Error("is damaged: its content does not match its checksum");
  }
  return absl::OkStatus();
}

std::string Header(const SafetensorsFile& file) {
  json header = json::object();
  json metadata = json::object();
  for (const auto& [name, text] : file.metadata) metadata[name] = text;
  metadata[kChecksum] = kNoChecksum;
  header[kMetadata] = metadata;
  uint64_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const uint64_t end = offset + tensor.nbytes();
    header[name] = {{"dtype", TypeName(tensor.scalar_type())},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  // The data begin at a multiple of 8, as the layout advises.
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

std::string Serialise(const SafetensorsFile& file) {
  const std::string header = Header(file);
  const uint64_t length = header.size();
  std::string content(reinterpret_cast<const char*>(&length), kLengthBytes);
  content += header;
  for (const auto& [name, tensor] : file.tensors) {
    const torch::Tensor bytes = tensor.detach().to(torch::kCPU).contiguous();
    content.append(static_cast<const char*>(bytes.data_ptr()), bytes.nbytes());
  }
  const size_t at = ChecksumPlace(header, kNoChecksum);
  CR_CHECK(at != std::string::npos);
  return content.replace(kLengthBytes + at, std::strlen(kNoChecksum), ChecksumOf(content));
}

}  // namespace

absl::Status WriteSafetensors(const std::string& path, const SafetensorsFile& file) {
  return WriteFileDurably(path, Serialise(file));
}

absl::StatusOr<SafetensorsFile> ReadSafetensors(const std::string& path) {
  absl::StatusOr<std::string> content = ReadWholeFile(path, kMaxFileBytes);
  if (!content.ok()) return content.status();
  try {
    return Reader(path, *std::move(content)).Read();
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat(path, ": can't be read: ", error.what()));
  }
}

}  // namespace crossriver
