// The page in a browser, as a person uses it. CROSSRIVER_PAGE_RUN names a run to look at instead of
// a made-up one, CROSSRIVER_PAGE_URL a server that runs already (with networks that know more than
// the rules), CROSSRIVER_PAGE_SHOTS a folder for pictures. Skipped without Chromium.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mcts/uniform_evaluator.h"
#include "tests/tools/serve/browser.h"
#include "tests/tools/serve/serve_helpers.h"
#include "tools/evaluator_choice.h"

namespace crossriver {
namespace {

using ::crossriver::testing::Browser;
using ::crossriver::testing::SmallRun;
using ::crossriver::testing::StartServer;

constexpr int kWide = 1280;
constexpr int kNarrow = 390;  // a phone's
constexpr int kHeight = 850;

std::string FromEnvironmentText(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

// Networks that know nothing but the rules, so that checkpoints can be played without LibTorch.
absl::StatusOr<ChosenEvaluator> OpenUniform(const EvaluatorFlags&,
                                            const std::shared_ptr<const Rules>&, int) {
  return ChosenEvaluator{std::make_unique<UniformEvaluator>(), true, 1};
}

class PageBrowserTest : public ::testing::Test {
 protected:
  void SetUp() override {
    browser_ = Browser::Start();
    if (browser_ == nullptr) GTEST_SKIP() << "there is no Chromium";
    address_ = FromEnvironmentText("CROSSRIVER_PAGE_URL");
    if (!address_.empty()) return;
    SetNetworkOpener(OpenUniform);
    ServeOptions options;
    const std::string run = FromEnvironmentText("CROSSRIVER_PAGE_RUN");
    options.run = run.empty() ? run_.path() : run;
    options.networks = true;
    server_ = StartServer(options);
    address_ = "http://127.0.0.1:" + std::to_string(server_->port());
  }

  void TearDown() override {
    if (browser_ == nullptr) return;
    EXPECT_EQ(browser_->errors(), std::vector<std::string>());
  }

  void Open(const std::string& view) { browser_->Open(address_ + "/#" + view); }
  int Count(const std::string& selector) {
    const nlohmann::json count =
        browser_->Evaluate("document.querySelectorAll('" + selector + "').length");
    return count.is_number() ? count.get<int>() : -1;
  }
  std::string Text(const std::string& selector) {
    const nlohmann::json text =
        browser_->Evaluate("document.querySelector('" + selector + "')?.textContent");
    return text.is_string() ? text.get<std::string>() : "";
  }
  // Nothing sticks out to the right.
  bool Fits() {
    return browser_->Evaluate("document.documentElement.scrollWidth <= innerWidth") == true;
  }
  // At all widths and colours: what is there fits, and a picture of it where one is wanted.
  void Look(const std::string& name) {
    const std::string folder = FromEnvironmentText("CROSSRIVER_PAGE_SHOTS");
    for (const int width : {kNarrow, kWide}) {
      for (const bool dark : {true, false}) {
        browser_->Show(width, kHeight, dark);
        EXPECT_TRUE(Fits()) << name << " at " << width;
        if (folder.empty()) continue;
        browser_->Screenshot(absl::StrCat(folder, "/", name, width == kWide ? "-wide" : "-narrow",
                                          dark ? "-dark" : "-light", ".png"));
      }
    }
  }
  void NewGame(const std::string& variant, const std::string& opponent, const std::string& fen) {
    browser_->Evaluate("(() => { const v = document.getElementById('variant'); v.value = '" +
                       variant + "'; v.dispatchEvent(new Event('change')); })()");
    EXPECT_TRUE(browser_->WaitFor("document.querySelectorAll('.cell').length > 0"));
    browser_->Evaluate(
        "(() => { const o = document.getElementById('opponent'); o.value = [...o"
        ".options].find((one) => one.text.startsWith('" +
        opponent +
        "')).value; o.dispatchEvent(new Event('change')); "
        "document.getElementById('strength').value = 4; "
        "document.getElementById('fen').value = '" +
        fen + "'; document.getElementById('new-game').click(); })()");
    EXPECT_TRUE(YourMove()) << Text("#status") << Text("#message");
  }
  // Whether the variant that is chosen can be played against such an opponent.
  bool Offers(const std::string& opponent) {
    return browser_->Evaluate(
               "[...document.getElementById('opponent').options].some((one) => "
               "one.text.startsWith('" +
               opponent + "'))") == true;
  }
  bool YourMove() {
    return browser_->WaitFor("document.getElementById('status').textContent.startsWith('Your')");
  }
  // Waits until so many moves have been played.
  bool Played(int moves) {
    return browser_->WaitFor("document.querySelectorAll('.moves > span').length === " +
                             std::to_string(moves)) &&
           YourMove();
  }

  const SmallRun run_;
  std::unique_ptr<PageServer> server_;
  std::string address_;
  std::unique_ptr<Browser> browser_;
};

TEST_F(PageBrowserTest, Curves) {
  Open("training");
  ASSERT_TRUE(browser_->WaitFor("document.querySelector('.curve-0')"));
  EXPECT_NE(Text(".tiles").find("Games"), std::string::npos) << Text(".tiles");
  EXPECT_EQ(Text("#message"), "");
  Look("training");
}

TEST_F(PageBrowserTest, StepsThroughAGame) {
  Open("games");
  ASSERT_TRUE(browser_->WaitFor("document.querySelectorAll('.moves button').length > 3"));
  EXPECT_GE(Count("[data-cell]"), 25);
  const std::string before = Text(".piece");
  for (int i = 0; i < 3; ++i) browser_->Press("ArrowRight");
  EXPECT_TRUE(browser_->WaitFor("document.querySelector('input[type=range]').value === '3'"));
  EXPECT_EQ(Count("[aria-current=true]"), 1);
  EXPECT_GE(Count(".cell.last"), 1);
  Look("games");
  browser_->Press("Home");
  EXPECT_TRUE(browser_->WaitFor("document.querySelector('input[type=range]').value === '0'"));
  EXPECT_EQ(Text(".piece"), before);
}

TEST_F(PageBrowserTest, TwoPliesDownTheOpenings) {
  Open("openings");
  for (int ply = 1; ply <= 2; ++ply) {
    ASSERT_TRUE(browser_->WaitFor("document.querySelector('tr[data-move]')"));
    ASSERT_TRUE(browser_->Click("tr[data-move] button"));
    ASSERT_TRUE(browser_->WaitFor("document.querySelectorAll('.moves button').length === " +
                                  std::to_string(1 + ply)));
  }
  Look("openings");
  browser_->Press("Backspace");
  EXPECT_TRUE(browser_->WaitFor("document.querySelectorAll('.moves button').length === 2"));
}

// The folded board: three levels, and what a piece reaches is lit on all of them.
TEST_F(PageBrowserTest, ThreeMovesOnTheFoldedBoard) {
  Open("play");
  ASSERT_TRUE(browser_->WaitFor("document.querySelector('#variant option')"));
  NewGame("switchback", "Alpha-beta", "3k5/9/9/9/4R4/9/9/9/9/5K3 w 0 1");
  EXPECT_EQ(Count("[data-cell]"), 90);
  ASSERT_TRUE(browser_->Click("[data-cell=e6]"));
  ASSERT_TRUE(browser_->WaitFor("document.querySelector('.cell.lit')"));
  const nlohmann::json lit = browser_->Evaluate(
      "[...document.querySelectorAll('.cell.lit')].map((c) => c.dataset.cell[0]).join('')");
  for (const char file : {'b', 'e', 'h'}) {  // above and below each other
    EXPECT_NE(lit.get<std::string>().find(file), std::string::npos) << lit;
  }
  Look("switchback-picked");
  browser_->Press("Escape");
  NewGame("switchback", Offers("Checkpoint") ? "Checkpoint" : "Alpha-beta", "");
  // Three of these; an answer can make one impossible.
  int moves = 0;
  for (const std::string move : {"a4a5", "c4c5", "e4e5", "g4g5", "i4i5"}) {
    const std::string to = "[data-cell=" + move.substr(2) + "]";
    ASSERT_TRUE(browser_->Click("[data-cell=" + move.substr(0, 2) + "]"));
    if (Count(to + ".lit") == 0) {
      browser_->Press("Escape");
      continue;
    }
    ASSERT_TRUE(browser_->Click(to));
    moves += 2;
    ASSERT_TRUE(Played(moves)) << move << Text("#status") << Text("#message");
    if (moves == 6) break;
  }
  EXPECT_EQ(moves, 6);
  Look("switchback");
}

TEST_F(PageBrowserTest, DropsAPieceAndPromotes) {
  Open("play");
  ASSERT_TRUE(browser_->WaitFor("document.querySelector('#variant option')"));
  NewGame("shoxiang-sh-standard", "Random",
          "whsgkgshw/rne1b1enr/pcp1p1pcp/p1p1p1p1p/9/9/9/9/P1P1P1P1P/PCP1P1PCP/RNE1B1ENR/WHSGKGSHW"
          "[Ss] w 0 1");
  EXPECT_EQ(Count("[data-cell]"), 108);
  EXPECT_EQ(Count("[data-hand=S]"), 2);
  ASSERT_TRUE(browser_->Click("[data-hand=S]:enabled"));
  ASSERT_TRUE(browser_->WaitFor("document.querySelector('.cell.lit')"));
  Look("shoxiang");
  ASSERT_TRUE(browser_->Click("[data-cell=e6]"));
  ASSERT_TRUE(Played(2)) << Text("#status") << Text("#message");
  EXPECT_NE(Text(".moves").find("S@e6"), std::string::npos) << Text(".moves");
  ASSERT_TRUE(browser_->Click("#undo"));
  ASSERT_TRUE(Played(0));
  NewGame("minishogi", "Random", "4k/S4/5/5/K4[] w 0 1");
  ASSERT_TRUE(browser_->Click("[data-cell=a4]"));
  ASSERT_TRUE(browser_->Click("[data-cell=a5]"));
  ASSERT_TRUE(browser_->WaitFor("document.querySelectorAll('.chooser button').length === 3"));
  ASSERT_TRUE(browser_->Click(".chooser button:nth-of-type(2)"));
  ASSERT_TRUE(Played(2)) << Text("#status") << Text("#message");
  EXPECT_NE(Text(".moves").find("a4a5+"), std::string::npos) << Text(".moves");
}

TEST_F(PageBrowserTest, AgainstACheckpointByKeyboard) {
  Open("play");
  ASSERT_TRUE(browser_->WaitFor("document.querySelector('#variant option')"));
  NewGame("minishogi", "Random", "");
  if (!Offers("Checkpoint")) GTEST_SKIP() << "the run has no networks of its own variant";
  NewGame("minishogi", "Checkpoint", "");
  browser_->Evaluate("document.querySelector('.board > svg').focus()");
  // From a1 to the pawn on a2, and a step.
  for (const char* key : {"ArrowUp", "ArrowUp", "Enter", "ArrowUp", "Enter"}) browser_->Press(key);
  EXPECT_TRUE(Played(2)) << Text("#status") << Text("#message");
  EXPECT_NE(Text(".moves").find("a2a3"), std::string::npos) << Text(".moves");
  ASSERT_TRUE(browser_->Click("#hint"));
  EXPECT_TRUE(browser_->WaitFor("document.querySelector('.arrow')"));
}

}  // namespace
}  // namespace crossriver
