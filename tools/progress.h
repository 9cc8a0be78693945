// How far long work has come: a bar with rate and time left on a terminal, plain lines otherwise.
#ifndef CROSSRIVER_TOOLS_PROGRESS_H_
#define CROSSRIVER_TOOLS_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace crossriver {

// Writes to standard error, so that results on standard output stay clean. Says nothing about work
// that is over within a second. Not synchronised.
class Progress {
 public:
  // "games" of which `total` are to be done.
  Progress(std::string unit, int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Prints at most ten times a second on a terminal, every ten seconds otherwise; `note` behind the
  // rest.
  void Update(int64_t done, const std::string& note = "");

 private:
  using Clock = std::chrono::steady_clock;

  const std::string unit_;
  const int64_t total_;
  const bool terminal_;
  const Clock::time_point start_;
  Clock::time_point next_;
  bool bar_shown_ = false;
};

// Of `total` units `done`, in so many seconds: share, rate and time left, behind a bar if wanted.
// More than the total is all of it.
std::string ProgressLine(const std::string& unit, int64_t done, int64_t total, double seconds,
                         bool bar);

// Whether a file descriptor is a terminal, and one that may be coloured (NO_COLOR is not set).
bool IsTerminal(int descriptor);
bool MayColour(int descriptor);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_PROGRESS_H_
