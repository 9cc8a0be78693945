// What `crossriver openings` shows of a tree: gathered once, printed in four ways.
#ifndef CROSSRIVER_TOOLS_OPENINGS_REPORT_H_
#define CROSSRIVER_TOOLS_OPENINGS_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/openings/opening_lines.h"
#include "selfplay/openings/opening_tree.h"
#include "tools/openings_source.h"

namespace crossriver {

struct OpeningsReportOptions {
  int plies = 2;           // of the tree
  int64_t min_games = 10;  // a move, and a line to it
  std::optional<CheckpointRange> checkpoints;
  int lines = 8;
  int line_plies = 12;
};

// A move and what followed it.
struct OpeningBranch {
  OpeningMove move;
  Side mover = Side::kFirst;
  std::vector<std::string> line;  // to the move, which is the last
  double reach = 0;               // see OpeningLine::reach
  std::vector<OpeningBranch> next;
};

struct OpeningsReport {
  std::string variant;
  std::string source;
  OpeningState state;
  int64_t duplicates = 0;
  CheckpointRange checkpoints;  // asked for
  std::string start_fen;
  std::vector<std::string> moves;  // to the position that is shown
  OpeningPosition position;
  std::vector<OpeningBranch> tree;
  std::vector<OpeningLine> lines;
  // From the first to the last quarter of the checkpoints; nullopt where there are fewer than two.
  std::optional<std::pair<CheckpointRange, CheckpointRange>> compared;
  OpeningChanges changes;
  std::vector<OpeningPly> diversity;
};

absl::StatusOr<OpeningsReport> MakeOpeningsReport(const OpeningsReportOptions& options,
                                                  const std::string& source,
                                                  const OpeningPlace& place,
                                                  OpenedOpenings* opened);

std::string FormatOpeningsText(const OpeningsReport& report);
std::string FormatOpeningsJson(const OpeningsReport& report);
// One row a move of the tree, the deeper ones behind the one they follow.
std::string FormatOpeningsCsv(const OpeningsReport& report);
// One column a ply, moves as high as their share of the games, coloured by score.
std::string DrawOpeningsSvg(const OpeningsReport& report);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_OPENINGS_REPORT_H_
