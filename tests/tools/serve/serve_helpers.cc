#include "tests/tools/serve/serve_helpers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/check.h"
#include "selfplay/openings/opening_update.h"
#include "selfplay/run_directory.h"
#include "tests/selfplay/store_helpers.h"
#include "tests/test_data.h"

namespace crossriver::testing {

SmallRun::SmallRun() {
  absl::StatusOr<RunDirectory> run = RunDirectory::Create(path(), "variant = \"minishogi\"\n");
  CR_CHECK_OK(run.status());
  OpenRun open(*std::move(run));
  open.AddGames(kGames);
  open.AddCheckpoint(1);
  CR_CHECK_OK(
      open.store->PutMetrics({{1, 10, "loss/total", 4.5, 0}, {2, 20, "loss/total", 4.25, 0}}));
  CR_CHECK_OK(open.store->Flush());
  OpeningUpdateOptions options;
  options.settings = OpeningSettings{.max_ply = 40, .min_games = 1};
  const PositionClasses classes(&RulesOf("minishogi"));
  CR_CHECK_OK(UpdateOpenings(classes, options, open.reader.get(), open.store.get()).status());
}

std::vector<std::string> SmallRun::Contents() const {
  std::vector<std::string> contents;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path())) {
    const std::string name = entry.path().string();
    if (!entry.is_regular_file() || name.ends_with("-shm") || name.ends_with("-wal")) continue;
    contents.push_back(name + "\n" + ReadBytes(name));
  }
  std::sort(contents.begin(), contents.end());
  return contents;
}

std::unique_ptr<PageServer> StartServer(const ServeOptions& options) {
  absl::StatusOr<std::unique_ptr<PageServer>> server = PageServer::Start(options);
  CR_CHECK_OK(server.status());
  return *std::move(server);
}

Connection::Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  CR_CHECK(socket_ >= 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CR_CHECK(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
}

Connection::~Connection() { close(socket_); }

void Connection::Send(const std::string& text) {
  size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += static_cast<size_t>(count);
  }
}

void Connection::EndSending() { shutdown(socket_, SHUT_WR); }

HttpAnswer Connection::Receive() {
  std::string text;
  char chunk[4096];
  while (true) {
    const ssize_t count = recv(socket_, chunk, sizeof(chunk), 0);
    if (count <= 0) break;
    text.append(chunk, static_cast<size_t>(count));
  }
  HttpAnswer answer;
  const size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos) return answer;
  answer.headers = text.substr(0, end + 2);
  answer.body = text.substr(end + 4);
  const size_t blank = text.find(' ');
  answer.status = std::atoi(text.c_str() + blank);
  return answer;
}

HttpAnswer SendRaw(int port, const std::string& request) {
  Connection connection(port);
  connection.Send(request);
  return connection.Receive();
}

HttpAnswer Get(int port, const std::string& path, const std::string& headers) {
  return SendRaw(port, "GET " + path + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port) +
                           "\r\n" + headers + "\r\n");
}

HttpAnswer Post(int port, const std::string& path, const nlohmann::json& body,
                const std::string& headers) {
  const std::string text = body.dump();
  return SendRaw(port, "POST " + path + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port) +
                           "\r\nContent-Type: application/json\r\nContent-Length: " +
                           std::to_string(text.size()) + "\r\n" + headers + "\r\n" + text);
}

}  // namespace crossriver::testing
