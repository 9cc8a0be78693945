// A headless Chromium, driven by its DevTools protocol over pipes.
#ifndef CROSSRIVER_TESTS_TOOLS_SERVE_BROWSER_H_
#define CROSSRIVER_TESTS_TOOLS_SERVE_BROWSER_H_

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/scratch_folder.h"

namespace crossriver::testing {

// One page. Ends the browser with it. Functions abort where the browser is gone or hangs.
class Browser {
 public:
  // Null where there is no Chromium.
  static std::unique_ptr<Browser> Start();
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void Open(const std::string& url);
  // CSS pixels, and the colours that the person prefers.
  void Show(int width, int height, bool dark);
  // The value of an expression, which may be a promise; {"error": …} where it throws.
  nlohmann::json Evaluate(const std::string& expression);
  // Until the expression is true; false after some seconds.
  bool WaitFor(const std::string& expression);
  // As a person's key: "ArrowLeft", "Enter".
  void Press(const std::string& key);
  // A click in the middle of what a selector finds; false where it finds nothing that is shown.
  bool Click(const std::string& selector);
  void Screenshot(const std::string& file);

  // What the page's scripts threw, and what the console has of errors.
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  Browser() = default;

  // Sends a command and waits for its result.
  nlohmann::json Call(const std::string& method, const nlohmann::json& parameters);
  nlohmann::json Read();
  void Note(const nlohmann::json& event);

  ScratchFolder profile_;
  pid_t process_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string buffer_;
  std::string session_;
  int next_id_ = 1;
  std::vector<std::string> errors_;
};

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_TOOLS_SERVE_BROWSER_H_
