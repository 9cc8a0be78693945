#include "tools/train_reporter.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "selfplay/json_text.h"

namespace crossriver {
namespace {

using nlohmann::ordered_json;

void PrintJson(const ordered_json& object) {
  std::printf("%s\n", JsonText(object).c_str());
  std::fflush(stdout);
}

double Percent(double share) { return 100 * share; }

std::string Duration(double seconds) {
  return absl::FormatDuration(absl::Seconds(static_cast<int64_t>(seconds)));
}

}  // namespace

Progress* TrainReporter::Stage(const std::string& name, int64_t total) {
  if (stage_ != name) {
    EndStage();
    stage_ = name;
    progress_.emplace(name, total);
  }
  return &*progress_;
}

void TrainReporter::EndStage() {
  progress_.reset();
  stage_.clear();
}

void TrainReporter::OnMessage(const std::string& message) {
  EndStage();
  if (json_) return PrintJson({{"message", message}});
  std::printf("note: %s\n", message.c_str());
  std::fflush(stdout);
}

void TrainReporter::OnEstimate(const RunEstimate& estimate) {
  EndStage();
  if (json_) {
    return PrintJson({{"estimate",
                       {{"games", estimate.games},
                        {"evaluations", estimate.evaluations},
                        {"hours", estimate.hours},
                        {"gigabytes", estimate.gigabytes},
                        {"measured_seconds", estimate.measured_seconds}}}});
  }
  std::printf(
      "cost, from %.0f s of self-play: %lld games to go, about %.1f million evaluations, %s, "
      "%.2f GB of disk\n",
      estimate.measured_seconds, static_cast<long long>(estimate.games),
      static_cast<double>(estimate.evaluations) / 1e6, Duration(3600 * estimate.hours).c_str(),
      estimate.gigabytes);
  std::fflush(stdout);
}

void TrainReporter::OnSelfPlay(const SelfPlayProgress& progress) {
  const SelfPlayCounts& counts = progress.counts;
  Stage(absl::StrCat("games of generation ", progress.generation),
        progress.wanted - progress.resumed)
      ->Update(progress.games - progress.resumed,
               absl::StrFormat("%.0f evaluations/s, cache %.0f %%, batches %.0f %% full",
                               static_cast<double>(counts.evaluations) / progress.seconds,
                               Percent(counts.cache_share()), Percent(counts.batch_fill())));
}

void TrainReporter::OnTraining(const TrainingProgress& progress) {
  Stage(absl::StrCat("steps of generation ", progress.generation), progress.wanted)
      ->Update(progress.steps,
               absl::StrFormat("loss %.3f, %.0f rows/s", progress.losses.total,
                               static_cast<double>(progress.steps * progress.rows_per_step) /
                                   std::max(progress.seconds, 1e-3)));
}

void TrainReporter::OnMatch(const char* what, int64_t games, int64_t wanted) {
  Stage(absl::StrCat("games of the ", what), wanted)->Update(games);
}

void TrainReporter::OnGeneration(const GenerationReport& report) {
  EndStage();
  if (first_ < 0) first_ = report.generation;
  seconds_ += report.seconds;
  if (!json_) return PrintGeneration(report);
  ordered_json object = {{"generation", report.generation},
                         {"checkpoint", report.checkpoint},
                         {"accepted", report.accepted},
                         {"step", report.step},
                         {"games", report.total_games}};
  for (const auto& [name, value] : MetricsOf(report)) object[name] = value;
  object["alarms"] = report.alarms;
  PrintJson(object);
}

void TrainReporter::PrintGeneration(const GenerationReport& report) {
  const GenerationStats& stats = *report.stats;
  const SelfPlayCounts& counts = report.counts;
  const double seconds = std::max(report.play_seconds, 1e-3);
  const double done = static_cast<double>(report.generation - first_ + 1);
  double left = seconds_ / done * static_cast<double>(report.generations - report.generation);
  std::string spent;
  if (report.processor_minutes > 0) {
    const double minutes = report.total_cpu_seconds / 60;
    const double rate = report.cpu_seconds / std::max(report.seconds, 1e-3);
    left = std::min(left, std::max(0.0, report.processor_minutes - minutes) * 60 / rate);
    spent = absl::StrFormat(", %.1f of %g processor minutes", minutes, report.processor_minutes);
  }
  std::printf("generation %lld of %lld%s, %lld games, %s left\n",
              static_cast<long long>(report.generation), static_cast<long long>(report.generations),
              spent.c_str(), static_cast<long long>(report.total_games), Duration(left).c_str());
  std::printf(
      "  self-play  %.2f games/s, %.0f evaluations/s, cache %.0f %%, batches %.0f %% full; "
      "%.0f plies, draws %.0f %%, truncated %.0f %%, resigned %.0f %%, first player %.0f %%\n",
      static_cast<double>(counts.games) / seconds,
      static_cast<double>(counts.evaluations) / seconds, Percent(counts.cache_share()),
      Percent(counts.batch_fill()), stats.MeanPlies(), Percent(stats.DrawShare()),
      Percent(stats.TruncatedShare()), Percent(stats.ResignedShare()), Percent(stats.FirstScore()));
  if (report.steps > 0) {
    std::printf(
        "  training   step %lld (%lld in %.0f s), loss %.3f (policy %.3f, value %.3f), agreement "
        "%.0f %%, learning rate %.2g; window %lld of %lld rows\n",
        static_cast<long long>(report.step), static_cast<long long>(report.steps),
        report.training_seconds, report.losses.total, report.losses.policy, report.losses.value,
        Percent(report.losses.agreement), report.learning_rate,
        static_cast<long long>(report.window_rows), static_cast<long long>(report.total_rows));
  } else {
    std::printf("  training   waits for more rows; there are %lld\n",
                static_cast<long long>(report.total_rows));
  }
  for (const std::string& alarm : report.alarms) std::printf("  ALARM      %s\n", alarm.c_str());
  std::fflush(stdout);
}

void TrainReporter::OnFinalMatch(int64_t checkpoint, int visits, const MatchScore& score) {
  EndStage();
  const ResultCounts games = score.total();
  const Interval interval = ScoreInterval(score);
  if (json_) {
    return PrintJson({{"final",
                       {{"checkpoint", checkpoint},
                        {"visits", visits},
                        {"wins", games.wins},
                        {"draws", games.draws},
                        {"losses", games.losses},
                        {"score", score.score()},
                        {"score_low", interval.low},
                        {"score_high", interval.high}}}});
  }
  std::printf(
      "checkpoint %lld against the untrained network, %d visits a move: %lld wins, %lld draws, "
      "%lld losses: %.1f %% (95 %% interval %.1f to %.1f)\n",
      static_cast<long long>(checkpoint), visits, static_cast<long long>(games.wins),
      static_cast<long long>(games.draws), static_cast<long long>(games.losses),
      Percent(score.score()), Percent(interval.low), Percent(interval.high));
  std::fflush(stdout);
}

}  // namespace crossriver
