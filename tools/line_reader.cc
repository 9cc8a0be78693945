#include "tools/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "tools/interrupt.h"

namespace crossriver {
namespace {

constexpr int kLookMilliseconds = 50;  // between looks for an interrupt

}  // namespace

bool LineReader::Next(std::string* line) {
  for (;;) {
    const size_t end = buffer_.find('\n', begin_);
    if (end != std::string::npos) {
      line->assign(buffer_, begin_, end - begin_);
      begin_ = end + 1;
      return !Interrupted();
    }
    if (at_end_ || !Fill()) break;
  }
  // A last line without an end.
  if (begin_ >= buffer_.size() || Interrupted()) return false;
  line->assign(buffer_, begin_);
  begin_ = buffer_.size();
  return true;
}

// Waits for more input. False at its end and after an interrupt.
bool LineReader::Fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  for (;;) {
    if (Interrupted()) return false;
    pollfd ready = {descriptor_, POLLIN, 0};
    const int polled = poll(&ready, 1, kLookMilliseconds);
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    char chunk[65536];
    const ssize_t size = polled < 0 ? -1 : read(descriptor_, chunk, sizeof(chunk));
    if (size < 0 && errno == EINTR) continue;
    at_end_ = size <= 0;
    if (at_end_) return false;
    buffer_.append(chunk, static_cast<size_t>(size));
    return true;
  }
}

}  // namespace crossriver
