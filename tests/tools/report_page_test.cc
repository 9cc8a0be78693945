// Reports as pages, text and JSON.
#include "tools/report_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mcts/random.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/test_data.h"
#include "tools/report_charts.h"
#include "tools/report_json.h"

namespace crossriver {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RulesOf;
using testing::SharedRulesOf;

constexpr char kBadName[] = "A <b>&\"game\"";

// The variant under another name.
std::shared_ptr<const Rules> Renamed(const std::string& variant, const std::string& name) {
  VariantDefinition definition = RulesOf(variant).definition();
  definition.name = name;
  return *Rules::Compile(std::move(definition));
}

ReportSubject SubjectOf(const std::shared_ptr<const Rules>& rules, int games) {
  ReportSubject subject;
  subject.label = rules->definition().name;
  subject.report.rules = rules;
  const MaterialColumns columns(*rules);
  MaterialSamples samples(columns.size());
  for (int id = 1; id <= games; ++id) {
    GameRecord record = testing::RandomRecord(*rules, static_cast<uint64_t>(id), 150);
    const absl::StatusOr<GameFacts> facts = ExamineGame(columns, record);
    EXPECT_TRUE(facts.ok()) << facts.status();
    subject.report.statistics.Add(*facts, 1 + id / 20);
    if (record.result == Result::kNone) continue;
    samples.AddGame(facts->material, record.result == Result::kWin ? 1 : 0);
  }
  subject.report.different_games = games;
  subject.report.worths = EstimatePieceWorths(columns, samples);
  return subject;
}

// Points for every piece, as from strong players.
void MakeUpPoints(ReportSubject* subject) {
  PieceWorths worths;
  const MaterialColumns columns(*subject->report.rules);
  for (int i = 0; i < columns.size(); ++i) {
    const double points = 1 + 0.5 * i;
    worths.pieces.push_back({columns.column(i),
                             {points, points - 0.2, points + 0.2},
                             {0.6, 0.5, 0.7},
                             Estimate{points, points - 0.2, points + 0.2}});
  }
  worths.games = 1000;
  subject->report.worths = std::move(worths);
}

// What is wrong with a page as XML: elements that are not closed, values that are not quoted,
// unknown entities; empty where nothing is.
class MarkupCheck {
 public:
  explicit MarkupCheck(const std::string& page) : page_(page) {}

  std::string Error() {
    const std::string doctype = "<!DOCTYPE html>\n";
    if (page_.rfind(doctype, 0) != 0) return "no doctype";
    at_ = doctype.size();
    while (at_ < page_.size()) {
      std::string error;
      if (page_[at_] == '<') {
        error = Element();
      } else if (page_[at_] == '&') {
        error = Entity();
      } else if (page_[at_] == '>') {
        error = "a bare >";
      } else {
        ++at_;
      }
      if (!error.empty()) return absl::StrCat(error, ": ", page_.substr(at_, 60));
    }
    return open_.empty() ? "" : "not closed: " + open_.back();
  }

 private:
  std::string Entity() {
    for (const std::string entity : {"&amp;", "&lt;", "&gt;", "&quot;"}) {
      if (page_.compare(at_, entity.size(), entity) != 0) continue;
      at_ += entity.size();
      return "";
    }
    return "an unknown entity";
  }

  std::string Name() {
    const size_t begin = at_;
    while (at_ < page_.size() && (std::isalnum(static_cast<unsigned char>(page_[at_])) != 0 ||
                                  page_[at_] == '-' || page_[at_] == ':')) {
      ++at_;
    }
    return page_.substr(begin, at_ - begin);
  }

  std::string Element() {
    ++at_;
    const bool closing = page_[at_] == '/';
    if (closing) ++at_;
    const std::string name = Name();
    if (name.empty()) return "no name of an element";
    if (closing) {
      if (open_.empty() || open_.back() != name) return "closes what is not open, " + name;
      open_.pop_back();
      return page_[at_++] == '>' ? "" : "no > of a closing element";
    }
    while (page_[at_] == ' ') {
      ++at_;
      if (Name().empty()) return "no name of an attribute";
      if (page_.compare(at_, 2, "=\"") != 0) return "no value of an attribute";
      const size_t end = page_.find_first_of("\"<", at_ + 2);
      if (end == std::string::npos || page_[end] == '<') return "a value that is not closed";
      at_ = end + 1;
    }
    if (page_.compare(at_, 2, "/>") == 0) {
      at_ += 2;
      return "";
    }
    if (page_[at_] != '>') return "no > of an element";
    ++at_;
    open_.push_back(name);
    return "";
  }

  const std::string& page_;
  size_t at_ = 0;
  std::vector<std::string> open_;
};

TEST(MarkupCheckTest, FindsWhatIsWrong) {
  for (const char* bad : {"<p>", "<p></b>", "</p>", "<p a=b></p>", "&nbsp;", "<p a=\"<\"></p>"}) {
    EXPECT_NE(MarkupCheck(absl::StrCat("<!DOCTYPE html>\n", bad)).Error(), "") << bad;
  }
  EXPECT_EQ(MarkupCheck("<!DOCTYPE html>\n<p a=\"b\">&amp;<br/></p>").Error(), "");
}

void ExpectGoodPage(const std::string& page) {
  EXPECT_EQ(MarkupCheck(page).Error(), "");
  for (const char* loads : {"src=", "href=", "url(", "@import", "<script", "<link"}) {
    EXPECT_THAT(page, Not(HasSubstr(loads)));
  }
  EXPECT_THAT(page, Not(HasSubstr("nan")));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page, HasSubstr("width=device-width"));
}

class ReportPageTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ReportPageTest, OfOneRun) {
  std::vector<ReportSubject> subjects = {SubjectOf(SharedRulesOf(GetParam()), 60)};
  std::string page = ReportPage(subjects);
  ExpectGoodPage(page);
  EXPECT_THAT(page, HasSubstr("no piece values"));
  EXPECT_EQ(page.find("displacer captures") != std::string::npos,
            HasDisplacers(RulesOf(GetParam())));
  EXPECT_EQ(page.find("<span>drops</span>") != std::string::npos, RulesOf(GetParam()).has_drops());
  MakeUpPoints(&subjects[0]);
  page = ReportPage(subjects);
  ExpectGoodPage(page);
  EXPECT_THAT(page, HasSubstr("What pieces are worth, in points"));
  EXPECT_LT(page.size(), 300'000U);
}

INSTANTIATE_TEST_SUITE_P(Variants, ReportPageTest,
                         ::testing::Values("minishogi", "switchback", "shoxiang-sh-strong"),
                         [](const auto& variant) { return testing::TestName(variant.param); });

TEST(ReportPageTest, NamesAreEscaped) {
  std::vector<ReportSubject> subjects = {SubjectOf(Renamed("minishogi", kBadName), 30)};
  subjects[0].report.left_out.damaged = 1;
  subjects[0].report.left_out.first_damage = "game 1: <i>";
  ExpectGoodPage(ReportPage(subjects));
  EXPECT_THAT(ReportPage(subjects), HasSubstr("<h1>A &lt;b&gt;&amp;&quot;game&quot;</h1>"));
  EXPECT_THAT(ReportPage(subjects), HasSubstr("game 1: &lt;i&gt;"));
}

TEST(ReportPageTest, SeveralSideBySide) {
  std::vector<ReportSubject> subjects;
  for (int i = 0; i < kMaxSeries; ++i) {
    subjects.push_back(SubjectOf(Renamed("shoxiang-xq-weak", absl::StrCat(kBadName, i)), 25 + i));
    if (i != 2) MakeUpPoints(&subjects.back());
  }
  const std::string page = ReportPage(subjects);
  ExpectGoodPage(page);
  EXPECT_THAT(page, HasSubstr("class=\"key s5\""));
  EXPECT_THAT(page, HasSubstr("A &lt;b&gt;&amp;&quot;game&quot;4"));
  const ReportTable table = SummaryTable(subjects);
  ASSERT_EQ(table.header.size(), subjects.size() + 1);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"games", "25", "26", "27", "28", "29", "30"}));
  const ReportTable worths = WorthsTable(subjects);
  ASSERT_FALSE(worths.rows.empty());
  EXPECT_EQ(worths.rows[0][3], "");  // the one without
  EXPECT_THAT(worths.rows[0][1], HasSubstr("1.00 (0.80 to 1.20)"));
  EXPECT_THAT(FormatReport(subjects), HasSubstr("How games end"));
}

TEST(ReportPageTest, SaysThatGamesWereNotReplayed) {
  std::vector<ReportSubject> subjects = {SubjectOf(SharedRulesOf("minishogi"), 30)};
  EXPECT_THAT(ReportPage(subjects), Not(HasSubstr("games were replayed, evenly spaced")));
  for (int i = 0; i < 1970; ++i) {
    subjects[0].report.statistics.AddEnd(Result::kWin, GameEnd::kCheckmate, 40, 1);
  }
  const std::string page = ReportPage(subjects);
  ExpectGoodPage(page);
  EXPECT_THAT(page, HasSubstr("30 of 2,000 games were replayed, evenly spaced"));
  EXPECT_THAT(page, HasSubstr("--replay replays more"));  // for piece values
  EXPECT_THAT(FormatReport(subjects), HasSubstr("games replayed"));
  EXPECT_EQ(ReportJson(subjects)["replayed_games"], 30);
}

// A single game, without a result.
TEST(ReportPageTest, OfAlmostNothing) {
  GameRecord record = testing::RandomRecord(RulesOf("minishogi"), 1, 0);
  record.resigned = false;
  record.truncated = true;
  record.result = Result::kNone;
  ReportSubject subject;
  subject.label = "x";
  subject.report.rules = SharedRulesOf("minishogi");
  const MaterialColumns columns(RulesOf("minishogi"));
  subject.report.statistics.Add(*ExamineGame(columns, record), 0);
  subject.report.worths = EstimatePieceWorths(columns, MaterialSamples(columns.size()));
  const std::vector<ReportSubject> subjects = {std::move(subject)};
  ExpectGoodPage(ReportPage(subjects));
  EXPECT_THAT(FormatReport(subjects), HasSubstr("cut short"));
  EXPECT_EQ(ReportJson(subjects)["first_wins"], 0);
}

TEST(ReportJsonTest, Numbers) {
  std::vector<ReportSubject> subjects = {SubjectOf(SharedRulesOf("minishogi"), 60)};
  json object = json::parse(ReportJson(subjects).dump());
  const GameStatistics& games = subjects[0].report.statistics;
  EXPECT_EQ(object["variant"], "minishogi");
  EXPECT_EQ(object["games"], 60);
  EXPECT_EQ(object["first_wins"], games.first().wins);
  EXPECT_EQ(object["a_game"]["drops"]["value"], games.drops().mean());
  EXPECT_EQ(object["plies"]["median"], games.LengthQuantile(0.5));
  int64_t ended = 0;
  for (const json& end : object["ends"]) ended += end["games"].get<int64_t>();
  EXPECT_EQ(ended, 60);
  EXPECT_TRUE(object["piece_values"]["pieces"].is_null());
  MakeUpPoints(&subjects[0]);
  object = json::parse(ReportJson(subjects).dump());
  EXPECT_EQ(object["piece_values"]["pieces"][0]["points"]["value"], 1);
  subjects.push_back(SubjectOf(SharedRulesOf("minishogi"), 20));
  object = json::parse(ReportJson(subjects).dump());
  ASSERT_EQ(object["runs"].size(), 2U);
  EXPECT_EQ(object["runs"][1]["games"], 20);
}

TEST(ReportTextTest, Thousands) {
  EXPECT_EQ(WithThousands(0), "0");
  EXPECT_EQ(WithThousands(999), "999");
  EXPECT_EQ(WithThousands(1000), "1,000");
  EXPECT_EQ(WithThousands(1234567), "1,234,567");
  EXPECT_EQ(WithThousands(-100), "-100");
  EXPECT_EQ(WithThousands(-1000), "-1,000");
}

TEST(ReportChartsTest, NothingToDraw) {
  EXPECT_EQ(DrawLineChart({"t", "x", "y", false, {50}, {{}, {}}}), "");
  EXPECT_THAT(DrawLineChart({"t", "x", "y", true, {}, {{{3, {5, 5, 5}}}}}), HasSubstr("polygon"));
  const std::string name = "ääääääääääääääääääääääää";
  const std::string chart = DrawIntervalChart({"t", "x", 0, {{name, {Estimate{1, 1, 1}, {}}}}});
  EXPECT_THAT(chart, HasSubstr("äääääääääääääääääää…"));
  EXPECT_THAT(chart, Not(HasSubstr(name)));
  EXPECT_THAT(DrawShareBars("t", {{"a", {0, 0}}}, false), HasSubstr("0.0 %"));
}

}  // namespace
}  // namespace crossriver
