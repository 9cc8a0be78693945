#include "tools/serve/bounded_server.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace crossriver {
namespace {

using Clock = std::chrono::steady_clock;

// How often a waiting connection looks whether the server ends.
constexpr auto kPollTime = std::chrono::milliseconds(100);
// A refused request is read on for so long, so that the client gets the answer and no reset.
constexpr auto kDrainTime = std::chrono::milliseconds(500);
constexpr size_t kDrainBytes = size_t{4} << 20;
constexpr size_t kReadBuffer = 4096;  // the library asks for single bytes of a header

// A connected socket with limits; does not own it.
class BoundedStream : public httplib::Stream {
 public:
  BoundedStream(socket_t socket, const ConnectionLimits& limits, const std::atomic<bool>* ending)
      : socket_(socket),
        limits_(limits),
        ending_(*ending),
        read_until_(Clock::now() + limits.read_time) {}

  bool is_readable() const override { return next_ < buffer_.size() || Wait(POLLIN, read_until_); }
  bool is_writable() const override { return Wait(POLLOUT, WriteDeadline()); }

  ssize_t read(char* data, size_t size) override {
    if (next_ == buffer_.size() && !Fill()) return at_end_ ? 0 : -1;
    const size_t count = std::min(size, buffer_.size() - next_);
    std::copy_n(buffer_.data() + next_, count, data);
    next_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* data, size_t size) override {
    size_t done = 0;
    while (done < size) {
      if (!Wait(POLLOUT, WriteDeadline())) return -1;
      const ssize_t sent = send(socket_, data + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent > 0) {
        done += static_cast<size_t>(sent);
      } else if (errno != EAGAIN && errno != EINTR) {
        return -1;
      }
    }
    return static_cast<ssize_t>(size);
  }

  // Nobody asks: what a client's address is makes no difference.
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  socket_t socket() const override { return socket_; }

  // Reads on and forgets, until the client ends or enough has been waited.
  void Drain() {
    shutdown(socket_, SHUT_WR);
    const Clock::time_point until = Clock::now() + kDrainTime;
    std::vector<char> rest(kReadBuffer);
    size_t drained = 0;
    while (drained < kDrainBytes && Wait(POLLIN, until)) {
      const ssize_t count = recv(socket_, rest.data(), rest.size(), MSG_DONTWAIT);
      if (count <= 0) return;
      drained += static_cast<size_t>(count);
    }
  }

 private:
  // Writing begins when the request has been answered, however long that took.
  Clock::time_point WriteDeadline() const {
    if (write_until_ == Clock::time_point()) write_until_ = Clock::now() + limits_.write_time;
    return write_until_;
  }

  bool Wait(int16_t events, Clock::time_point until) const {
    while (!ending_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
      if (left.count() <= 0) return false;
      pollfd waiting = {socket_, events, 0};
      const int ready = poll(&waiting, 1, static_cast<int>(std::min(left, kPollTime).count() + 1));
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) return false;
    }
    return false;
  }

  bool Fill() {
    if (total_ >= limits_.request_bytes || !Wait(POLLIN, read_until_)) return false;
    buffer_.resize(std::min(kReadBuffer, limits_.request_bytes - total_));
    const ssize_t count = recv(socket_, buffer_.data(), buffer_.size(), 0);
    buffer_.resize(count > 0 ? static_cast<size_t>(count) : 0);
    next_ = 0;
    at_end_ = count == 0;
    total_ += buffer_.size();
    return !buffer_.empty();
  }

  const socket_t socket_;
  const ConnectionLimits& limits_;
  const std::atomic<bool>& ending_;
  const Clock::time_point read_until_;
  mutable Clock::time_point write_until_;
  std::vector<char> buffer_;
  size_t next_ = 0;   // in it
  size_t total_ = 0;  // read so far
  bool at_end_ = false;
};

}  // namespace

void BoundedServer::SetBacklog(int connections) { ::listen(svr_sock_, connections); }

bool BoundedServer::process_and_close_socket(socket_t socket) {
  BoundedStream stream(socket, limits_, &ending_);
  bool ok = false;
  try {
    bool closed = false;
    ok = process_request(stream, /*close_connection=*/true, closed, [](httplib::Request& request) {
      request.headers.erase("Accept-Encoding");
      request.ranges.clear();
    });
  } catch (const std::exception&) {
    ok = false;  // whatever a client sends ends its connection, not the server
  }
  stream.Drain();
  close(socket);
  return ok;
}

}  // namespace crossriver
