#include "tools/match_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

using Json = nlohmann::ordered_json;

// Different faults that a table shows.
constexpr size_t kFaultsShown = 5;

double Percent(double share) { return 100 * share; }

double PerSecond(int64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

double Mean(const std::vector<int>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Of sorted values, which may be none.
int Quantile(const std::vector<int>& values, double share) {
  if (values.empty()) return 0;
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

std::string Row(absl::string_view title, const ResultCounts& counts) {
  return absl::StrFormat("%-10s %7d %7d %7d %7d   %5.1f %%\n", title, counts.games(), counts.wins,
                         counts.draws, counts.losses, Percent(counts.score()));
}

// The most frequent first.
template <typename Count>
std::vector<std::pair<std::string, Count>> ByCount(const std::map<std::string, Count>& counts) {
  std::vector<std::pair<std::string, Count>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& one, const auto& other) { return one.second > other.second; });
  return sorted;
}

absl::string_view DecisionText(SprtDecision decision) {
  switch (decision) {
    case SprtDecision::kContinue:
      return "undecided";
    case SprtDecision::kAcceptH0:
      return "H0";
    case SprtDecision::kAcceptH1:
      return "H1";
  }
  return "undecided";
}

std::string SprtLine(const SprtState& state, const SprtOptions& options, bool all_played) {
  std::string verdict = all_played ? "undecided: raise --games" : "undecided";
  if (state.decision == SprtDecision::kAcceptH0) {
    verdict = absl::StrFormat("H0 accepted: A does not lead by %g Elo", options.elo1);
  }
  if (state.decision == SprtDecision::kAcceptH1) {
    verdict = absl::StrFormat("H1 accepted: A leads by more than %g Elo", options.elo0);
  }
  return absl::StrFormat("SPRT       H0 %g, H1 %g Elo: LLR %.2f (%.2f to %.2f), %s\n", options.elo0,
                         options.elo1, state.llr, state.lower, state.upper, verdict);
}

std::string EndLines(const MatchSummary& summary) {
  std::vector<std::string> ends;
  for (const auto& [end, count] : ByCount(summary.ends)) {
    ends.push_back(absl::StrCat(end, " ", count));
  }
  std::string text = absl::StrCat("ends       ", absl::StrJoin(ends, ", "), "\n");
  if (summary.faults.empty()) return text;
  absl::StrAppendFormat(&text, "forfeits   of A %d, of B %d:\n", summary.forfeits[0],
                        summary.forfeits[1]);
  size_t shown = 0;
  for (const auto& [fault, count] : ByCount(summary.faults)) {
    if (shown++ == kFaultsShown) {
      absl::StrAppendFormat(&text, "           and %d others\n",
                            summary.faults.size() - kFaultsShown);
      break;
    }
    absl::StrAppendFormat(&text, "           %d times: %s\n", count, fault);
  }
  return text;
}

Json CountsJson(const ResultCounts& counts) {
  return {{"wins", counts.wins}, {"draws", counts.draws}, {"losses", counts.losses}};
}

double ToldElo(double elo) { return std::clamp(elo, -kBeyondElo, kBeyondElo); }

}  // namespace

std::string FormatMatchReport(const MatchReport& report) {
  const MatchSummary& summary = report.summary;
  const MatchScore& score = summary.score;
  const Elo elo = EloOf(score);
  const Interval interval = ScoreInterval(score);
  std::string text = absl::StrCat("A          ", Printable(report.players[0]), "\nB          ",
                                  Printable(report.players[1]), "\n");
  absl::StrAppendFormat(&text, "%s, %d games, %d pairs from %d openings\n\n", report.variant,
                        score.games(), score.num_pairs(), report.openings);
  absl::StrAppend(&text, "             games    wins   draws  losses     score\n",
                  Row("A first", score.by_side[0]), Row("A second", score.by_side[1]),
                  Row("A", score.total()), "\n");
  absl::StrAppendFormat(&text, "score      %.1f %% (95 %% interval %.1f to %.1f)\n",
                        Percent(score.score()), Percent(interval.low), Percent(interval.high));
  absl::StrAppendFormat(&text, "Elo        %+.1f (%+.1f to %+.1f), likelihood of superiority ",
                        elo.elo, elo.low, elo.high);
  absl::StrAppendFormat(&text, "%.1f %%\n", Percent(LikelihoodOfSuperiority(score)));
  absl::StrAppendFormat(&text, "pairs      0: %d, 1/2: %d, 1: %d, 1 1/2: %d, 2: %d points\n",
                        score.pairs[0], score.pairs[1], score.pairs[2], score.pairs[3],
                        score.pairs[4]);
  absl::StrAppendFormat(&text, "plies      mean %.1f, least %d, median %d, most %d\n",
                        Mean(summary.plies), Quantile(summary.plies, 0),
                        Quantile(summary.plies, 0.5), Quantile(summary.plies, 1));
  text += EndLines(summary);
  if (summary.sprt.has_value() && report.sprt.has_value()) {
    text += SprtLine(*summary.sprt, *report.sprt, report.all_played);
  }
  if (summary.uncounted > 0) {
    absl::StrAppendFormat(&text,
                          "uncounted  %d games beyond the decision, or of unfinished pairs\n",
                          summary.uncounted);
  }
  absl::StrAppendFormat(&text, "speed      %d games in %.1f s, %.1f games/s", report.games_played,
                        report.seconds, PerSecond(report.games_played, report.seconds));
  if (report.counts.calls > 0) {
    absl::StrAppendFormat(
        &text, ", %.0f evaluations/s in calls of %.1f",
        PerSecond(report.counts.evaluations, report.seconds),
        static_cast<double>(report.counts.evaluations) / static_cast<double>(report.counts.calls));
  }
  return text + "\n";
}

Json MatchReportJson(const MatchReport& report) {
  const MatchSummary& summary = report.summary;
  const MatchScore& score = summary.score;
  const ResultCounts total = score.total();
  const Elo elo = EloOf(score);
  const Interval interval = ScoreInterval(score);
  Json json = {{"a", Printable(report.players[0])},
               {"b", Printable(report.players[1])},
               {"variant", report.variant},
               {"games", score.games()},
               {"wins", total.wins},
               {"draws", total.draws},
               {"losses", total.losses},
               {"score", score.score()},
               {"score_low", interval.low},
               {"score_high", interval.high},
               {"elo", ToldElo(elo.elo)},
               {"elo_low", ToldElo(elo.low)},
               {"elo_high", ToldElo(elo.high)},
               {"los", LikelihoodOfSuperiority(score)},
               {"a_first", CountsJson(score.by_side[0])},
               {"a_second", CountsJson(score.by_side[1])},
               {"pairs", score.pairs},
               {"openings", report.openings},
               {"plies",
                {{"mean", Mean(summary.plies)},
                 {"min", Quantile(summary.plies, 0)},
                 {"median", Quantile(summary.plies, 0.5)},
                 {"max", Quantile(summary.plies, 1)}}},
               {"ends", summary.ends},
               {"forfeits", {{"a", summary.forfeits[0]}, {"b", summary.forfeits[1]}}},
               {"faults", summary.faults},
               {"uncounted", summary.uncounted}};
  if (summary.sprt.has_value() && report.sprt.has_value()) {
    json["sprt"] = {{"elo0", report.sprt->elo0},
                    {"elo1", report.sprt->elo1},
                    {"alpha", report.sprt->alpha},
                    {"beta", report.sprt->beta},
                    {"llr", summary.sprt->llr},
                    {"lower", summary.sprt->lower},
                    {"upper", summary.sprt->upper},
                    {"decision", std::string(DecisionText(summary.sprt->decision))}};
  }
  json["seconds"] = report.seconds;
  json["games_played"] = report.games_played;
  json["evaluations"] = report.counts.evaluations;
  json["evaluator_calls"] = report.counts.calls;
  return json;
}

}  // namespace crossriver
