#include "tools/openings_report.h"

#include <algorithm>
#include <utility>

#include "core/notation.h"

namespace crossriver {
namespace {

// Of the checkpoints that are compared, at either end.
constexpr int64_t kComparedShare = 4;
// Of games, by which a product of shares may miss them.
constexpr double kRounding = 1e-6;

class TreeWalk {
 public:
  TreeWalk(OpeningTree* tree, const OpeningsReportOptions& options, const OpeningQuery& query,
           int64_t games)
      : tree_(*tree), options_(options), query_(query), games_(static_cast<double>(games)) {}

  // The moves that were played often enough, with so many plies behind each; none where the line
  // has come back to one of its positions.
  absl::StatusOr<std::vector<OpeningBranch>> Branches(const Position& position,
                                                      const std::vector<std::string>& line,
                                                      double reach, int plies) {
    std::vector<OpeningBranch> branches;
    const uint64_t key = tree_.classes().ClassOf(position).key;
    if (plies == 0 || std::find(way_.begin(), way_.end(), key) != way_.end()) return branches;
    way_.push_back(key);
    absl::StatusOr<OpeningPosition> at = tree_.At(position, query_);
    if (!at.ok()) return at.status();
    for (OpeningMove& move : at->moves) {
      const double share = reach * move.share;
      // Otherwise a position that many orders of moves lead to would be shown with each.
      if (share * games_ < static_cast<double>(options_.min_games) - kRounding) continue;
      OpeningBranch branch;
      branch.mover = position.side_to_move();
      branch.line = line;
      branch.line.push_back(move.text);
      branch.reach = share;
      Position next = position;
      next.Do(move.move);
      branch.move = std::move(move);
      auto behind = Branches(next, branch.line, share, plies - 1);
      if (!behind.ok()) return behind.status();
      branch.next = *std::move(behind);
      branches.push_back(std::move(branch));
    }
    way_.pop_back();
    return branches;
  }

 private:
  OpeningTree& tree_;
  const OpeningsReportOptions& options_;
  const OpeningQuery& query_;
  const double games_;
  std::vector<uint64_t> way_;  // classes of the positions that lead to the one at hand
};

// The ends of the checkpoints with games at the position, within the range that was asked for.
absl::Status Compare(OpeningTree* tree, const Position& position, OpeningsReport* report) {
  const auto by_checkpoint = tree->ByCheckpoint(position);
  if (!by_checkpoint.ok()) return by_checkpoint.status();
  std::vector<int64_t> numbers;
  for (const auto& [checkpoint, counts] : *by_checkpoint) {
    const CheckpointRange& range = report->checkpoints;
    if (checkpoint == kNoCheckpoint || checkpoint < range.first || checkpoint > range.last) {
      continue;
    }
    numbers.push_back(checkpoint);
  }
  if (numbers.size() < 2) return absl::OkStatus();
  const int64_t first = numbers.front();
  const int64_t last = numbers.back();
  const int64_t window = std::max<int64_t>(1, (last - first + 1) / kComparedShare);
  OpeningChangeOptions options;
  options.before = {first, first + window - 1};
  options.after = {last - window + 1, last};
  report->compared.emplace(options.before, options.after);
  absl::StatusOr<OpeningChanges> changes = CompareOpenings(tree, position, options);
  if (!changes.ok()) return changes.status();
  report->changes = *std::move(changes);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<OpeningsReport> MakeOpeningsReport(const OpeningsReportOptions& options,
                                                  const std::string& source,
                                                  const OpeningPlace& place,
                                                  OpenedOpenings* opened) {
  OpeningTree* tree = opened->tree.get();
  OpeningsReport report;
  report.variant = opened->rules->definition().id;
  report.source = source;
  report.state = opened->state;
  report.duplicates = opened->duplicates;
  report.checkpoints = options.checkpoints.value_or(CheckpointRange());
  report.start_fen = FormatFen(place.start);
  for (const Move move : place.moves) report.moves.push_back(FormatMove(*opened->rules, move));
  OpeningQuery query;
  query.checkpoints = report.checkpoints;
  query.min_games = options.min_games;
  absl::StatusOr<OpeningPosition> position = tree->At(place.position, query);
  if (!position.ok()) return position.status();
  report.position = *std::move(position);
  auto branches = TreeWalk(tree, options, query, report.position.counts.games)
                      .Branches(place.position, {}, 1, options.plies);
  if (!branches.ok()) return branches.status();
  report.tree = *std::move(branches);
  const OpeningLineOptions line_options = {query, options.lines, options.line_plies};
  absl::StatusOr<std::vector<OpeningLine>> lines = MainLines(tree, place.position, line_options);
  if (!lines.ok()) return lines.status();
  report.lines = *std::move(lines);
  if (absl::Status status = Compare(tree, place.position, &report); !status.ok()) return status;
  absl::StatusOr<std::vector<OpeningPly>> diversity = tree->Diversity(report.checkpoints);
  if (!diversity.ok()) return diversity.status();
  report.diversity = *std::move(diversity);
  return report;
}

}  // namespace crossriver
