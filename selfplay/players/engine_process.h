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

// The program is killed when the object goes. One thread at a time. The caller must have set
// SIGPIPE to be ignored, as main does: writing to a program that has ended is then an error.
class EngineProcess {
 public:
  // `command` is the program, looked up on PATH, and its arguments.
  static absl::StatusOr<std::unique_ptr<EngineProcess>> Start(
      const std::vector<std::string>& command);
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  absl::Status Send(absl::string_view line);
  // The next line without its end. Errors: DeadlineExceeded, Unavailable when the program has
  // ended.
  absl::StatusOr<std::string> ReadLine(absl::Duration timeout);
  // Reads until a line begins with `prefix`; returns all lines read, that one included.
  absl::StatusOr<std::vector<std::string>> ReadUntil(absl::string_view prefix,
                                                     absl::Duration timeout);

 private:
  EngineProcess(pid_t pid, int in, int out) : pid_(pid), in_(in), out_(out) {}

  pid_t pid_;
  int in_;   // we write
  int out_;  // we read
  std::string buffer_;
};

// The path of the distribution's Fairy-Stockfish, or empty where it is not installed.
std::string FindFairyStockfish();

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_PROCESS_H_
