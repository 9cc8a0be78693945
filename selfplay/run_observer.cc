#include "selfplay/run_observer.h"

namespace crossriver {

std::vector<std::pair<std::string, double>> MetricsOf(const GenerationReport& report) {
  std::vector<std::pair<std::string, double>> values = report.stats->Metrics();
  const SelfPlayCounts& counts = report.counts;
  const auto rate = [](double count, double seconds) { return seconds > 0 ? count / seconds : 0; };
  const auto add = [&values](const char* name, double value) { values.emplace_back(name, value); };
  add("selfplay/games", static_cast<double>(report.stats->games()));
  add("selfplay/games_per_second", rate(static_cast<double>(counts.games), report.play_seconds));
  add("selfplay/evaluations_per_second",
      rate(static_cast<double>(counts.evaluations), report.play_seconds));
  add("selfplay/cache_hits", counts.cache_share());
  add("selfplay/batch_fill", counts.batch_fill());
  add("selfplay/seconds", report.play_seconds);
  add("training/steps", static_cast<double>(report.steps));
  add("training/seconds", report.training_seconds);
  add("loop/seconds", report.seconds);
  add(kProcessorMetric, report.cpu_seconds);
  add("replay/window_rows", static_cast<double>(report.window_rows));
  add("replay/total_rows", static_cast<double>(report.total_rows));
  if (report.steps == 0) return values;
  add("training/learning_rate", report.learning_rate);
  add("training/gradient_norm", report.gradient_norm);
  add("loss/total", report.losses.total);
  add("loss/policy", report.losses.policy);
  add("loss/value", report.losses.value);
  add("loss/plies_left", report.losses.plies_left);
  add("loss/reply", report.losses.reply);
  add("policy/agreement", report.losses.agreement);
  add("value/squared_error", report.losses.value_error);
  return values;
}

}  // namespace crossriver
