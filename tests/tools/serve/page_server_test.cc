// The server over a real socket: what it answers, and what nobody can do to it.
#include "tools/serve/page_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/tools/serve/serve_helpers.h"
#include "tools/serve/page_files.h"

namespace crossriver {
namespace {

using ::crossriver::testing::Connection;
using ::crossriver::testing::Get;
using ::crossriver::testing::HttpAnswer;
using ::crossriver::testing::Post;
using ::crossriver::testing::SendRaw;
using ::crossriver::testing::SmallRun;
using ::crossriver::testing::StartServer;
using Body = nlohmann::json;

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class PageServerTest : public ::testing::Test {
 protected:
  PageServerTest() : server_(StartServer({.run = run_.path()})), port_(server_->port()) {}

  // A request as far as the blank line, which is not there.
  std::string Head(const std::string& first_line) const {
    return first_line + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port_) + "\r\n";
  }
  bool IsAlive() const { return Get(port_, "/api/overview").status == 200; }

  const SmallRun run_;
  const std::unique_ptr<PageServer> server_;
  const int port_;
};

TEST_F(PageServerTest, ServesEveryFileOfThePage) {
  EXPECT_GT(PageFiles().size(), 8u);
  for (const PageFile& file : PageFiles()) {
    const HttpAnswer answer = Get(port_, "/" + file.name);
    EXPECT_EQ(answer.status, 200) << file.name;
    EXPECT_EQ(answer.body, file.text) << file.name;
    EXPECT_TRUE(Contains(answer.headers, file.type)) << answer.headers;
  }
  const HttpAnswer page = Get(port_, "/", "Accept-Encoding: gzip, br\r\n");
  EXPECT_EQ(page.status, 200);
  for (const char* header :
       {"Content-Security-Policy: default-src 'none'", "nosniff", "no-store"}) {
    EXPECT_TRUE(Contains(page.headers, header)) << page.headers;
  }
  EXPECT_FALSE(Contains(page.headers, "Content-Encoding"));
  EXPECT_FALSE(Contains(page.headers, "Access-Control"));
}

// Whatever a file names outside the page would be loaded from there.
TEST_F(PageServerTest, NothingIsLoadedFromOutside) {
  for (const PageFile& file : PageFiles()) {
    std::string text = file.text;
    const std::string name_of_svg = "http://www.w3.org/2000/svg";
    for (size_t at = text.find(name_of_svg); at != std::string::npos; at = text.find(name_of_svg)) {
      text.erase(at, name_of_svg.size());
    }
    for (const char* part : {"http://", "https://", "src=\"//", "@import", "eval("}) {
      EXPECT_FALSE(Contains(text, part)) << file.name << ": " << part;
    }
  }
}

TEST_F(PageServerTest, AnswersTheApi) {
  const HttpAnswer overview = Get(port_, "/api/overview");
  ASSERT_EQ(overview.status, 200) << overview.body;
  EXPECT_EQ(overview.Json()["run"]["games"], SmallRun::kGames);
  const HttpAnswer curves = Get(port_, "/api/curves?names=loss%2Ftotal");
  EXPECT_EQ(curves.Json()["loss/total"].size(), 2u) << curves.body;
  const HttpAnswer position = Post(port_, "/api/position", {{"variant", "switchback"}});
  ASSERT_EQ(position.status, 200) << position.body;
  EXPECT_FALSE(position.Json()["moves"].empty());
  const Body opponent = {{"kind", "alphabeta"}, {"strength", 100}};
  const HttpAnswer reply =
      Post(port_, "/api/reply", {{"variant", "switchback"}, {"opponent", opponent}});
  EXPECT_EQ(reply.status, 200) << reply.body;
}

TEST_F(PageServerTest, OtherOriginsAndHostsAreRefused) {
  const std::string own = "http://localhost:" + std::to_string(port_);
  EXPECT_EQ(Get(port_, "/api/overview", "Origin: " + own + "\r\n").status, 200);
  EXPECT_EQ(Get(port_, "/api/overview", "Origin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(Get(port_, "/", "Sec-Fetch-Site: cross-site\r\n").status, 403);
  EXPECT_EQ(Post(port_, "/api/position", {{"variant", "shogi"}}, "Origin: null\r\n").status, 403);
  EXPECT_EQ(SendRaw(port_, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 403);
  EXPECT_EQ(SendRaw(port_, "GET / HTTP/1.0\r\n\r\n").status, 403);
}

TEST_F(PageServerTest, WrongRequests) {
  struct Case {
    std::string request;
    int status;
  };
  const std::string json = "Content-Type: application/json\r\n";
  const std::vector<Case> cases = {
      {Head("GET /nothing") + "\r\n", 404},
      {Head("GET /api/nothing") + "\r\n", 404},
      {Head("GET /../../../../etc/passwd") + "\r\n", 404},
      {Head("GET /%2e%2e/%2e%2e/etc/passwd") + "\r\n", 404},
      {Head("GET /..%5c..%5cconfig.toml") + "\r\n", 404},
      {Head("GET //etc/passwd") + "\r\n", 404},
      {Head("GET ?") + "\r\n", 404},
      {Head("GET #") + "\r\n", 404},
      {Head("GET /run.db") + "\r\n", 404},
      {Head("GET /app.js%00.html") + "\r\n", 404},
      {Head("GET /api/games/../../run.db") + "\r\n", 400},
      {Head("GET /api/variants/%2e%2e%2fshogi") + "\r\n", 404},
      {Head("PUT /api/position") + "Content-Length: 0\r\n\r\n", 405},
      {Head("DELETE /api/games/1") + "\r\n", 405},
      {Head("OPTIONS /api/position") + "\r\n", 405},
      {Head("POST /") + "Content-Length: 0\r\n\r\n", 405},
      {Head("GET /api/position") + "\r\n", 404},
      {Head("GET /api/reply") + "\r\n", 404},
      {Head("POST /api/overview") + json + "Content-Length: 2\r\n\r\n{}", 404},
      {Head("POST /api/position") + json + "\r\n", 411},
      {Head("POST /api/position") + json + "Content-Length: x\r\n\r\n", 411},
      {Head("POST /api/position") + json + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 411},
      {Head("POST /api/position") + json + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
       411},
      {Head("POST /api/position") + "Content-Length: 2\r\n\r\n{}", 415},
      {Head("POST /api/position") + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}", 415},
      {Head("POST /api/position") + json + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
       415},
      {Head("POST /api/position") + json + "Content-Length: 99999999999\r\n\r\n", 413},
      {Head("POST /api/position") + json + "Content-Length: 2\r\n\r\n{]", 400},
  };
  for (const Case& one : cases) {
    const HttpAnswer answer = SendRaw(port_, one.request);
    EXPECT_EQ(answer.status, one.status) << one.request << "\n" << answer.body;
    EXPECT_FALSE(Contains(answer.body, "root:")) << one.request;
  }
  EXPECT_TRUE(IsAlive());
}

TEST_F(PageServerTest, GarbageEndsAConnectionAndNothingElse) {
  std::string noise;
  for (int i = 0; i < 5000; ++i) noise += static_cast<char>(i * 7919 % 256);
  for (const std::string& request :
       {std::string("\r\n\r\n"), std::string("x\r\n\r\n"), noise, noise + "\r\n\r\n",
        std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        "GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\n\r\n",
        Head("GET /") + "X: " + std::string(200'000, 'b') + "\r\n\r\n",
        Head("GET /") + "Range: bytes=0-0,0-0,0-0,5-1,x\r\n\r\n"}) {
    Connection connection(port_);
    connection.Send(request);
    connection.EndSending();
    const HttpAnswer answer = connection.Receive();
    EXPECT_NE(answer.status, 500) << request.substr(0, 60) << answer.body;
  }
  EXPECT_TRUE(IsAlive());
}

// A body or a header without an end is read to a bound, not into memory.
TEST_F(PageServerTest, EndlessRequestsAreCutOff) {
  const std::string chunk(1 << 16, 'a');
  for (const std::string& head :
       {Head("POST /api/position") +
            "Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n",
        Head("GET /") + "X: ", std::string("GET /")}) {
    Connection connection(port_);
    connection.Send(head);
    for (int i = 0; i < 400; ++i) connection.Send(chunk);
    const HttpAnswer answer = connection.Receive();
    EXPECT_NE(answer.status, 200) << head;
  }
  EXPECT_TRUE(IsAlive());
}

// What follows a request in one connection is never taken for another one.
TEST_F(PageServerTest, OneRequestAConnection) {
  const std::string hidden = Head("GET /api/overview") + "\r\n";
  const HttpAnswer answer =
      SendRaw(port_, Head("POST /api/position") + "Content-Type: text/plain\r\nContent-Length: " +
                         std::to_string(hidden.size()) + "\r\n\r\n" + hidden);
  EXPECT_EQ(answer.status, 415);
  EXPECT_FALSE(Contains(answer.body, "HTTP/1.1")) << answer.body;
}

TEST_F(PageServerTest, ManyClientsAtOnce) {
  constexpr int kClients = 200;
  std::atomic<int> good = 0;
  std::atomic<int> busy = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([this, i, &good, &busy] {
      const Body opponent = {{"kind", "alphabeta"}, {"strength", 50}};
      const HttpAnswer answer =
          i % 4 == 0   ? Post(port_, "/api/reply", {{"variant", "shogi"}, {"opponent", opponent}})
          : i % 4 == 1 ? Get(port_, "/api/games/" + std::to_string(1 + i % SmallRun::kGames))
          : i % 4 == 2 ? Post(port_, "/api/openings", {{"variant", "minishogi"}})
                       : Get(port_, "/board.js");
      if (answer.status == 200) ++good;
      if (answer.status == 503) ++busy;
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good + busy, kClients);
  EXPECT_LE(busy, kClients / 4);  // of those that ask for a move alone
  EXPECT_TRUE(IsAlive());
}

TEST_F(PageServerTest, ClientsThatGoAway) {
  const std::string body = R"({"variant":"shogi","opponent":{"kind":"alphabeta","strength":3000}})";
  const std::string request =
      Head("POST /api/reply") +
      "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
      "\r\n\r\n" + body;
  for (size_t part = 1; part <= request.size(); part += 16) {
    Connection connection(port_);
    connection.Send(request.substr(0, part));
  }
  EXPECT_TRUE(IsAlive());
}

TEST_F(PageServerTest, NothingIsWrittenToTheRun) {
  const std::vector<std::string> before = run_.Contents();
  for (const char* path : {"/api/overview", "/api/curves?names=loss/total", "/api/games",
                           "/api/games/1", "/api/games/2?delete=1"}) {
    EXPECT_EQ(Get(port_, path).status, 200) << path;
  }
  EXPECT_EQ(Post(port_, "/api/openings", {{"variant", "minishogi"}}).status, 200);
  EXPECT_EQ(run_.Contents(), before);
}

TEST_F(PageServerTest, ARunThatDisappears) {
  ASSERT_EQ(Get(port_, "/api/games").status, 200);
  std::filesystem::remove_all(run_.path());
  for (const char* path :
       {"/api/overview", "/api/curves?names=loss/total", "/api/games", "/api/games/1"}) {
    const HttpAnswer answer = Get(port_, path);
    EXPECT_GE(answer.status, 400) << path;
    EXPECT_FALSE(answer.Json()["error"].get<std::string>().empty()) << path;
  }
  EXPECT_GE(Post(port_, "/api/openings", {{"variant", "minishogi"}}).status, 400);
  EXPECT_EQ(Get(port_, "/").status, 200);
  EXPECT_EQ(Post(port_, "/api/position", {{"variant", "minishogi"}}).status, 200);
}

TEST_F(PageServerTest, ARunThatIsDamaged) {
  testing::WriteBytes(run_.path() + "/run.db", std::string(5000, 'x'));
  for (const char* path : {"/api/overview", "/api/games", "/api/games/1"}) {
    EXPECT_GE(Get(port_, path).status, 400) << path;
  }
  EXPECT_EQ(Get(port_, "/").status, 200);
}

TEST(PageServerStartTest, WhatCantBeServedIsSaid) {
  const testing::ScratchFolder empty;
  EXPECT_FALSE(PageServer::Start({.run = empty.path()}).ok());
  EXPECT_FALSE(PageServer::Start({.run = "/nonexistent"}).ok());
  const std::unique_ptr<PageServer> first = StartServer({});
  ServeOptions same;
  same.port = first->port();
  EXPECT_FALSE(PageServer::Start(same).ok());
  ServeOptions elsewhere;
  elsewhere.host = "192.0.2.1";  // for documentation: no machine's
  EXPECT_FALSE(PageServer::Start(elsewhere).ok());
}

// A client that sends nothing must not keep the server from ending.
TEST(PageServerStartTest, EndsWhileClientsWait) {
  std::unique_ptr<PageServer> server = StartServer({});
  const Connection silent(server->port());
  Connection half(server->port());
  half.Send("GET / HTTP/1.1\r\nHost: ");
  EXPECT_EQ(Get(server->port(), "/").status, 200);
  server.reset();
}

}  // namespace
}  // namespace crossriver
