// Which requests a server answers that a browser on the same machine can reach.
//
// Any page a person visits may send requests to 127.0.0.1. Two checks keep them out: the Origin of
// what they send is theirs, and where they point a name of their own at 127.0.0.1 (DNS rebinding),
// the Host is theirs.
#ifndef CROSSRIVER_TOOLS_SERVE_REQUEST_GUARD_H_
#define CROSSRIVER_TOOLS_SERVE_REQUEST_GUARD_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace crossriver {

// Whether a host that the server is bound to is reached from this machine alone: 127.x.x.x, ::1 or
// localhost.
bool IsLoopback(absl::string_view host);

// The parts of a request that say where it comes from; empty where it has none of them.
struct RequestSource {
  std::string host;        // header Host
  std::string origin;      // header Origin
  std::string fetch_site;  // header Sec-Fetch-Site
};

// Immutable; may be shared by threads.
class RequestGuard {
 public:
  // `names`: hosts that the server goes by besides localhost, 127.0.0.1 and ::1, without a port.
  RequestGuard(int port, const std::vector<std::string>& names);

  // PermissionDenied for a Host that is not the server's, an Origin that is not its own page, and
  // for what a browser says another site has asked for.
  absl::Status Check(const RequestSource& source) const;

 private:
  bool IsOwnHost(absl::string_view host) const;

  std::vector<std::string> hosts_;  // lower case, as a Host header has them
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SERVE_REQUEST_GUARD_H_
