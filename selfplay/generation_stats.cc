#include "selfplay/generation_stats.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_format.h"
#include "selfplay/game.h"

namespace crossriver {
namespace {

// Thresholds of the alarms.
constexpr int64_t kEnoughGames = 50;
constexpr int64_t kEnoughResigns = 20;
constexpr double kManyDuplicates = 0.1;
constexpr double kLowEntropy = 0.15;  // nats: nearly always the same move
constexpr double kManyDraws = 0.8;
constexpr double kBadCalibration = 0.2;
constexpr double kOneSided = 0.95;
constexpr double kManyFalseResigns = 0.1;

// Start and moves as one text.
std::string Identity(const GameRecord& record) {
  std::string text = record.start_fen;
  for (const RecordedMove& move : record.moves) {
    text.push_back(static_cast<char>(move.move.raw() & 255));
    text.push_back(static_cast<char>(move.move.raw() >> 8));
  }
  return text;
}

// Of the listed moves; the remainder is spread over moves that nobody knows here, and left out.
double Entropy(const SparsePolicy& policy) {
  double sum = 0;
  for (const SparsePolicy::Entry& entry : policy.entries) {
    const double share = entry.share / 65535.0;
    if (share > 0) sum -= share * std::log(share);
  }
  return sum;
}

double ScoreOf(Result result) {
  return result == Result::kWin ? 1 : result == Result::kDraw ? 0.5 : 0;
}

}  // namespace

void GenerationStats::Add(const GameRecord& record) {
  ++games_;
  plies_ += static_cast<int64_t>(record.moves.size());
  if (!seen_.insert(Identity(record)).second) ++duplicates_;
  bool first_moves = FirstMover(record) == Side::kFirst;
  for (const RecordedMove& move : record.moves) {
    AddMove(record, move, first_moves);
    first_moves = !first_moves;
  }
  AddResult(record);
}

void GenerationStats::AddMove(const GameRecord& record, const RecordedMove& move,
                              bool first_moves) {
  if (move.full) {
    ++rows_;
    entropy_ += Entropy(move.policy);
    surprise_ += static_cast<double>(move.surprise);
  }
  if (record.result == Result::kNone || move.visits == 0) return;
  const double predicted = static_cast<double>(move.raw.win + move.raw.draw / 2);
  const double scored = first_moves ? ScoreOf(record.result) : 1 - ScoreOf(record.result);
  const int band = std::clamp(static_cast<int>(predicted * kBands), 0, kBands - 1);
  Band& at = bands_[static_cast<size_t>(band)];
  at.predicted += predicted;
  at.scored += scored;
  ++at.positions;
}

void GenerationStats::AddResult(const GameRecord& record) {
  if (record.truncated) ++truncated_;
  if (record.resigned) ++resigned_;
  if (record.result == Result::kWin) ++first_wins_;
  if (record.result == Result::kLoss) ++second_wins_;
  if (record.result == Result::kDraw) ++draws_;
  const std::optional<bool> wrong = FalseResignation(record);
  if (!wrong.has_value()) return;
  ++played_out_;
  if (*wrong) ++false_resigns_;
}

double GenerationStats::FirstScore() const {
  return Share(static_cast<double>(first_wins_) + static_cast<double>(draws_) / 2,
               first_wins_ + second_wins_ + draws_);
}

double GenerationStats::CalibrationError() const {
  double error = 0;
  int64_t positions = 0;
  for (const Band& band : bands_) {
    error += std::abs(band.predicted - band.scored);
    positions += band.positions;
  }
  return Share(error, positions);
}

std::vector<std::pair<std::string, double>> GenerationStats::Metrics() const {
  return {{"selfplay/plies", MeanPlies()},
          {"selfplay/first_score", FirstScore()},
          {"selfplay/draws", DrawShare()},
          {"selfplay/truncated", TruncatedShare()},
          {"selfplay/resigned", ResignedShare()},
          {"selfplay/false_resigns", FalseResignShare()},
          {"selfplay/duplicates", DuplicateShare()},
          {"selfplay/rows", static_cast<double>(rows_)},
          {"policy/entropy", PolicyEntropy()},
          {"policy/surprise", Surprise()},
          {"value/calibration_error", CalibrationError()}};
}

std::vector<std::string> Alarms(const GenerationStats& stats) {
  std::vector<std::string> alarms;
  if (stats.games() < kEnoughGames) return alarms;
  const auto percent = [](double share) { return 100 * share; };
  if (stats.DuplicateShare() > kManyDuplicates) {
    alarms.push_back(absl::StrFormat(
        "%.0f %% of the games are copies of another: raise the temperature or vary the starts",
        percent(stats.DuplicateShare())));
  }
  if (stats.rows() > 0 && stats.PolicyEntropy() < kLowEntropy) {
    alarms.push_back(
        absl::StrFormat("the policy hardly chooses any more (entropy %.2f nats): "
                        "raise noise, temperature or visits",
                        stats.PolicyEntropy()));
  }
  if (stats.DrawShare() > kManyDraws) {
    alarms.push_back(absl::StrFormat(
        "%.0f %% of the games are draws: a draw score below 0.5 or other starts may help",
        percent(stats.DrawShare())));
  }
  if (stats.CalibrationError() > kBadCalibration) {
    alarms.push_back(
        absl::StrFormat("the network's expected scores are off by %.2f on average: "
                        "train longer, or on a larger window",
                        stats.CalibrationError()));
  }
  const double first = stats.FirstScore();
  const bool decided = stats.TruncatedShare() < 1;
  if (decided && (first > kOneSided || first < 1 - kOneSided)) {
    alarms.push_back(
        absl::StrFormat("the %s player scores %.0f %%: games teach little when one "
                        "side nearly always wins",
                        first > 0.5 ? "first" : "second", percent(std::max(first, 1 - first))));
  }
  if (stats.played_out() >= kEnoughResigns && stats.FalseResignShare() > kManyFalseResigns) {
    alarms.push_back(
        absl::StrFormat("%.0f %% of the resignations that were played out were wrong: "
                        "lower resign_threshold",
                        percent(stats.FalseResignShare())));
  }
  return alarms;
}

}  // namespace crossriver
