#include "tools/serve/request_guard.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

constexpr int kHttpPort = 80;  // which a Host header leaves out

}  // namespace

bool IsLoopback(absl::string_view host) {
  // A name such as 127.example.org may lead anywhere.
  const bool is_number = std::all_of(host.begin(), host.end(), [](char c) {
    return c == '.' || absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
  return host == "localhost" || host == "::1" || (is_number && absl::StartsWith(host, "127."));
}

RequestGuard::RequestGuard(int port, const std::vector<std::string>& names) {
  std::vector<std::string> all = {"localhost", "127.0.0.1", "::1"};
  all.insert(all.end(), names.begin(), names.end());
  for (const std::string& name : all) {
    const bool is_v6 = absl::StrContains(name, ':');
    const std::string host =
        absl::AsciiStrToLower(is_v6 ? absl::StrCat("[", name, "]") : std::string(name));
    hosts_.push_back(absl::StrCat(host, ":", port));
    if (port == kHttpPort) hosts_.push_back(host);
  }
}

bool RequestGuard::IsOwnHost(absl::string_view host) const {
  return std::find(hosts_.begin(), hosts_.end(), absl::AsciiStrToLower(host)) != hosts_.end();
}

absl::Status RequestGuard::Check(const RequestSource& source) const {
  if (!IsOwnHost(source.host)) {
    return absl::PermissionDeniedError(
        absl::StrCat("host '", Printable(source.host), "' is not this server: expected ",
                     hosts_.front(), " (--allow-host names others)"));
  }
  absl::string_view origin = source.origin;
  if (!origin.empty() && !(absl::ConsumePrefix(&origin, "http://") && IsOwnHost(origin))) {
    return absl::PermissionDeniedError("another site's page may not ask this server");
  }
  if (source.fetch_site == "cross-site" || source.fetch_site == "same-site") {
    return absl::PermissionDeniedError("another site's page may not ask this server");
  }
  return absl::OkStatus();
}

}  // namespace crossriver
