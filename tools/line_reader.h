// Lines of a file descriptor, read so that Ctrl-C is heard while there are none.
#ifndef CROSSRIVER_TOOLS_LINE_READER_H_
#define CROSSRIVER_TOOLS_LINE_READER_H_

#include <cstddef>
#include <limits>
#include <string>

namespace crossriver {

// Not synchronised. The descriptor is not owned.
class LineReader {
 public:
  // Of a line with more than `max_line` bytes the rest is dropped, so that memory is bounded.
  explicit LineReader(int descriptor, size_t max_line = std::numeric_limits<size_t>::max())
      : descriptor_(descriptor), max_line_(max_line) {}

  // The next line without its end. False at the end of the input and after an interrupt
  // (tools/interrupt.h).
  bool Next(std::string* line);
  // Whether the last line was longer.
  bool was_cut() const { return was_cut_; }

 private:
  bool Fill();

  const int descriptor_;
  const size_t max_line_;
  std::string buffer_;
  size_t begin_ = 0;
  bool at_end_ = false;
  bool was_cut_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_LINE_READER_H_
