#include "tools/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "tools/interrupt.h"

namespace crossriver {
namespace {

constexpr int kLookMilliseconds = 50;  // between looks for an interrupt

}  // namespace

bool LineReader::Next(std::string* line) {
  line->clear();
  was_cut_ = false;
  for (;;) {
    const size_t end = std::min(buffer_.find('\n', begin_), buffer_.size());
    const size_t taken = std::min(end - begin_, max_line_ - line->size());
    line->append(buffer_, begin_, taken);
    was_cut_ |= taken < end - begin_;
    begin_ = end;
    if (begin_ < buffer_.size()) {
      ++begin_;
      return !Interrupted();
    }
    // A last line need not have an end.
    if (at_end_ || !Fill()) return !line->empty() && !Interrupted();
  }
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
