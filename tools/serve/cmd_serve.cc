// crossriver serve: a page in the browser about a run, and to play at.
#include <poll.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/command.h"
#include "tools/evaluator_choice.h"
#include "tools/interrupt.h"
#include "tools/run_folder.h"
#include "tools/serve/page_server.h"
#include "tools/serve/request_guard.h"

namespace crossriver {
namespace {

constexpr int kDefaultPort = 8108;
constexpr int kLookMilliseconds = 200;  // whether Ctrl-C has come

// How the page is reached from this machine.
std::string AddressOf(const ServeOptions& options, int port) {
  const bool is_everywhere = options.host == "0.0.0.0" || options.host == "::";
  const std::string host = is_everywhere ? "localhost" : options.host;
  return absl::StrContains(host, ':') ? absl::StrCat("http://[", host, "]:", port, "/")
                                      : absl::StrCat("http://", host, ":", port, "/");
}

absl::Status RunServe(ServeOptions options) {
  // Another program takes over here where it can play with networks and this one can't.
  options.networks = CanOpenNetworks();
  std::signal(SIGPIPE, SIG_IGN);
  CatchInterrupts();
  const absl::StatusOr<std::unique_ptr<PageServer>> server = PageServer::Start(options);
  if (!server.ok()) return server.status();
  if (!IsLoopback(options.host)) {
    std::fprintf(stderr,
                 "Listening at %s: whoever reaches this machine over the network can look at the "
                 "run and have\nits processor think about moves. Nothing is encrypted, and nobody "
                 "is asked who they are.\n",
                 options.host.c_str());
  }
  std::printf("%s   (Ctrl-C ends)\n", AddressOf(options, (*server)->port()).c_str());
  std::fflush(stdout);
  while (!Interrupted()) poll(nullptr, 0, kLookMilliseconds);
  return absl::OkStatus();
}

}  // namespace

void AddServeCommand(CLI::App* app, Action* action) {
  auto options = std::make_shared<ServeOptions>();
  options->port = kDefaultPort;
  CLI::App* command = app->add_subcommand(
      "serve", "A page for the browser: curves, openings and games of a run; play against it");
  command->add_option("run", options->run, absl::StrCat(kRunHelp, "; without one, only to play"));
  command
      ->add_option("--port", options->port,
                   absl::StrCat("Port to listen at, default ", kDefaultPort, "; 0: any free one"))
      ->check(CLI::Range(0, 65535));
  command->add_option(
      "--host", options->host,
      "Address to listen at. The default 127.0.0.1 is reached from this machine alone; any other, "
      "such as 0.0.0.0, lets everybody on the network see the run and use the processor, without "
      "encryption or password");
  command->add_option("--allow-host", options->allowed_hosts,
                      "Further names under which browsers reach it, such as this machine's; "
                      "requests for other names are refused");
  command->add_option("--device", options->device, "Of networks: cpu, cuda:N or auto (default)");
  command->footer(
      "The run is only read; it may be training meanwhile.\n"
      "Examples:\n"
      "  crossriver serve runs/quickstart\n"
      "  crossriver serve --port 0\n"
      "  crossriver serve runs/quickstart --host 0.0.0.0 --allow-host mymachine.lan");
  SetAction(command, options, action, RunServe);
}

}  // namespace crossriver
