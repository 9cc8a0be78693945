// Scalars for TensorBoard, without its libraries.
#ifndef CROSSRIVER_SELFPLAY_TENSORBOARD_H_
#define CROSSRIVER_SELFPLAY_TENSORBOARD_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace crossriver {

// Appends to an event file: TFRecord frames (length, masked CRC-32C of it, bytes, masked CRC-32C of
// them) around protocol buffers of the message `Event` (wall_time = 1, step = 2, file_version = 3,
// summary = 5 with value = 1 {tag = 1, simple_value = 2}). Not synchronised.
class EventWriter {
 public:
  // A new file "events.out.tfevents.TIME.crossriver" in `folder`, which is made where it is
  // missing.
  static absl::StatusOr<std::unique_ptr<EventWriter>> Create(const std::string& folder);
  ~EventWriter();

  // Written through at once, so that TensorBoard sees it; whole or, with an error, not at all.
  absl::Status Scalar(absl::string_view name, int64_t step, double value);

 private:
  explicit EventWriter(int file, std::string path) : file_(file), path_(std::move(path)) {}
  absl::Status Write(absl::string_view event);

  int file_;
  std::string path_;
};

// One frame, as above.
std::string TensorBoardFrame(absl::string_view bytes);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_TENSORBOARD_H_
