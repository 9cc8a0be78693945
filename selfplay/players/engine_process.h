// Another program spoken to line by line over its standard input and output.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_PROCESS_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace crossriver {

// The program is killed when the object goes, together with all programs that it has started and
// that have not left its process group. What it writes to standard error is thrown away. One thread
// at a time. The caller must have set SIGPIPE to be ignored: writing to a program that has ended
// is then an error; and SIGCHLD not to be, for the system to keep how it has ended.
class EngineProcess {
 public:
  // `command` is the program, looked up as FindProgram does, and its arguments.
  static absl::StatusOr<std::unique_ptr<EngineProcess>> Start(
      const std::vector<std::string>& command);
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  // Waits some seconds at most for a program that does not read. Errors: DeadlineExceeded,
  // Unavailable when the program reads no more.
  absl::Status Send(absl::string_view line);
  // The next line without its end. Errors: DeadlineExceeded; Unavailable when the program has
  // ended, with how, or when a line is too long.
  absl::StatusOr<std::string> ReadLine(absl::Duration timeout);
  // Reads until a line begins with `prefix`; returns all lines read, that one included.
  absl::StatusOr<std::vector<std::string>> ReadUntil(absl::string_view prefix,
                                                     absl::Duration timeout);

  // Says "quit" and gives the program so much time to end by itself. After it, the object is good
  // for nothing but to go.
  void Quit(absl::Duration grace);

 private:
  EngineProcess(pid_t pid, int in, int out) : pid_(pid), in_(in), out_(out) {}
  // How the program has ended.
  std::string DescribeEnd() const;

  pid_t pid_;
  int in_;   // we write
  int out_;  // we read
  std::string buffer_;
};

// The path of a program: a name without a slash is looked up on PATH, then where distributions have
// games. Empty where there is none.
std::string FindProgram(const std::string& name);
// The path of the distribution's Fairy-Stockfish, or empty where it is not installed.
std::string FindFairyStockfish();

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_PROCESS_H_
