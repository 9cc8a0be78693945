#include "tools/serve/run_view.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/notation.h"
#include "selfplay/run_directory.h"
#include "tools/run_folder.h"
#include "tools/serve/variant_json.h"

namespace crossriver {
namespace {

constexpr size_t kShownPolicyMoves = 12;
// How finely probabilities are shown; records keep little more.
constexpr double kShareScale = 10000;

double Rounded(double share) { return std::round(share * kShareScale) / kShareScale; }

Json WdlJson(const Wdl& wdl) {
  return Json::array({Rounded(static_cast<double>(wdl.win)), Rounded(static_cast<double>(wdl.draw)),
                      Rounded(static_cast<double>(wdl.loss))});
}

template <typename AnyGame>
std::string EndText(const AnyGame& game) {
  if (game.truncated) return "cut short";
  if (game.resigned) return "resigned";
  if (game.reason == Reason::kNone) return "agreed";
  return absl::StrReplaceAll(ToString(game.reason), {{"_", " "}});
}

Json CheckpointJson(const CheckpointRow& row) {
  return {{"number", row.number},
          {"generation", row.generation},
          {"step", row.step},
          {"games", row.games},
          {"kept", row.kept}};
}

Json RecordedMoveJson(const Rules& rules, const RecordedMove& move) {
  Json json = MoveJson(rules, move.move);
  json["visits"] = move.visits;
  json["full"] = move.full;
  json["checkpoint"] = move.checkpoint;
  const bool has_opinion = move.checkpoint != kNoCheckpoint;
  json["search"] = has_opinion && move.visits > 0 ? WdlJson(move.root) : Json(nullptr);
  json["network"] = has_opinion ? WdlJson(move.raw) : Json(nullptr);
  Json policy = Json::array();
  const size_t shown = std::min(move.policy.entries.size(), kShownPolicyMoves);
  for (size_t i = 0; i < shown; ++i) {
    const SparsePolicy::Entry& entry = move.policy.entries[i];
    policy.push_back(Json::array({FormatMove(rules, entry.move), Rounded(entry.share / 65535.0)}));
  }
  json["policy"] = std::move(policy);
  return json;
}

// The points of a curve, thinned out evenly; the last one stays.
Json PointsOf(const std::vector<Metric>& metrics) {
  std::vector<const Metric*> numbers;
  for (const Metric& metric : metrics) {
    if (std::isfinite(metric.value)) numbers.push_back(&metric);
  }
  const size_t stride = numbers.size() / kMostCurvePoints + 1;
  Json points = Json::array();
  for (size_t i = 0; i < numbers.size(); ++i) {
    if ((numbers.size() - 1 - i) % stride != 0) continue;
    points.push_back(Json::array({numbers[i]->generation, numbers[i]->value}));
  }
  return points;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RunView>> RunView::Open(const std::string& folder) {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(folder);
  if (!run.ok()) return run.status();
  const absl::StatusOr<VariantGroup> variants = VariantsOfRun(*run);
  if (!variants.ok()) return variants.status();
  return std::unique_ptr<RunView>(new RunView(folder, *variants));
}

absl::StatusOr<std::unique_ptr<RunReader>> RunView::NewReader() const {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(folder_);
  if (!run.ok()) return run.status();
  return RunReader::Open(*run);
}

absl::StatusOr<Json> RunView::Overview() const {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(folder_);
  if (!run.ok()) return run.status();
  Json overview = {{"folder", folder_},
                   {"variant", rules()->definition().id},
                   {"training", run->IsHeld()},
                   {"games", 0},
                   {"rows", 0},
                   {"checkpoints", Json::array()},
                   {"metrics", Json::array()}};
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(*run);
  if (absl::IsNotFound(reader.status())) return overview;
  if (!reader.ok()) return reader.status();
  const auto totals = (*reader)->CountGames();
  const auto checkpoints = (*reader)->ListCheckpoints();
  const auto names = (*reader)->MetricNames();
  for (const absl::Status& status : {totals.status(), checkpoints.status(), names.status()}) {
    if (!status.ok()) return status;
  }
  overview["games"] = totals->games;
  overview["rows"] = totals->rows;
  for (const CheckpointRow& row : *checkpoints) {
    overview["checkpoints"].push_back(CheckpointJson(row));
  }
  overview["metrics"] = *names;
  return overview;
}

absl::StatusOr<Json> RunView::Curves(const std::vector<std::string>& names) const {
  if (names.size() > kMostMetricNames) {
    return absl::InvalidArgumentError(
        absl::StrCat("names: expected at most ", kMostMetricNames, ", got ", names.size()));
  }
  Json curves = Json::object();
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = NewReader();
  if (absl::IsNotFound(reader.status()) && RunDirectory::OpenReadOnly(folder_).ok()) return curves;
  if (!reader.ok()) return reader.status();
  for (const std::string& name : names) {
    const absl::StatusOr<std::vector<Metric>> metrics = (*reader)->ReadMetrics(name);
    if (!metrics.ok()) return metrics.status();
    curves[name] = PointsOf(*metrics);
  }
  return curves;
}

absl::StatusOr<Json> RunView::ListGames(int count) const {
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = NewReader();
  if (!reader.ok()) return reader.status();
  const absl::StatusOr<std::vector<GameRow>> rows = (*reader)->ListNewest(count);
  if (!rows.ok()) return rows.status();
  Json games = Json::array();
  for (const GameRow& row : *rows) {
    // Numbers of imported games are beyond what JavaScript counts exactly.
    games.push_back({{"id", absl::StrCat(row.id)},
                     {"variant", row.variant},
                     {"generation", row.generation},
                     {"checkpoint", row.checkpoint},
                     {"plies", row.plies},
                     {"winner", std::string(ResultText(row.result))},
                     {"end", EndText(row)},
                     {"start", std::string(StartKindText(row.start_kind))}});
  }
  return games;
}

absl::StatusOr<Json> RunView::Game(uint64_t id) const {
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = NewReader();
  if (!reader.ok()) return reader.status();
  const absl::StatusOr<GameRecord> record = (*reader)->ReadGame(id);
  if (!record.ok()) return record.status();
  const Rules& played = variants_.FindOrFirst(record->rules_hash);
  Json fens = Json::array();
  const absl::Status replayed = ReplayRecord(
      played, *record,
      [&](int /*ply*/, const Position& position, const History&, std::span<const Move>) {
        fens.push_back(FormatFen(position));
        return true;
      });
  if (!replayed.ok()) return replayed;
  Json moves = Json::array();
  for (const RecordedMove& move : record->moves) moves.push_back(RecordedMoveJson(played, move));
  return Json{{"id", absl::StrCat(record->id)},
              {"variant", played.definition().id},
              {"start", std::string(StartKindText(record->start_kind))},
              {"winner", std::string(ResultText(record->result))},
              {"end", EndText(*record)},
              {"fens", std::move(fens)},
              {"moves", std::move(moves)}};
}

}  // namespace crossriver
