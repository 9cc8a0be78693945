// What the tests of the web server share: a small run, and requests over a real socket.
#ifndef CROSSRIVER_TESTS_TOOLS_SERVE_SERVE_HELPERS_H_
#define CROSSRIVER_TESTS_TOOLS_SERVE_SERVE_HELPERS_H_

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/scratch_folder.h"
#include "tools/serve/page_server.h"

namespace crossriver::testing {

// A run of minishogi with 20 random games and the tree of their openings, a checkpoint whose files
// are no networks, and a curve.
class SmallRun {
 public:
  static constexpr int kGames = 20;

  SmallRun();

  std::string path() const { return folder_.File("run"); }
  // All its files with their contents, but for what SQLite keeps beside a database that is open.
  std::vector<std::string> Contents() const;

 private:
  ScratchFolder folder_;
};

// Aborts on errors.
std::unique_ptr<PageServer> StartServer(const ServeOptions& options);

struct HttpAnswer {
  int status = 0;       // 0: none came
  std::string headers;  // with the first line
  std::string body;

  nlohmann::json Json() const { return nlohmann::json::parse(body, nullptr, false); }
};

// A connection of its own, to 127.0.0.1.
class Connection {
 public:
  explicit Connection(int port);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // As much of `text` as the server takes.
  void Send(const std::string& text);
  // Nothing more will be sent.
  void EndSending();
  // All until the server ends the connection.
  HttpAnswer Receive();

 private:
  int socket_ = -1;
};

// Sends bytes as they are.
HttpAnswer SendRaw(int port, const std::string& request);
// As the page asks. `headers`: further ones, each ending in "\r\n".
HttpAnswer Get(int port, const std::string& path, const std::string& headers = "");
HttpAnswer Post(int port, const std::string& path, const nlohmann::json& body,
                const std::string& headers = "");

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_TOOLS_SERVE_SERVE_HELPERS_H_
