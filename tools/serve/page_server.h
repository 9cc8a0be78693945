// The web server: the page's files and the API, on a socket of its own.
#ifndef CROSSRIVER_TOOLS_SERVE_PAGE_SERVER_H_
#define CROSSRIVER_TOOLS_SERVE_PAGE_SERVER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/serve/opponents.h"

namespace crossriver {

inline constexpr size_t kMostBodyBytes = size_t{256} << 10;  // of a request

struct ServeOptions {
  std::string run;  // a folder; empty: none
  // Where to listen: 127.0.0.1 is reached from this machine alone.
  std::string host = "127.0.0.1";
  int port = 0;  // 0: any that is free
  // Names besides localhost and its numbers under which browsers may reach it.
  std::vector<std::string> allowed_hosts = {};
  std::string device = "auto";  // of networks
  bool networks = false;        // whether this program can load them
  int threads = 16;             // that answer
  OpponentLimits opponents = {};
};

// Answers from Start on until it is destroyed, on threads of its own. Reads the run, writes
// nothing.
class PageServer {
 public:
  // Errors: a folder that is no run, a host or port that can't be listened at.
  static absl::StatusOr<std::unique_ptr<PageServer>> Start(const ServeOptions& options);
  // Ends all that is under way, and waits for it.
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  int port() const;

 private:
  class Site;  // what is answered (page_server.cc): keeps the library out of this header

  explicit PageServer(std::unique_ptr<Site> site);

  std::unique_ptr<Site> site_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SERVE_PAGE_SERVER_H_
