#include "tools/serve/page_server.h"

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "selfplay/json_text.h"
#include "tools/serve/api.h"
#include "tools/serve/bounded_server.h"
#include "tools/serve/page_files.h"
#include "tools/serve/request_guard.h"

namespace crossriver {
namespace {

constexpr int kBacklog = 1024;
constexpr auto kStopTime = std::chrono::milliseconds(1);
constexpr char kJsonType[] = "application/json";
constexpr int kNotAllowed = 405;
constexpr int kLengthRequired = 411;
constexpr int kTooLarge = 413;
constexpr int kUnsupportedType = 415;

// The page runs its own scripts and asks its own server; nothing else, and in nobody's frame.
constexpr char kContentPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void SetError(int status, absl::string_view why, httplib::Response* response) {
  response->status = status;
  response->set_content(JsonText({{"error", std::string(why)}}), kJsonType);
}

RequestSource SourceOf(const httplib::Request& request) {
  return {request.get_header_value("Host"), request.get_header_value("Origin"),
          request.get_header_value("Sec-Fetch-Site")};
}

// 0, or the status with which a POST is refused before its body is read.
int RefusalOfPost(const httplib::Request& request) {
  if (request.has_header("Content-Encoding")) return kUnsupportedType;
  if (request.has_header("Transfer-Encoding")) return kLengthRequired;
  uint64_t length = 0;
  if (request.get_header_value_count("Content-Length") != 1 ||
      !absl::SimpleAtoi(request.get_header_value("Content-Length"), &length)) {
    return kLengthRequired;
  }
  if (length > kMostBodyBytes) return kTooLarge;
  // A form of another site can send texts and forms without asking first, but no JSON.
  const std::string type = request.get_header_value("Content-Type");
  if (!absl::StartsWithIgnoreCase(type, kJsonType)) return kUnsupportedType;
  return 0;
}

const PageFile* FindPageFile(const std::string& path) {
  if (!absl::StartsWith(path, "/")) return nullptr;  // a target need not begin with one
  const std::string name = path == "/" ? "index.html" : path.substr(1);
  for (const PageFile& file : PageFiles()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

}  // namespace

class PageServer::Site {
 public:
  static absl::StatusOr<std::unique_ptr<Site>> Open(const ServeOptions& options) {
    std::unique_ptr<RunView> run;
    if (!options.run.empty()) {
      absl::StatusOr<std::unique_ptr<RunView>> opened = RunView::Open(options.run);
      if (!opened.ok()) return opened.status();
      run = *std::move(opened);
    }
    std::unique_ptr<Site> site(new Site(options, std::move(run)));
    if (absl::Status status = site->Listen(); !status.ok()) return status;
    return site;
  }

  ~Site() {
    ending_ = true;
    opponents_.Stop();
    server_.EndConnections();
    if (!thread_.joinable()) return;
    // A server that does not run yet, or not just now, takes no notice of being stopped.
    while (!finished_) {
      server_.stop();
      std::this_thread::sleep_for(kStopTime);
    }
    thread_.join();
  }

  int port() const { return port_; }

 private:
  Site(const ServeOptions& options, std::unique_ptr<RunView> run)
      : options_(options),
        run_(std::move(run)),
        variants_(run_ == nullptr ? std::nullopt : std::optional(run_->variants())),
        opponents_(run_.get(), options.device, options.opponents),
        server_(ConnectionLimits()) {
    if (run_ != nullptr) openings_ = std::make_unique<OpeningView>(run_.get());
    api_ = std::make_unique<Api>(run_.get(), openings_.get(), &opponents_, &variants_,
                                 options.networks);
  }

  absl::Status Listen() {
    SetUp();
    port_ = options_.port;
    if (port_ == 0) {
      port_ = server_.bind_to_any_port(options_.host);
    } else if (!server_.bind_to_port(options_.host, port_)) {
      port_ = -1;
    }
    if (port_ <= 0) {
      return absl::UnavailableError(absl::StrCat(
          "can't listen at ", options_.host, " port ", options_.port,
          ": it is in use, or no address of this machine; --port 0 takes any that is free"));
    }
    std::vector<std::string> names = options_.allowed_hosts;
    names.push_back(options_.host);
    guard_ = std::make_unique<RequestGuard>(port_, names);
    server_.SetBacklog(kBacklog);
    thread_ = std::thread([this] {
      // A connection that is gone before it is accepted may end the library's loop.
      while (!server_.listen_after_bind() && !ending_) {
        if (!server_.bind_to_port(options_.host, port_)) break;
        server_.SetBacklog(kBacklog);
      }
      finished_ = true;
    });
    return absl::OkStatus();
  }

  void SetUp() {
    const int threads = options_.threads;
    server_.new_task_queue = [threads] {
      return new httplib::ThreadPool(static_cast<size_t>(threads));
    };
    server_.set_payload_max_length(kMostBodyBytes);
    // Two servers on one port, which SO_REUSEPORT would allow, would share the requests.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    server_.set_default_headers({{"Content-Security-Policy", kContentPolicy},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Cache-Control", "no-store"}});
    server_.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          return Route(request, &response);
        });
    server_.Post("/api/[a-z]{1,20}",
                 [this](const httplib::Request& request, httplib::Response& response) {
                   AnswerApi(request, &response);
                 });
    server_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) SetError(response.status, "this can't be answered", &response);
    });
    server_.set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
          SetError(500, "this can't be answered", &response);
        });
  }

  // All but a POST's answer, which needs its body.
  httplib::Server::HandlerResponse Route(const httplib::Request& request,
                                         httplib::Response* response) {
    constexpr auto kDone = httplib::Server::HandlerResponse::Handled;
    if (absl::Status allowed = guard_->Check(SourceOf(request)); !allowed.ok()) {
      SetError(HttpStatus(allowed), std::string(allowed.message()), response);
      return kDone;
    }
    const bool is_api = absl::StartsWith(request.path, "/api/");
    if (request.method == "POST" && is_api) {
      const int refused = RefusalOfPost(request);
      if (refused == 0) return httplib::Server::HandlerResponse::Unhandled;
      SetError(refused,
               absl::StrCat("expected JSON of at most ", kMostBodyBytes,
                            " bytes, with its Content-Length"),
               response);
      return kDone;
    }
    if (request.method != "GET" && request.method != "HEAD") {
      response->set_header("Allow", "GET, HEAD");
      SetError(kNotAllowed, "expected GET", response);
      return kDone;
    }
    if (is_api) {
      AnswerApi(request, response);
    } else if (const PageFile* file = FindPageFile(request.path); file != nullptr) {
      response->status = 200;
      response->set_content(file->text, file->type);
    } else {
      SetError(404, "there is nothing of this name", response);
    }
    return kDone;
  }

  void AnswerApi(const httplib::Request& request, httplib::Response* response) {
    ApiRequest question;
    question.is_post = request.method == "POST";
    question.path = request.path;
    for (const auto& [name, value] : request.params) question.parameters.emplace(name, value);
    question.body = request.body;
    const absl::StatusOr<Json> answer = api_->Answer(question);
    if (!answer.ok()) {
      SetError(HttpStatus(answer.status()), std::string(answer.status().message()), response);
      return;
    }
    response->status = 200;
    response->set_content(JsonText(*answer), kJsonType);
  }

  const ServeOptions options_;
  const std::unique_ptr<RunView> run_;
  VariantLibrary variants_;
  Opponents opponents_;
  std::unique_ptr<OpeningView> openings_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<RequestGuard> guard_;  // made once the port is known
  BoundedServer server_;
  int port_ = -1;
  std::atomic<bool> ending_ = false;
  std::atomic<bool> finished_ = false;  // `thread_` has
  std::thread thread_;
};

PageServer::PageServer(std::unique_ptr<Site> site) : site_(std::move(site)) {}

PageServer::~PageServer() = default;

absl::StatusOr<std::unique_ptr<PageServer>> PageServer::Start(const ServeOptions& options) {
  absl::StatusOr<std::unique_ptr<Site>> site = Site::Open(options);
  if (!site.ok()) return site.status();
  return std::unique_ptr<PageServer>(new PageServer(*std::move(site)));
}

int PageServer::port() const { return site_->port(); }

}  // namespace crossriver
