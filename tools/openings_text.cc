// What `openings` says to people.
#include <algorithm>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tools/openings_report.h"

namespace crossriver {
namespace {

constexpr size_t kShownChanges = 12;
constexpr int kShownPlies = 12;
constexpr int kMoveWidth = 20;

double InPercent(double share) { return 100 * share; }

std::string PercentOrDash(std::optional<double> share) {
  return share ? absl::StrFormat("%.1f", InPercent(*share)) : "-";
}

std::string RangeText(const CheckpointRange& range) {
  if (range.first == range.last) return absl::StrCat("checkpoint ", range.first);
  if (range.last == std::numeric_limits<int64_t>::max()) {
    return range.first == kNoCheckpoint ? "all checkpoints"
                                        : absl::StrCat("checkpoints ", range.first, " and later");
  }
  return absl::StrCat("checkpoints ", range.first, " to ", range.last);
}

std::string PopularText(const OpeningMove& move) {
  if (!move.first_popular) return "-";
  return absl::StrCat(*move.first_popular, "-", *move.last_popular);
}

void AddBranches(const std::vector<OpeningBranch>& branches, size_t depth, std::string* text) {
  for (const OpeningBranch& branch : branches) {
    const OpeningMove& move = branch.move;
    const OpeningScore& score = move.score;
    const std::string indented = absl::StrCat(std::string(2 * depth, ' '), move.text);
    const std::string interval =
        absl::StrFormat("%.0f-%.0f", InPercent(score.low), InPercent(score.high));
    absl::StrAppendFormat(text, "%-*s %8d %6.1f %7d %6d %7d %7s %8s %8s %8s %7.0f %10s\n",
                          kMoveWidth, indented, move.counts.games, InPercent(move.share),
                          move.counts.first_wins, move.counts.draws, move.counts.second_wins,
                          PercentOrDash(score.score), interval, PercentOrDash(score.value),
                          PercentOrDash(score.search_value), score.visits, PopularText(move));
    AddBranches(branch.next, depth + 1, text);
  }
}

void AddTree(const OpeningsReport& report, std::string* text) {
  if (report.tree.empty()) {
    absl::StrAppend(text, "No move here was played often enough to be shown.\n");
    return;
  }
  absl::StrAppendFormat(text, "%-*s %8s %6s %7s %6s %7s %7s %8s %8s %8s %7s %10s\n", kMoveWidth,
                        "move", "games", "share", "first", "drawn", "second", "score", "95 %",
                        "network", "search", "visits", "popular");
  AddBranches(report.tree, 0, text);
}

void AddLines(const OpeningsReport& report, std::string* text) {
  if (report.lines.empty()) return;
  absl::StrAppend(text, "\nmain lines (% of the games, the first player's score in %)\n");
  for (const OpeningLine& line : report.lines) {
    absl::StrAppendFormat(text, "%6.2f %6s  %s\n", InPercent(line.reach),
                          PercentOrDash(line.score.score), absl::StrJoin(line.texts, " "));
  }
}

std::string LineText(const std::vector<std::string>& line) {
  return line.empty() ? "here" : absl::StrCat("after ", absl::StrJoin(line, " "));
}

void AddChanges(const OpeningsReport& report, std::string* text) {
  if (!report.compared) return;
  absl::StrAppend(text, "\nfrom ", RangeText(report.compared->first), " to ",
                  RangeText(report.compared->second), "\n");
  size_t shown = 0;
  for (const MoveChange& change : report.changes.moves) {
    if (!change.is_certain()) continue;
    if (++shown > kShownChanges) break;
    absl::StrAppendFormat(text, "  %s %-8s %5.1f -> %5.1f %%  (%+.1f to %+.1f)  %s\n",
                          change.share_after > change.share_before ? "rose" : "fell", change.text,
                          InPercent(change.share_before), InPercent(change.share_after),
                          InPercent(change.difference.low), InPercent(change.difference.high),
                          LineText(change.line));
  }
  if (shown == 0) absl::StrAppend(text, "  no move rose or fell beyond chance\n");
  shown = 0;
  for (const ValueChange& change : report.changes.values) {
    if (++shown > kShownChanges) break;
    absl::StrAppendFormat(text, "  value %5.1f -> %5.1f %% for the first player  %s\n",
                          InPercent(change.value_before), InPercent(change.value_after),
                          LineText(change.line));
  }
}

void AddDiversity(const OpeningsReport& report, std::string* text) {
  absl::StrAppendFormat(text,
                        "\ndiversity: %d duplicate games\n%4s %9s %9s %10s %10s %10s %12s %12s\n",
                        report.duplicates, "ply", "games", "of", "positions", "bits", "bits/move",
                        "top pos. %", "top move %");
  for (const OpeningPly& ply : report.diversity) {
    if (ply.ply >= kShownPlies) break;
    absl::StrAppendFormat(text, "%4d %9d %9d %10d %10.2f %10.2f %12.1f %12.1f\n", ply.ply,
                          ply.games, ply.all_games, ply.positions, ply.position_entropy,
                          ply.move_entropy, InPercent(ply.common_position),
                          InPercent(ply.common_move));
  }
}

}  // namespace

std::string FormatOpeningsText(const OpeningsReport& report) {
  std::string text = absl::StrFormat("%s: %s, %d games, %d of them not counted; %s\n",
                                     report.source, report.variant, report.state.games,
                                     report.state.skipped, RangeText(report.checkpoints));
  if (!report.moves.empty()) {
    absl::StrAppend(&text, "after ", absl::StrJoin(report.moves, " "), ": ");
  }
  absl::StrAppend(&text, report.position.fen, "\n");
  absl::StrAppendFormat(
      &text, "%d games went on from here; %s to move, who scored %s %%\n\n",
      report.position.counts.games,
      report.position.side_to_move == Side::kFirst ? "the first player" : "the second player",
      PercentOrDash(report.position.score.score));
  AddTree(report, &text);
  AddLines(report, &text);
  AddChanges(report, &text);
  AddDiversity(report, &text);
  return text;
}

}  // namespace crossriver
