#include "tools/report_page.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/notation.h"
#include "tools/plot_axis.h"
#include "tools/report_charts.h"
#include "tools/report_sections.h"
#include "tools/report_style.h"
#include "tools/svg_drawing.h"

namespace crossriver {
namespace {

constexpr char kMethod[] = R"html(<section>
<h2>How this was worked out</h2>
<p>The games are those of a run of training, in which a program plays against itself, and such as were
imported into it. Scores, ends and lengths are those of all games; what moves and pieces do, and what they are
worth, was found by replaying games: all of them, or some evenly spaced ones, as the notes say. Intervals hold 95 %: of shares
Wilson’s, of means 1.96 standard errors, of the score those scores that the results do not speak against (empirical likelihood). They take
games for independent of each other.</p>
<p>Piece values are a logistic regression of the result on material. With d<sub>k</sub> the pieces
of kind k that the first player has more than the second, the first player’s expected score is</p>
<p class="formula">s(d) = 1 / (1 + exp(−(b<sub>0</sub> + Σ b<sub>k</sub> d<sub>k</sub>)))</p>
<p>fitted to all positions in which neither the move before nor the move after captures, a draw
being a score of a half. The positions of a game weigh 1 together. A normal prior with mean 0 and
deviation 5 keeps the coefficients finite. As the positions of a game share its result, the
covariance is clustered by game: H<sup>−1</sup> (Σ u<sub>g</sub> u<sub>g</sub>′)
H<sup>−1</sup>, with the Hessian H and the score u<sub>g</sub> = Σ w x (y − s) of each game g. Being
one piece ahead scores 1 / (1 + exp(−b<sub>k</sub>)); its points are 2.5 b<sub>k</sub> / m, with m
the mean coefficient of the pieces in the array, and intervals by the delta method.</p>
</section>
)html";

std::string TitleOf(std::span<const ReportSubject> subjects) {
  if (subjects.size() == 1) return subjects[0].report.rules->definition().name;
  std::string title;
  for (const ReportSubject& subject : subjects) {
    absl::StrAppend(&title, title.empty() ? "" : ", ", subject.label);
  }
  return title;
}

std::string Intro(std::span<const ReportSubject> subjects) {
  std::string text = "What ";
  for (size_t i = 0; i < subjects.size(); ++i) {
    const std::string games = WithThousands(subjects[i].report.statistics.games());
    absl::StrAppend(&text, i == 0 ? "" : ", ", games);
    if (subjects.size() > 1) absl::StrAppend(&text, " of ", subjects[i].label);
  }
  absl::StrAppend(&text, " games say about the game", subjects.size() > 1 ? "s." : ".");
  return absl::StrCat("<p class=\"quiet\">", EscapeMarkup(text), "</p>\n");
}

// The arrays, one for each different one.
std::string Boards(std::span<const ReportSubject> subjects) {
  std::string cards;
  std::set<std::string> drawn;
  for (const ReportSubject& subject : subjects) {
    const std::string board = DrawSvg(StartPosition(*subject.report.rules));
    if (!drawn.insert(board).second) continue;
    absl::StrAppend(&cards, "<div class=\"card board\">\n", board, "</div>\n");
  }
  return absl::StrCat("<div class=\"grid\">\n", cards, "</div>\n");
}

std::string Notes(std::span<const ReportSubject> subjects) {
  std::string html;
  for (const std::string& note : ReportNotes(subjects)) {
    absl::StrAppend(&html, "<p>", EscapeMarkup(note), ".</p>\n");
  }
  if (html.empty()) return "";
  return absl::StrCat("<section>\n<h2>Notes</h2>\n", html, "</section>\n");
}

std::string Glance(std::span<const ReportSubject> subjects) {
  return absl::StrCat("<div class=\"card\">\n", HtmlTable(SummaryTable(subjects)), "</div>\n");
}

}  // namespace

std::string ReportPage(std::span<const ReportSubject> subjects) {
  CR_CHECK(!subjects.empty() && subjects.size() <= static_cast<size_t>(kMaxSeries));
  const std::string title = EscapeMarkup(TitleOf(subjects));
  const bool single = subjects.size() == 1;
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
      title, "</title>\n<style>", kReportStyle, "</style>\n</head>\n<body>\n<main>\n<h1>", title,
      "</h1>\n", Intro(subjects), single ? KeyFigures(subjects[0]) : Glance(subjects),
      ResultsSection(subjects), LengthSection(subjects), ChoicesSection(subjects),
      WorthsSection(subjects), DeedsSection(subjects), StagesSection(subjects), Boards(subjects),
      single ? absl::StrCat("<section>\n<h2>All figures</h2>\n", Glance(subjects), "</section>\n")
             : "",
      Notes(subjects), kMethod, "</main>\n</body>\n</html>\n");
}

}  // namespace crossriver
