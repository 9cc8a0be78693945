#include "tools/report_tables.h"

#include <algorithm>
#include <functional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace crossriver {
namespace {

using Subjects = std::span<const ReportSubject>;
using CellOf = std::function<std::string(const ReportSubject&)>;

std::vector<std::string> HeaderOf(const std::string& first, Subjects subjects) {
  std::vector<std::string> header = {first};
  for (const ReportSubject& subject : subjects) header.push_back(subject.label);
  return header;
}

void AddRow(const std::string& name, Subjects subjects, const CellOf& cell, ReportTable* table) {
  std::vector<std::string> row = {name};
  for (const ReportSubject& subject : subjects) row.push_back(cell(subject));
  table->rows.push_back(std::move(row));
}

// Means of a game.
void AddMeans(const std::string& name, Subjects subjects,
              const Moments& (GameStatistics::*get)() const, ReportTable* table) {
  AddRow(
      name, subjects,
      [get](const ReportSubject& subject) {
        const Moments& moments = (subject.report.statistics.*get)();
        // A single game says nothing of how well it stands for others.
        return moments.count() < 2 ? absl::StrFormat("%.2f", moments.mean())
                                   : ValueText(moments.MeanEstimate());
      },
      table);
}

bool AnyHas(Subjects subjects, bool (*has)(const Rules&)) {
  return std::any_of(subjects.begin(), subjects.end(),
                     [has](const ReportSubject& s) { return has(*s.report.rules); });
}

CellOf ResultShare(int64_t ResultCounts::*count) {
  return [count](const ReportSubject& subject) {
    const ResultCounts& first = subject.report.statistics.first();
    return PercentText(ShareEstimate(first.*count, first.games()));
  };
}

void AddResults(Subjects subjects, ReportTable* table) {
  AddRow(
      "first player's score", subjects,
      [](const ReportSubject& s) {
        return PercentText(FirstScoreEstimate(s.report.statistics.first()));
      },
      table);
  AddRow("first player wins", subjects, ResultShare(&ResultCounts::wins), table);
  AddRow("draws", subjects, ResultShare(&ResultCounts::draws), table);
  AddRow("second player wins", subjects, ResultShare(&ResultCounts::losses), table);
  AddRow(
      "cut short, without a result", subjects,
      [](const ReportSubject& s) {
        const GameStatistics& games = s.report.statistics;
        return PercentText(ShareEstimate(games.Ended(GameEnd::kCutShort), games.games()));
      },
      table);
}

void AddLengths(Subjects subjects, ReportTable* table) {
  AddMeans("plies, mean", subjects, &GameStatistics::plies, table);
  AddRow(
      "plies, median", subjects,
      [](const ReportSubject& s) { return absl::StrCat(s.report.statistics.LengthQuantile(0.5)); },
      table);
  AddRow(
      "plies of nine games in ten", subjects,
      [](const ReportSubject& s) {
        return absl::StrCat(s.report.statistics.LengthQuantile(0.05), " to ",
                            s.report.statistics.LengthQuantile(0.95));
      },
      table);
  AddRow(
      "legal moves, mean", subjects,
      [](const ReportSubject& s) {
        return absl::StrFormat("%.1f", s.report.statistics.AllChoices().mean());
      },
      table);
}

ReportTable EndsOf(const ReportSubject& subject) {
  ReportTable table = {
      "How games end", {"end", "games", "share", "first wins", "draws", "second wins"}, {}};
  const GameStatistics& games = subject.report.statistics;
  for (int i = 0; i < kNumGameEnds; ++i) {
    const auto end = static_cast<GameEnd>(i);
    if (games.Ended(end) == 0) continue;
    std::vector<std::string> row = {
        std::string(GameEndText(end)), WithThousands(games.Ended(end)),
        absl::StrFormat("%.1f %%", 100 * ShareEstimate(games.Ended(end), games.games()).value)};
    for (const Result result : {Result::kWin, Result::kDraw, Result::kLoss}) {
      row.push_back(WithThousands(games.Ended(end, result)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable WorthsOf(const ReportSubject& subject) {
  ReportTable table = {"What pieces are worth",
                       {"piece", "points", "score with one more", "by its moves alone"},
                       {}};
  if (!subject.report.worths.ok()) return table;
  for (const PieceWorth& piece : subject.report.worths->pieces) {
    table.rows.push_back({piece.column.name,
                          piece.points.has_value() ? ValueText(*piece.points) : "not known",
                          PercentText(piece.score), absl::StrFormat("%.2f", piece.column.prior)});
  }
  return table;
}

// The cell of a piece in a comparison.
std::string PointsOf(const ReportSubject& subject, const std::string& name) {
  if (!subject.report.worths.ok()) return "";
  for (const PieceWorth& piece : subject.report.worths->pieces) {
    if (piece.column.name != name) continue;
    return piece.points.has_value() ? ValueText(*piece.points) : "not known";
  }
  return "";
}

}  // namespace

ReportTable SummaryTable(Subjects subjects) {
  ReportTable table = {"At a glance", HeaderOf("", subjects), {}};
  AddRow(
      "games", subjects,
      [](const ReportSubject& s) { return WithThousands(s.report.statistics.games()); }, &table);
  if (std::any_of(subjects.begin(), subjects.end(), IsSampled)) {
    AddRow(
        "games replayed", subjects,
        [](const ReportSubject& s) { return WithThousands(s.report.statistics.replayed()); },
        &table);
  }
  AddResults(subjects, &table);
  AddLengths(subjects, &table);
  AddMeans("captures a game", subjects, &GameStatistics::captures, &table);
  if (AnyHas(subjects, HasDisplacers)) {
    AddMeans("displacer captures a game", subjects, &GameStatistics::displacer_captures, &table);
    AddMeans("double captures a game", subjects, &GameStatistics::double_captures, &table);
  }
  if (AnyHas(subjects, [](const Rules& rules) { return rules.has_drops(); })) {
    AddMeans("drops a game", subjects, &GameStatistics::drops, &table);
  }
  if (AnyHas(subjects, HasPromotions)) {
    AddMeans("promotions a game", subjects, &GameStatistics::promotions, &table);
  }
  AddMeans("checks a game", subjects, &GameStatistics::checks, &table);
  return table;
}

ReportTable EndsTable(Subjects subjects) {
  if (subjects.size() == 1) return EndsOf(subjects[0]);
  ReportTable table = {"How games end", HeaderOf("end", subjects), {}};
  for (int i = 0; i < kNumGameEnds; ++i) {
    const auto end = static_cast<GameEnd>(i);
    const bool any = std::any_of(subjects.begin(), subjects.end(), [end](const ReportSubject& s) {
      return s.report.statistics.Ended(end) > 0;
    });
    if (!any) continue;
    AddRow(
        std::string(GameEndText(end)), subjects,
        [end](const ReportSubject& s) {
          const GameStatistics& games = s.report.statistics;
          return PercentText(ShareEstimate(games.Ended(end), games.games()));
        },
        &table);
  }
  return table;
}

ReportTable WorthsTable(Subjects subjects) {
  if (subjects.size() == 1) return WorthsOf(subjects[0]);
  ReportTable table = {"What pieces are worth, points", HeaderOf("piece", subjects), {}};
  std::vector<std::string> names;
  for (const ReportSubject& subject : subjects) {
    if (!subject.report.worths.ok()) continue;
    for (const PieceWorth& piece : subject.report.worths->pieces) {
      const std::string& name = piece.column.name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  for (const std::string& name : names) {
    AddRow(
        name, subjects, [&name](const ReportSubject& s) { return PointsOf(s, name); }, &table);
  }
  return table;
}

ReportTable DeedsTable(const ReportSubject& subject) {
  const Rules& rules = *subject.report.rules;
  const bool drops = rules.has_drops();
  const bool promotions = HasPromotions(rules);
  ReportTable table = {"What pieces do, a game", {"piece", "moves"}, {}};
  if (drops) table.header.push_back("drops");
  if (promotions) table.header.push_back("promotions");
  table.header.insert(table.header.end(), {"captures", "captured"});
  const GameStatistics& games = subject.report.statistics;
  const auto mean = [&games](int64_t sum) {
    return absl::StrFormat("%.2f",
                           static_cast<double>(sum) / static_cast<double>(games.replayed()));
  };
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    if (rules.kind(kind).is_pending(kind)) continue;
    const PieceDeeds& deeds = games.deeds()[static_cast<size_t>(kind)];
    if (deeds == PieceDeeds()) continue;  // of another variant of the family
    std::vector<std::string> row = {rules.kind(kind).name, mean(deeds.moves)};
    if (drops) row.push_back(mean(deeds.drops));
    if (promotions) row.push_back(mean(deeds.promotions));
    row.push_back(mean(deeds.captures));
    row.push_back(mean(deeds.captured));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string WithThousands(int64_t number) {
  std::string text = absl::StrCat(number);
  const std::ptrdiff_t first = number < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > first; at -= 3) {
    text.insert(static_cast<size_t>(at), ",");
  }
  return text;
}

std::string PercentText(const Estimate& share) {
  return absl::StrFormat("%.1f %% (%.1f to %.1f)", 100 * share.value, 100 * share.low,
                         100 * share.high);
}

std::string ValueText(const Estimate& value) {
  return absl::StrFormat("%.2f (%.2f to %.2f)", value.value, value.low, value.high);
}

bool IsSampled(const ReportSubject& subject) {
  return subject.report.statistics.replayed() < subject.report.statistics.games();
}

bool HasDisplacers(const Rules& rules) {
  const auto& pieces = rules.definition().pieces;
  return std::any_of(pieces.begin(), pieces.end(), [](const PieceDefinition& piece) {
    return std::any_of(piece.atoms.begin(), piece.atoms.end(),
                       [](const Atom& atom) { return atom.through == Through::kEnemy; });
  });
}

bool HasPromotions(const Rules& rules) {
  const auto& pieces = rules.definition().pieces;
  return std::any_of(pieces.begin(), pieces.end(),
                     [](const PieceDefinition& piece) { return !piece.promotions.empty(); });
}

}  // namespace crossriver
