#include "tools/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/time/time.h"

namespace crossriver {
namespace {

constexpr int kBarWidth = 30;

}  // namespace

bool IsTerminal(int descriptor) { return isatty(descriptor) != 0; }

bool MayColour(int descriptor) {
  return IsTerminal(descriptor) && std::getenv("NO_COLOR") == nullptr;
}

Progress::Progress(std::string unit, int64_t total)
    : unit_(std::move(unit)),
      total_(total),
      terminal_(IsTerminal(STDERR_FILENO)),
      start_(Clock::now()),
      next_(start_ + (terminal_ ? std::chrono::seconds(1) : std::chrono::seconds(10))) {}

Progress::~Progress() {
  if (bar_shown_) std::fprintf(stderr, "\r\033[K");
}

std::string ProgressLine(const std::string& unit, int64_t done, int64_t total, double seconds,
                         bool bar) {
  const double share = total > done ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
  const double rate = static_cast<double>(done) / seconds;
  std::string line;
  if (bar) {
    const int filled = static_cast<int>(share * kBarWidth);
    line = "[" + std::string(static_cast<size_t>(filled), '#') +
           std::string(static_cast<size_t>(kBarWidth - filled), '.') + "] ";
  }
  line += absl::StrFormat("%3.0f%%  %d of %d %s, %.1f/s", 100.0 * share, done, total, unit, rate);
  if (rate > 0) {
    const double left = static_cast<double>(std::max<int64_t>(total - done, 0)) / rate;
    line += ", " + absl::FormatDuration(absl::Seconds(static_cast<int64_t>(left))) + " left";
  }
  return line;
}

void Progress::Update(int64_t done, const std::string& note) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000));
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string line =
      ProgressLine(unit_, done, total_, seconds, terminal_) + (note.empty() ? "" : "; " + note);
  if (terminal_) {
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    bar_shown_ = true;
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

}  // namespace crossriver
