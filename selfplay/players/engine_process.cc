#include "selfplay/players/engine_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

constexpr size_t kMaxLine = 1 << 20;
constexpr char kGamesFolder[] = "/usr/games";  // where distributions have engines
constexpr absl::Duration kSendTimeout = absl::Seconds(10);
// For a program that has closed its output to end.
constexpr absl::Duration kEndTimeout = absl::Milliseconds(500);

absl::Status Errno(const std::string& what, int error) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::strerror(error)));
}

// Waits until there is something to read, or to write.
absl::Status WaitFor(int file, int16_t events, absl::Time deadline) {
  for (;;) {
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) {
      return absl::DeadlineExceededError("the engine does not answer");
    }
    pollfd ready = {file, events, 0};
    // Rounded up, and in steps that an int can hold.
    const absl::Duration step = std::min(left + absl::Milliseconds(1), absl::Hours(1));
    const int polled = poll(&ready, 1, static_cast<int>(absl::ToInt64Milliseconds(step)));
    if (polled > 0) return absl::OkStatus();
    if (polled < 0 && errno != EINTR) return Errno("poll", errno);
  }
}

// Starts the program with these two as standard input and output, in a process group of its own so
// that what it starts can be killed with it, and with the signal handling that programs expect.
int Spawn(const std::string& program, const std::vector<std::string>& command, int in, int out,
          pid_t* pid) {
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&signals, signal);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const int error =
      posix_spawn(pid, program.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

absl::StatusOr<std::unique_ptr<EngineProcess>> EngineProcess::Start(
    const std::vector<std::string>& command) {
  if (command.empty()) return absl::InvalidArgumentError("no command");
  const std::string program = FindProgram(command[0]);
  if (program.empty()) {
    return absl::NotFoundError(absl::StrCat("there is no program '", Printable(command[0]),
                                            "' on PATH or in ", kGamesFolder));
  }
  std::array<int, 2> in = {};
  std::array<int, 2> out = {};
  if (pipe2(in.data(), O_CLOEXEC) != 0) return Errno("pipe", errno);
  if (pipe2(out.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    close(in[0]);
    close(in[1]);
    return Errno("pipe", error);
  }
  pid_t pid = 0;
  const int error = Spawn(program, command, in[0], out[1], &pid);
  close(in[0]);
  close(out[1]);
  if (error != 0) {
    close(in[1]);
    close(out[0]);
    return Errno(absl::StrCat("can't start ", Printable(program)), error);
  }
  // A program that reads nothing shall not hold us up.
  fcntl(in[1], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<EngineProcess>(new EngineProcess(pid, in[1], out[0]));
}

// While the process has not been waited for, no other has its number or that of its group.
EngineProcess::~EngineProcess() {
  if (in_ >= 0) close(in_);
  close(out_);
  kill(-pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

absl::Status EngineProcess::Send(absl::string_view line) {
  const std::string text = absl::StrCat(line, "\n");
  const absl::Time deadline = absl::Now() + kSendTimeout;
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(in_, text.data() + sent, text.size() - sent);
    if (n >= 0) {
      sent += static_cast<size_t>(n);
    } else if (errno == EAGAIN) {
      if (!WaitFor(in_, POLLOUT, deadline).ok()) {
        return absl::DeadlineExceededError("the engine does not read what is sent to it");
      }
    } else if (errno == EPIPE) {
      return absl::UnavailableError(DescribeEnd());
    } else if (errno != EINTR) {
      return Errno("the engine can't be written to", errno);
    }
  }
  return absl::OkStatus();
}

std::string EngineProcess::DescribeEnd() const {
  const absl::Time deadline = absl::Now() + kEndTimeout;
  do {
    siginfo_t info = {};
    // The process stays to be waited for.
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_) {
      if (info.si_code == CLD_EXITED) {
        return absl::StrCat("the engine has ended with status ", info.si_status);
      }
      return absl::StrCat("the engine was ended by signal ", info.si_status, " (",
                          strsignal(info.si_status), ")");
    }
    absl::SleepFor(absl::Milliseconds(1));
  } while (absl::Now() < deadline);
  return "the engine has closed its input or output";
}

absl::StatusOr<std::string> EngineProcess::ReadLine(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  for (;;) {
    const size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return line;
    }
    if (buffer_.size() > kMaxLine) return absl::UnavailableError("the engine's line never ends");
    if (absl::Status status = WaitFor(out_, POLLIN, deadline); !status.ok()) return status;
    std::array<char, 4096> chunk;
    const ssize_t n = read(out_, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return absl::UnavailableError(DescribeEnd());
    buffer_.append(chunk.data(), static_cast<size_t>(n));
  }
}

absl::StatusOr<std::vector<std::string>> EngineProcess::ReadUntil(absl::string_view prefix,
                                                                  absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  std::vector<std::string> lines;
  for (;;) {
    absl::StatusOr<std::string> line = ReadLine(deadline - absl::Now());
    if (!line.ok()) return line.status();
    lines.push_back(*std::move(line));
    if (absl::StartsWith(lines.back(), prefix)) return lines;
  }
}

void EngineProcess::Quit(absl::Duration grace) {
  const absl::Time deadline = absl::Now() + grace;
  const bool listens = Send("quit").ok();
  close(in_);
  in_ = -1;
  // A program that ends closes its output; one that goes on writing shall not wait for us.
  std::array<char, 4096> chunk;
  while (listens && WaitFor(out_, POLLIN, deadline).ok()) {
    const ssize_t n = read(out_, chunk.data(), chunk.size());
    if (n == 0 || (n < 0 && errno != EINTR)) return;
  }
}

std::string FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::vector<std::string> folders = absl::StrSplit(path == nullptr ? "" : path, ':');
  folders.emplace_back(kGamesFolder);
  for (const std::string& folder : folders) {
    std::string candidate = absl::StrCat(folder, "/", name);
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

std::string FindFairyStockfish() { return FindProgram("fairy-stockfish"); }

}  // namespace crossriver
