#include "tools/report_json.h"

#include <nlohmann/json.hpp>
#include <string>

namespace crossriver {
namespace {

using OrderedJson = nlohmann::ordered_json;

// As many stages as there are generations.
constexpr int kAllStages = 1'000'000;

OrderedJson EstimateJson(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

OrderedJson EndsJson(const GameStatistics& games) {
  OrderedJson ends = OrderedJson::array();
  for (int i = 0; i < kNumGameEnds; ++i) {
    const auto end = static_cast<GameEnd>(i);
    if (games.Ended(end) == 0) continue;
    ends.push_back({{"end", std::string(GameEndText(end))},
                    {"games", games.Ended(end)},
                    {"first_wins", games.Ended(end, Result::kWin)},
                    {"draws", games.Ended(end, Result::kDraw)},
                    {"second_wins", games.Ended(end, Result::kLoss)}});
  }
  return ends;
}

OrderedJson LengthsJson(const GameStatistics& games) {
  OrderedJson lengths = OrderedJson::array();
  for (const auto& [plies, count] : games.lengths()) {
    lengths.push_back({{"plies", plies}, {"games", count}});
  }
  return {{"mean", EstimateJson(games.plies().MeanEstimate())},
          {"median", games.LengthQuantile(0.5)},
          {"quantile_5", games.LengthQuantile(0.05)},
          {"quantile_95", games.LengthQuantile(0.95)},
          {"games", lengths}};
}

OrderedJson ChoicesJson(const GameStatistics& games) {
  OrderedJson by_ply = OrderedJson::array();
  for (const Moments& moments : games.choices()) {
    by_ply.push_back(
        {{"games", moments.count()}, {"mean", moments.mean()}, {"deviation", moments.deviation()}});
  }
  return {{"mean", games.AllChoices().mean()}, {"by_ply", by_ply}};
}

OrderedJson PieceValuesJson(const RunReport& report) {
  if (!report.worths.ok()) {
    return {{"error", std::string(report.worths.status().message())}, {"pieces", nullptr}};
  }
  OrderedJson pieces = OrderedJson::array();
  for (const PieceWorth& piece : report.worths->pieces) {
    OrderedJson object = {{"id", report.rules->kind(piece.column.kind).id},
                          {"name", piece.column.name},
                          {"in_hand", piece.column.in_hand},
                          {"points", nullptr},
                          {"score_with_one_more", EstimateJson(piece.score)},
                          {"nats", EstimateJson(piece.nats)},
                          {"points_by_moves_alone", piece.column.prior}};
    if (piece.points.has_value()) object["points"] = EstimateJson(*piece.points);
    pieces.push_back(std::move(object));
  }
  return {{"games", report.worths->games},
          {"positions", report.worths->positions},
          {"first_score_when_equal", EstimateJson(report.worths->first_score)},
          {"never_uneven", report.worths->never_uneven},
          {"pieces", pieces}};
}

OrderedJson DeedsJson(const RunReport& report) {
  OrderedJson pieces = OrderedJson::array();
  const Rules& rules = *report.rules;
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    const PieceDeeds& deeds = report.statistics.deeds()[static_cast<size_t>(kind)];
    if (deeds == PieceDeeds()) continue;
    pieces.push_back({{"id", rules.kind(kind).id},
                      {"name", rules.kind(kind).name},
                      {"moves", deeds.moves},
                      {"drops", deeds.drops},
                      {"promotions", deeds.promotions},
                      {"captures", deeds.captures},
                      {"captured", deeds.captured}});
  }
  return pieces;
}

OrderedJson StagesJson(const GameStatistics& games) {
  OrderedJson stages = OrderedJson::array();
  for (const StageStatistics& stage : games.Stages(kAllStages)) {
    stages.push_back({{"generation", stage.first_generation},
                      {"first_wins", stage.first.wins},
                      {"draws", stage.first.draws},
                      {"second_wins", stage.first.losses},
                      {"mean_plies", stage.plies.mean()}});
  }
  return stages;
}

OrderedJson SubjectJson(const ReportSubject& subject) {
  const RunReport& report = subject.report;
  const GameStatistics& games = report.statistics;
  const ResultCounts& first = games.first();
  return {{"label", subject.label},
          {"variant", report.rules->definition().id},
          {"games", games.games()},
          {"replayed_games", games.replayed()},
          {"different_games", report.different_games},
          {"left_out",
           {{"other_variants", report.left_out.other_variants},
            {"other_starts", report.left_out.other_starts},
            {"other_rules", report.left_out.other_rules},
            {"unknown_rules", report.left_out.unknown_rules},
            {"damaged", report.left_out.damaged}}},
          {"first_score", EstimateJson(FirstScoreEstimate(first))},
          {"draw_rate", EstimateJson(ShareEstimate(first.draws, first.games()))},
          {"first_wins", first.wins},
          {"draws", first.draws},
          {"second_wins", first.losses},
          {"ends", EndsJson(games)},
          {"plies", LengthsJson(games)},
          {"legal_moves", ChoicesJson(games)},
          {"a_game",
           {{"captures", EstimateJson(games.captures().MeanEstimate())},
            {"displacer_captures", EstimateJson(games.displacer_captures().MeanEstimate())},
            {"double_captures", EstimateJson(games.double_captures().MeanEstimate())},
            {"drops", EstimateJson(games.drops().MeanEstimate())},
            {"promotions", EstimateJson(games.promotions().MeanEstimate())},
            {"checks", EstimateJson(games.checks().MeanEstimate())}}},
          {"piece_values", PieceValuesJson(report)},
          {"piece_deeds", DeedsJson(report)},
          {"generations", StagesJson(games)}};
}

}  // namespace

nlohmann::ordered_json ReportJson(std::span<const ReportSubject> subjects) {
  if (subjects.size() == 1) return SubjectJson(subjects[0]);
  OrderedJson runs = OrderedJson::array();
  for (const ReportSubject& subject : subjects) runs.push_back(SubjectJson(subject));
  return {{"runs", runs}};
}

}  // namespace crossriver
