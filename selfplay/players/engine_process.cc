#include "selfplay/players/engine_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"

namespace crossriver {
namespace {

constexpr size_t kMaxLine = 1 << 20;

absl::Status Errno(const std::string& what, int error) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::strerror(error)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<EngineProcess>> EngineProcess::Start(
    const std::vector<std::string>& command) {
  if (command.empty()) return absl::InvalidArgumentError("no command");
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0) return Errno("pipe", errno);
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    return Errno("pipe", errno);
  }
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  pid_t pid = 0;
  const int error =
      posix_spawnp(&pid, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  if (error != 0) {
    close(in[1]);
    close(out[0]);
    return Errno(absl::StrCat("can't start ", words[0]), error);
  }
  return std::unique_ptr<EngineProcess>(new EngineProcess(pid, in[1], out[0]));
}

EngineProcess::~EngineProcess() {
  close(in_);
  close(out_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

absl::Status EngineProcess::Send(absl::string_view line) {
  const std::string text = absl::StrCat(line, "\n");
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(in_, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Errno("the engine does not listen", errno);
    sent += static_cast<size_t>(n);
  }
  return absl::OkStatus();
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
    const absl::Duration left = deadline - absl::Now();
    pollfd ready = {out_, POLLIN, 0};
    const int milliseconds =
        static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(left, absl::Milliseconds(1))));
    const int polled = left > absl::ZeroDuration() ? poll(&ready, 1, milliseconds) : 0;
    if (polled < 0 && errno == EINTR) continue;
    if (polled == 0) return absl::DeadlineExceededError("the engine does not answer");
    char chunk[4096];
    const ssize_t n = read(out_, chunk, sizeof(chunk));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return absl::UnavailableError("the engine has ended");
    buffer_.append(chunk, static_cast<size_t>(n));
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

std::string FindFairyStockfish() {
  const char* path = std::getenv("PATH");
  std::vector<std::string> folders = absl::StrSplit(path == nullptr ? "" : path, ':');
  folders.push_back("/usr/games");  // where the distribution has it
  for (const std::string& folder : folders) {
    std::string candidate = absl::StrCat(folder, "/fairy-stockfish");
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

}  // namespace crossriver
