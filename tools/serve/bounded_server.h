// An HTTP server of cpp-httplib that nobody can keep busy or fill up.
#ifndef CROSSRIVER_TOOLS_SERVE_BOUNDED_SERVER_H_
#define CROSSRIVER_TOOLS_SERVE_BOUNDED_SERVER_H_

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstddef>

namespace crossriver {

struct ConnectionLimits {
  // Of everything a connection sends, header and body.
  size_t request_bytes = size_t{1} << 20;
  // From the first byte waited for to the last one read, and for writing the answer.
  std::chrono::milliseconds read_time = std::chrono::seconds(10);
  std::chrono::milliseconds write_time = std::chrono::seconds(30);
};

// Each connection has one request, bounded in bytes and in time as a whole: the library alone
// bounds neither a header line, nor a body without a length, nor a client that sends a byte now and
// then. One request a connection also means that what is left of a refused body is never taken for
// the next request. Answers are neither compressed nor cut into ranges.
class BoundedServer : public httplib::Server {
 public:
  explicit BoundedServer(const ConnectionLimits& limits) : limits_(limits) {}

  // After a bind: how many connections may wait to be accepted.
  void SetBacklog(int connections);
  // Ends waiting for clients; call it besides stop().
  void EndConnections() { ending_ = true; }

 private:
  bool process_and_close_socket(socket_t socket) override;

  const ConnectionLimits limits_;
  std::atomic<bool> ending_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SERVE_BOUNDED_SERVER_H_
