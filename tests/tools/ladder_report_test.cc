// Standings and plots of a ladder, as text, JSON and SVG.
#include "tools/ladder_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "tools/ladder_plot.h"

namespace crossriver {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

LadderRow Row(const std::string& name, Estimate rating, ResultCounts counts) {
  LadderRow row;
  row.name = name;
  row.rating = rating;
  row.counts = counts;
  row.above = 0.975;
  return row;
}

LadderRow Checkpoint(int64_t number, Estimate rating, TrainingEffort effort) {
  LadderRow row = Row("net:runs/a@" + std::to_string(number) + "?visits=32", rating, {6, 2, 2});
  row.checkpoint = LadderCheckpoint{number, 0, effort};
  return row;
}

LadderReport Report() {
  LadderReport report;
  report.variant = "minishogi";
  report.anchor = "net:runs/a@0?visits=32";
  report.rows = {Checkpoint(9, {420, 380.25, 460}, {90'000, 4.5e6, 3.0, 40.5}),
                 Row("uniform:100", {250, 200, 300}, {5, 0, 15}),
                 Checkpoint(4, {310, 280, 340}, {40'000, 2e6, 1.25, 17.0}),
                 Checkpoint(0, {0, 0, 0}, {0, 0.0, 0.0, 0.0}),
                 Row("a&b<", {-30, -90, 30}, {0, 0, 0})};
  report.rows.back().above.reset();
  report.advantage = {12.5, -3, 28};
  report.draw_share = {0.125, 0.1, 0.15};
  report.games = 30;
  report.pairings = 5;
  report.games_played = 20;
  report.counts = {5000, 100};
  report.seconds = 2;
  return report;
}

size_t Count(const std::string& text, const std::string& part) {
  const std::vector<std::string> pieces = absl::StrSplit(text, absl::string_view(part));
  return pieces.size() - 1;
}

TEST(LadderReportTest, ATable) {
  LadderReport report = Report();
  const std::string text = FormatLadderReport(report);
  for (const char* part : {
           "minishogi, 30 games of 5 players in 5 pairings\n",
           "Elo over net:runs/a@0?visits=32, 95 % intervals\n",
           "player                     Elo      low     high   games    score    draws  over "
           "next  self-play  evaluated   CPU time\n",
           "net:runs/a@9?visits=32  +420.0   +380.2   +460.0      10   70.0 %   20.0 %   97.5 %"
           "        90.0k       4.5M     40.5 h\n",
           "uniform:100             +250.0   +200.0   +300.0      20   25.0 %    0.0 %   97.5 %\n",
           "a&b<                     -30.0    -90.0    +30.0       0   50.0 %    0.0 %\n",
           "first move +12.5 Elo (-3.0 to +28.0)\n",
           "draws      12.5 % between equals (10.0 to 15.0)\n",
           "played now 20 games in 2.0 s, 2500 evaluations/s in calls of 50.0\n",
       }) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, Not(HasSubstr("warning")));
  report.warning = "nobody has met 3";
  EXPECT_THAT(FormatLadderReport(report), HasSubstr("warning    nobody has met 3\n"));
  report.rows[2].checkpoint->effort = {950, {}, {}, {}};
  EXPECT_THAT(FormatLadderReport(report), HasSubstr("97.5 %          950          -          -\n"));
  std::erase_if(report.rows, [](const LadderRow& row) { return row.checkpoint.has_value(); });
  EXPECT_THAT(FormatLadderReport(report), HasSubstr("over next\n"));
}

TEST(LadderReportTest, Json) {
  LadderReport report = Report();
  report.rows[2].checkpoint->effort.hours.reset();
  const json object = json::parse(LadderReportJson(report).dump());
  EXPECT_EQ(object["variant"], "minishogi");
  EXPECT_EQ(object["games"], 30);
  EXPECT_EQ(object["games_played"], 20);
  EXPECT_EQ(object["first_move_elo"]["value"], 12.5);
  ASSERT_EQ(object["players"].size(), 5U);
  const json& first = object["players"][0];
  EXPECT_EQ(first["name"], "net:runs/a@9?visits=32");
  EXPECT_EQ(first["elo"], 420);
  EXPECT_EQ(first["elo_low"], 380.25);
  EXPECT_EQ(first["wins"], 6);
  EXPECT_EQ(first["score"], 0.7);
  EXPECT_EQ(first["draw_rate"], 0.2);
  EXPECT_EQ(first["los_over_next"], 0.975);
  EXPECT_EQ(first["checkpoint"], 9);
  EXPECT_EQ(first["training"],
            (json{{"games", 90'000}, {"evaluations", 4.5e6}, {"hours", 3.0}, {"cpu_hours", 40.5}}));
  EXPECT_FALSE(object["players"][1].contains("checkpoint"));
  EXPECT_TRUE(object["players"][2]["training"]["hours"].is_null());
  EXPECT_TRUE(object["players"][4]["los_over_next"].is_null());
}

std::vector<std::string> Titles(const std::vector<LadderPlot>& plots) {
  std::vector<std::string> titles;
  titles.reserve(plots.size());
  for (const LadderPlot& plot : plots) titles.push_back(plot.y_title + "/" + plot.x_title);
  return titles;
}

TEST(LadderPlotTest, WhatIsKnownIsPlotted) {
  LadderReport report = Report();
  std::vector<LadderPlot> plots = PlotsOf(report);
  EXPECT_THAT(
      Titles(plots),
      ElementsAre("Elo/games of self-play", "Elo/positions evaluated in self-play",
                  "Elo/hours of training by the clock", "Elo/hours of training by processor time",
                  "score, %/games of self-play", "draws, %/games of self-play"));
  ASSERT_EQ(plots[0].points.size(), 3U);
  EXPECT_EQ(plots[0].points[1].x, 40'000);
  EXPECT_EQ(plots[0].points[1].y.high, 340);
  EXPECT_EQ(plots[1].points[2].x, 4.5e6);
  EXPECT_EQ(plots[2].points[1].x, 1.25);
  EXPECT_EQ(plots[3].points[2].x, 40.5);
  EXPECT_EQ(plots[4].points[0].y.value, 70);
  EXPECT_EQ(plots[5].points[0].y.value, 20);
  ASSERT_EQ(plots[0].levels.size(), 2U);
  EXPECT_EQ(plots[0].levels[0].name, "uniform:100");
  EXPECT_THAT(plots[4].levels, IsEmpty());
  EXPECT_EQ(MissingPlots(report), "");
  report.rows[0].checkpoint->effort.cpu_hours.reset();
  EXPECT_THAT(MissingPlots(report),
              HasSubstr("of 3 checkpoints evaluations are known of 3, hours of 3, processor time "
                        "of 2"));

  for (const size_t row : {size_t{0}, size_t{2}}) {
    report.rows[row].checkpoint->effort = {1000, {}, {}, {}};
  }
  EXPECT_THAT(Titles(PlotsOf(report)),
              ElementsAre("Elo/games of self-play", "score, %/games of self-play",
                          "draws, %/games of self-play"));
  EXPECT_THAT(MissingPlots(report), HasSubstr("evaluations are known of 1"));
  report.rows.erase(report.rows.begin(), report.rows.begin() + 3);
  EXPECT_THAT(PlotsOf(report), IsEmpty());
}

TEST(LadderPlotTest, InATerminal) {
  const LadderPlot plot = {"games",
                           "Elo",
                           {{0, {0, 0, 0}}, {50, {100, 50, 150}}, {100, {200, 200, 200}}},
                           {{"random", {50, 0, 100}}, {"uniform", {200, 0, 400}}}};
  EXPECT_EQ(DrawPlotText(plot, 29, 9),
            "Elo\n"
            "    200 -B------------------o\n"
            "                             \n"
            "    150           |          \n"
            "                  |          \n"
            "    100           o          \n"
            "                  |          \n"
            "     50 A---------|----------\n"
            "                             \n"
            "      0 o                    \n"
            "        0  games          100\n"
            "        A random\n"
            "        B uniform\n");
}

// Whatever the numbers are, everything stays inside.
TEST(LadderPlotTest, OddNumbers) {
  const LadderPlot plots[] = {
      {"x", "y", {{0, {5, 5, 5}}, {0, {5, 5, 5}}}, {}},
      {"x", "y", {{1e-9, {-1e-7, -2e-7, 0}}, {3e12, {4e9, 0, 9e9}}}, {{"low", {-1e5, -1e9, 1e9}}}},
      {"x", "y", {{7, {0, -3000, 3000}}, {8, {1, -2000, 2000}}}, {}}};
  for (const LadderPlot& plot : plots) {
    for (const auto& [width, height] : {std::pair(0, 0), {78, 20}, {200, 50}}) {
      const std::string text = DrawPlotText(plot, width, height);
      EXPECT_THAT(text, HasSubstr("o"));
      EXPECT_GE(std::count(text.begin(), text.end(), '\n'), std::max(height, 4));
    }
    const std::string svg = DrawPlotsSvg({plot}, "odd");
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
    EXPECT_EQ(Count(svg, "<circle"), 2U);
  }
}

TEST(LadderPlotTest, AsAPicture) {
  const std::vector<LadderPlot> plots = PlotsOf(Report());
  const std::string svg = DrawPlotsSvg(plots, "runs/a & <others>");
  EXPECT_THAT(svg, HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, HasSubstr(">runs/a &amp; &lt;others&gt;</text>"));
  EXPECT_THAT(svg, HasSubstr(">a&amp;b&lt;</text>"));
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  EXPECT_EQ(Count(svg, "<polyline"), 6U);
  EXPECT_EQ(Count(svg, "<circle"), 18U);
  // Two levels in each of the four plots of Elo.
  EXPECT_EQ(Count(svg, "stroke-dasharray"), 8U);
  EXPECT_EQ(Count(svg, "<text"), Count(svg, "</text>"));
}

}  // namespace
}  // namespace crossriver
