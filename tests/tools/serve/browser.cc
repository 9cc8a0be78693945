#include "tests/tools/serve/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "absl/strings/escaping.h"
#include "core/check.h"

namespace crossriver::testing {
namespace {

using Json = nlohmann::json;

constexpr auto kAnswerTime = std::chrono::seconds(60);  // of a busy machine
constexpr auto kWaitTime = std::chrono::seconds(20);
constexpr auto kLookTime = std::chrono::milliseconds(50);
// Where the browser reads commands, and writes answers.
constexpr int kCommandDescriptor = 3;
constexpr int kAnswerDescriptor = 4;

std::string FindChromium() {
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser"}) {
    if (access(path, X_OK) == 0) return path;
  }
  return "";
}

// In the child: becomes the browser.
[[noreturn]] void Become(const std::string& program, const std::string& profile, int commands,
                         int answers) {
  // Above both targets first, so that neither is overwritten.
  const int in = fcntl(commands, F_DUPFD, kAnswerDescriptor + 1);
  const int out = fcntl(answers, F_DUPFD, kAnswerDescriptor + 1);
  dup2(in, kCommandDescriptor);
  dup2(out, kAnswerDescriptor);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  const std::string folder = "--user-data-dir=" + profile;
  execl(program.c_str(), program.c_str(), "--headless=new", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
        "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
        "--remote-debugging-pipe", folder.c_str(), "about:blank", nullptr);
  _exit(127);
}

}  // namespace

std::unique_ptr<Browser> Browser::Start() {
  const std::string program = FindChromium();
  if (program.empty()) return nullptr;
  std::unique_ptr<Browser> browser(new Browser);
  int commands[2];
  int answers[2];
  CR_CHECK(pipe2(commands, O_CLOEXEC) == 0 && pipe2(answers, O_CLOEXEC) == 0);
  browser->process_ = fork();
  CR_CHECK(browser->process_ >= 0);
  if (browser->process_ == 0) Become(program, browser->profile_.path(), commands[0], answers[1]);
  close(commands[0]);
  close(answers[1]);
  browser->to_ = commands[1];
  browser->from_ = answers[0];
  const Json target = browser->Call("Target.createTarget", {{"url", "about:blank"}});
  const Json session =
      browser->Call("Target.attachToTarget", {{"targetId", target["targetId"]}, {"flatten", true}});
  browser->session_ = session["sessionId"].get<std::string>();
  for (const char* domain : {"Page.enable", "Runtime.enable", "Log.enable"}) {
    browser->Call(domain, Json::object());
  }
  return browser;
}

Browser::~Browser() {
  close(to_);
  close(from_);
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

Json Browser::Read() {
  size_t end = 0;
  while ((end = buffer_.find('\0')) == std::string::npos) {
    pollfd waiting = {from_, POLLIN, 0};
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(kAnswerTime);
    CR_CHECK(poll(&waiting, 1, static_cast<int>(time.count())) > 0);
    char chunk[1 << 16];
    const ssize_t count = read(from_, chunk, sizeof(chunk));
    CR_CHECK(count > 0);
    buffer_.append(chunk, static_cast<size_t>(count));
  }
  Json message = Json::parse(buffer_.substr(0, end));
  buffer_.erase(0, end + 1);
  return message;
}

void Browser::Note(const Json& event) {
  const std::string method = event.value("method", "");
  if (method == "Runtime.exceptionThrown") {
    errors_.push_back(event["params"]["exceptionDetails"].dump());
  }
  if (method == "Log.entryAdded" && event["params"]["entry"]["level"] == "error") {
    errors_.push_back(event["params"]["entry"].dump());
  }
}

Json Browser::Call(const std::string& method, const Json& parameters) {
  const int id = next_id_++;
  Json command = {{"id", id}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) command["sessionId"] = session_;
  std::string text = command.dump();
  text.push_back('\0');
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = write(to_, text.data() + done, text.size() - done);
    CR_CHECK(count > 0);
    done += static_cast<size_t>(count);
  }
  while (true) {
    const Json message = Read();
    if (message.value("id", 0) == id) {
      return message.contains("result") ? message["result"] : Json{{"error", message["error"]}};
    }
    Note(message);
  }
}

void Browser::Open(const std::string& url) {
  // Another part behind '#' alone would not load the page anew.
  Call("Page.navigate", {{"url", "about:blank"}});
  Call("Page.navigate", {{"url", url}});
  WaitFor("document.readyState === 'complete'");
}

void Browser::Show(int width, int height, bool dark) {
  Call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 600}});
  const Json scheme = {{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}};
  Call("Emulation.setEmulatedMedia", {{"features", Json::array({scheme})}});
}

Json Browser::Evaluate(const std::string& expression) {
  const Json result =
      Call("Runtime.evaluate",
           {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (result.contains("exceptionDetails")) return {{"error", result["exceptionDetails"]}};
  return result["result"].value("value", Json());
}

bool Browser::WaitFor(const std::string& expression) {
  const auto until = std::chrono::steady_clock::now() + kWaitTime;
  while (std::chrono::steady_clock::now() < until) {
    if (Evaluate("Boolean(" + expression + ")") == Json(true)) return true;
    std::this_thread::sleep_for(kLookTime);
  }
  return false;
}

void Browser::Press(const std::string& key) {
  const Json event = {{"key", key}, {"code", key}};
  for (const char* type : {"rawKeyDown", "keyUp"}) {
    Json parameters = event;
    parameters["type"] = type;
    Call("Input.dispatchKeyEvent", parameters);
  }
}

bool Browser::Click(const std::string& selector) {
  const Json at = Evaluate(
      "(() => { const e = document.querySelector(" + Json(selector).dump() +
      "); if (!e) return null; e.scrollIntoView({block: 'center'}); const b = "
      "e.getBoundingClientRect(); return b.width ? [b.x + b.width / 2, b.y + b.height / 2] : null; "
      "})()");
  if (!at.is_array()) return false;
  Call("Input.dispatchMouseEvent", {{"type", "mouseMoved"}, {"x", at[0]}, {"y", at[1]}});
  for (const char* type : {"mousePressed", "mouseReleased"}) {
    Call("Input.dispatchMouseEvent", {{"type", type},
                                      {"x", at[0]},
                                      {"y", at[1]},
                                      {"button", "left"},
                                      {"buttons", 1},
                                      {"clickCount", 1}});
  }
  return true;
}

void Browser::Screenshot(const std::string& file) {
  const Json shot = Call("Page.captureScreenshot", {{"format", "png"}});
  std::string bytes;
  CR_CHECK(absl::Base64Unescape(shot["data"].get<std::string>(), &bytes));
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace crossriver::testing
