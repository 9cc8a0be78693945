#include "tools/report_sections.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "selfplay/share_interval.h"
#include "tools/plot_axis.h"
#include "tools/report_charts.h"

namespace crossriver {
namespace {

using ReportSubjects = std::span<const ReportSubject>;

// Columns of a distribution; longer games than all but one in a hundred are not drawn.
constexpr int kLengthBins = 30;
constexpr double kDrawnLengths = 0.99;
constexpr size_t kChoicePoints = 80;
// A mean of fewer games would say more of them than of the variant.
constexpr int64_t kFewestGamesOfPly = 20;
constexpr int kMostStages = 12;

std::string Card(const std::string& title, const std::string& content) {
  if (content.empty()) return "";
  return absl::StrCat("<div class=\"card\">\n<h3>", EscapeMarkup(title), "</h3>\n", content,
                      "</div>\n");
}

std::string Section(const std::string& title, const std::string& text, const std::string& cards) {
  if (cards.empty()) return "";
  return absl::StrCat("<section>\n<h2>", title, "</h2>\n<p>", text, "</p>\n<div class=\"grid\">\n",
                      cards, "</div>\n</section>\n");
}

std::string KeyText(const char* colour, size_t index, const std::string& name) {
  return absl::StrCat("<span><span class=\"key ", colour, index, "\"></span>", EscapeMarkup(name),
                      "</span>\n");
}

std::string ResultsLegend(bool cut_short) {
  std::string legend = absl::StrCat("<p class=\"legend\">\n", KeyText("r", 0, "first player wins"),
                                    KeyText("r", 1, "draw"), KeyText("r", 2, "second player wins"));
  if (cut_short) legend += KeyText("r", 3, "no result");
  return legend + "</p>\n";
}

std::string Tile(const std::string& name, const std::string& value, const std::string& more) {
  return absl::StrCat("<div class=\"tile\"><span>", name, "</span><b>", value, "</b><span>", more,
                      "</span></div>\n");
}

std::string PercentTile(const std::string& name, const Estimate& share) {
  return Tile(name, absl::StrFormat("%.1f %%", 100 * share.value),
              absl::StrFormat("%.1f to %.1f", 100 * share.low, 100 * share.high));
}

std::string MeanTile(const std::string& name, const Moments& moments) {
  const Estimate mean = moments.MeanEstimate();
  return Tile(name, absl::StrFormat("%.2f", mean.value),
              moments.count() < 2 ? "a game"
                                  : absl::StrFormat("a game; %.2f to %.2f", mean.low, mean.high));
}

std::string EndBars(const ReportSubject& subject) {
  const GameStatistics& games = subject.report.statistics;
  std::vector<ShareBar> bars;
  for (int i = 0; i < kNumGameEnds; ++i) {
    const auto end = static_cast<GameEnd>(i);
    if (games.Ended(end) == 0) continue;
    ShareBar bar = {std::string(GameEndText(end)), {}};
    for (const Result result : {Result::kWin, Result::kDraw, Result::kLoss, Result::kNone}) {
      bar.parts.push_back(ShareOf(games.Ended(end, result), games.games()));
    }
    bars.push_back(std::move(bar));
  }
  return DrawShareBars(absl::StrCat("How games of ", subject.label, " end"), bars, false);
}

// The width of a column, in plies.
int BinWidth(ReportSubjects subjects) {
  int longest = 1;
  for (const ReportSubject& subject : subjects) {
    longest = std::max(longest, subject.report.statistics.LengthQuantile(kDrawnLengths));
  }
  return std::max(1, static_cast<int>(std::lround(AxisFor(0, longest, kLengthBins).step)));
}

std::vector<ChartPoint> LengthPoints(const GameStatistics& games, int width) {
  const int last = games.LengthQuantile(kDrawnLengths) / width;
  std::vector<int64_t> bins(static_cast<size_t>(last) + 1, 0);
  for (const auto& [plies, count] : games.lengths()) {
    // The last column is whole, too.
    if (plies / width <= last) bins[static_cast<size_t>(plies / width)] += count;
  }
  std::vector<ChartPoint> points;
  for (size_t i = 0; i < bins.size(); ++i) {
    const double share = 100 * ShareOf(bins[i], games.games());
    points.push_back({(static_cast<double>(i) + 0.5) * width, {share, share, share}});
  }
  return points;
}

// Means of a few plies each. The band of a single subject is one standard deviation to either side:
// what positions are like, not how well the mean is known.
std::vector<ChartPoint> ChoicePoints(const GameStatistics& games, bool banded) {
  const std::vector<Moments>& choices = games.choices();
  const int64_t fewest = std::min(kFewestGamesOfPly, games.replayed());
  size_t plies = 0;
  while (plies < choices.size() && choices[plies].count() >= fewest) ++plies;
  const size_t step = (plies + kChoicePoints - 1) / kChoicePoints;
  std::vector<ChartPoint> points;
  for (size_t begin = 0; begin < plies; begin += step) {
    const size_t end = std::min(begin + step, plies);
    Moments moments;
    for (size_t ply = begin; ply < end; ++ply) moments += choices[ply];
    const double width = banded ? moments.deviation() : 0;
    points.push_back({static_cast<double>(begin + end + 1) / 2,
                      {moments.mean(), moments.mean() - width, moments.mean() + width}});
  }
  return points;
}

Estimate InPercent(const Estimate& share) {
  return {100 * share.value, 100 * share.low, 100 * share.high};
}

struct StageSeries {
  std::vector<ChartPoint> score;
  std::vector<ChartPoint> draws;
  std::vector<ChartPoint> plies;
};

StageSeries StagesOf(const GameStatistics& games) {
  StageSeries series;
  const std::vector<StageStatistics> stages = games.Stages(kMostStages);
  if (stages.size() < 2) return series;
  for (const StageStatistics& stage : stages) {
    const double x = static_cast<double>(stage.first_generation + stage.last_generation) / 2;
    series.plies.push_back({x, stage.plies.MeanEstimate()});
    if (stage.first.games() == 0) continue;
    series.score.push_back({x, InPercent(FirstScoreEstimate(stage.first))});
    series.draws.push_back({x, InPercent(ShareEstimate(stage.first.draws, stage.first.games()))});
  }
  return series;
}

}  // namespace

std::string HtmlTable(const ReportTable& table) {
  if (table.rows.empty()) return "";
  std::string html = "<div class=\"wide\"><table>\n";
  const auto add = [&html](const std::vector<std::string>& cells, const char* tag) {
    html += "<tr>";
    for (const std::string& cell : cells) {
      absl::StrAppend(&html, "<", tag, ">", EscapeMarkup(cell), "</", tag, ">");
    }
    html += "</tr>\n";
  };
  add(table.header, "th");
  for (const auto& row : table.rows) add(row, "td");
  return html + "</table></div>\n";
}

std::string SubjectsLegend(ReportSubjects subjects) {
  if (subjects.size() < 2) return "";
  std::string legend = "<p class=\"legend\">\n";
  for (size_t i = 0; i < subjects.size(); ++i) legend += KeyText("s", i, subjects[i].label);
  return legend + "</p>\n";
}

std::string KeyFigures(const ReportSubject& subject) {
  const Rules& rules = *subject.report.rules;
  const GameStatistics& games = subject.report.statistics;
  const ResultCounts& first = games.first();
  std::string html = "<div class=\"tiles\">\n";
  html += PercentTile("first player’s score", FirstScoreEstimate(first));
  html += PercentTile("draws", ShareEstimate(first.draws, first.games()));
  html += Tile("length, median", absl::StrCat(games.LengthQuantile(0.5)),
               absl::StrCat("plies; nine in ten ", games.LengthQuantile(0.05), " to ",
                            games.LengthQuantile(0.95)));
  html += Tile("legal moves, mean", absl::StrFormat("%.1f", games.AllChoices().mean()),
               "in a position");
  html += MeanTile("captures", games.captures());
  if (HasDisplacers(rules)) html += MeanTile("displacer captures", games.displacer_captures());
  if (rules.has_drops()) html += MeanTile("drops", games.drops());
  if (HasPromotions(rules)) html += MeanTile("promotions", games.promotions());
  return html + "</div>\n";
}

std::string ResultsSection(ReportSubjects subjects) {
  std::vector<ShareBar> bars;
  bool cut_short = false;
  for (const ReportSubject& subject : subjects) {
    const ResultCounts& first = subject.report.statistics.first();
    cut_short = cut_short || subject.report.statistics.Ended(GameEnd::kCutShort) > 0;
    bars.push_back({subjects.size() > 1 ? subject.label : "all games",
                    {ShareOf(first.wins, first.games()), ShareOf(first.draws, first.games()),
                     ShareOf(first.losses, first.games())}});
  }
  std::string cards =
      Card("Who wins", DrawShareBars("Who wins", bars, true) + ResultsLegend(false));
  for (const ReportSubject& subject : subjects) {
    cards += Card(subjects.size() > 1 ? subject.label : "By what",
                  EndBars(subject) + ResultsLegend(cut_short));
  }
  return Section("Who wins, and how games end",
                 "A score is the share of points: a win counts 1, a draw a half. Games that were "
                 "cut short by a limit which the rules don’t have count for no result.",
                 cards + Card("In numbers", HtmlTable(EndsTable(subjects))));
}

std::string LengthSection(ReportSubjects subjects) {
  const int width = BinWidth(subjects);
  LineChart chart = {
      "How long games are", "plies", absl::StrFormat("%% of games in %d plies", width),
      subjects.size() == 1, {},      {}};
  for (const ReportSubject& subject : subjects) {
    chart.series.push_back(LengthPoints(subject.report.statistics, width));
  }
  return Section("Length",
                 "A ply is a move of one side. The longest game in a hundred is not drawn.",
                 Card("How long games are", DrawLineChart(chart) + SubjectsLegend(subjects)));
}

std::string ChoicesSection(ReportSubjects subjects) {
  const bool single = subjects.size() == 1;
  LineChart chart = {"Legal moves by ply", "ply", "legal moves", false, {}, {}};
  for (const ReportSubject& subject : subjects) {
    chart.series.push_back(ChoicePoints(subject.report.statistics, single));
  }
  const std::string drawing = DrawLineChart(chart);
  return Section(
      "Choice",
      absl::StrCat("How many legal moves a player has, in the mean over the games that come so far",
                   single ? "; the band holds a standard deviation to either side." : "."),
      drawing.empty() ? "" : Card("Legal moves by ply", drawing + SubjectsLegend(subjects)));
}

std::string WorthsSection(ReportSubjects subjects) {
  const ReportTable table = WorthsTable(subjects);
  IntervalChart chart = {"What pieces are worth, in points", "points", 0, {}};
  for (size_t i = 0; i < subjects.size(); ++i) {
    if (!subjects[i].report.worths.ok()) continue;
    for (const PieceWorth& piece : subjects[i].report.worths->pieces) {
      if (!piece.points.has_value()) continue;
      auto row = std::find_if(chart.rows.begin(), chart.rows.end(),
                              [&piece](const auto& r) { return r.name == piece.column.name; });
      if (row == chart.rows.end()) {
        chart.rows.push_back({piece.column.name, {}});
        chart.rows.back().values.resize(subjects.size());
        row = chart.rows.end() - 1;
      }
      row->values[i] = piece.points;
    }
  }
  if (subjects.size() == 1) {
    std::stable_sort(chart.rows.begin(), chart.rows.end(), [](const auto& one, const auto& other) {
      return one.values[0]->value > other.values[0]->value;
    });
  }
  const std::string drawing =
      chart.rows.empty() ? "" : DrawIntervalChart(chart) + SubjectsLegend(subjects);
  return Section("Which pieces win games",
                 "What a side that is one piece ahead scores, and the same as points: the pieces "
                 "of the starting array are worth 2.5 in the mean, royal ones aside. These are "
                 "values in the games at hand, between these players; a piece may also be ahead "
                 "because its side is winning.",
                 Card("Points", drawing) + Card("In numbers", HtmlTable(table)));
}

std::string DeedsSection(ReportSubjects subjects) {
  std::string cards;
  for (const ReportSubject& subject : subjects) {
    cards += Card(subjects.size() > 1 ? subject.label : "A game, both sides together",
                  HtmlTable(DeedsTable(subject)));
  }
  return Section("What pieces do",
                 "Moves on the board, what they captured, and how often they were captured.",
                 cards);
}

std::string StagesSection(ReportSubjects subjects) {
  LineChart score = {"First player’s score", "generation", "score, %", false, {50}, {}};
  LineChart draws = {"Draws", "generation", "draws, %", false, {}, {}};
  LineChart plies = {"Length", "generation", "plies, mean", false, {}, {}};
  for (const ReportSubject& subject : subjects) {
    StageSeries series = StagesOf(subject.report.statistics);
    score.series.push_back(std::move(series.score));
    draws.series.push_back(std::move(series.draws));
    plies.series.push_back(std::move(series.plies));
  }
  std::string cards;
  for (const LineChart* chart : {&score, &draws, &plies}) {
    const std::string drawing = DrawLineChart(*chart);
    if (!drawing.empty()) cards += Card(chart->title, drawing + SubjectsLegend(subjects));
  }
  return Section("As the players got stronger",
                 "Games by the generation of training that played them; bands are 95 % intervals.",
                 cards);
}

}  // namespace crossriver
