// Lines of a file descriptor, read so that Ctrl-C is heard while there are none.
#ifndef CROSSRIVER_TOOLS_LINE_READER_H_
#define CROSSRIVER_TOOLS_LINE_READER_H_

#include <string>

namespace crossriver {

// Not synchronised. The descriptor is not owned.
class LineReader {
 public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}

  // The next line without its end. False at the end of the input and after an interrupt
  // (tools/interrupt.h).
  bool Next(std::string* line);

 private:
  bool Fill();

  const int descriptor_;
  std::string buffer_;
  size_t begin_ = 0;
  bool at_end_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_LINE_READER_H_
