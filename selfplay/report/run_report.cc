#include "selfplay/report/run_report.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "selfplay/run_reader.h"

namespace crossriver {
namespace {

// Games that a thread takes at a time, unless there would be more than so many chunks.
constexpr size_t kChunkGames = 100;
constexpr size_t kMostChunks = 1000;

// A game without its moves.
struct ListedGame {
  uint64_t id = 0;
  uint64_t moves_hash = 0;
  int64_t generation = 0;
  int plies = 0;
  Result result = Result::kNone;  // of the first player
  GameEnd end = GameEnd::kCutShort;
  bool left_out = false;
};

// Some of the games to replay.
struct Chunk {
  size_t begin = 0;
  size_t end = 0;
};

// What became of a chunk. Chunks are added up in their order.
struct ChunkReport {
  explicit ChunkReport(int columns) : samples(columns) {}

  GameStatistics statistics;  // without ends
  MaterialSamples samples;
  LeftOutGames left_out;
};

bool IsWholeGame(StartKind start) {
  return start != StartKind::kArmy && start != StartKind::kRestart;
}

double FirstPoints(Result first) {
  if (first == Result::kDraw) return 0.5;
  return first == Result::kWin ? 1 : 0;
}

void AddDamage(uint64_t id, absl::string_view why, LeftOutGames* left_out) {
  if (left_out->damaged++ == 0) left_out->first_damage = absl::StrCat("game ", id, ": ", why);
}

void AddLeftOut(const LeftOutGames& terms, LeftOutGames* sum) {
  if (sum->damaged == 0) sum->first_damage = terms.first_damage;
  sum->other_starts += terms.other_starts;
  sum->other_rules += terms.other_rules;
  sum->damaged += terms.damaged;
}

class RunExamination {
 public:
  RunExamination(const RunDirectory& run, const Rules& rules, const RunReportOptions& options)
      : run_(run), options_(options), columns_(rules) {}

  absl::Status Run() {
    if (absl::Status status = ListGames(); !status.ok()) return status;
    Plan();
    const auto threads = static_cast<size_t>(
        std::clamp<int64_t>(options_.threads, 1, std::max<int64_t>(std::ssize(chunks_), 1)));
    std::vector<absl::Status> results(threads);
    std::vector<std::thread> helpers;
    for (size_t i = 1; i < threads; ++i) {
      helpers.emplace_back([this, &result = results[i]] { result = Work(nullptr); });
    }
    results[0] = Work(options_.progress);
    for (std::thread& helper : helpers) helper.join();
    for (absl::Status& result : results) {
      if (!result.ok()) return std::move(result);
    }
    return absl::OkStatus();
  }

  // Empties the object.
  RunReport TakeReport() {
    ChunkReport sum(columns_.size());
    sum.left_out = left_out_;
    for (ChunkReport& chunk : reports_) {
      sum.statistics += chunk.statistics;
      sum.samples += chunk.samples;
      AddLeftOut(chunk.left_out, &sum.left_out);
      chunk = ChunkReport(columns_.size());
    }
    if (sum.left_out.other_rules > 0) sum.left_out.unknown_rules = LeaveOutUnreplayed();
    std::vector<uint64_t> hashes;
    for (const ListedGame& game : games_) {
      if (game.left_out) continue;
      sum.statistics.AddEnd(game.result, game.end, game.plies, game.generation);
      hashes.push_back(game.moves_hash);
    }
    std::sort(hashes.begin(), hashes.end());
    const auto different = std::unique(hashes.begin(), hashes.end()) - hashes.begin();
    return {nullptr, std::move(sum.statistics), std::move(sum.left_out), different,
            EstimatePieceWorths(columns_, sum.samples)};
  }

 private:
  absl::Status ListGames() {
    const auto reader = RunReader::Open(run_);
    if (!reader.ok()) return reader.status();
    const absl::StatusOr<std::vector<GameRow>> newest = (*reader)->ListNewest(
        options_.newest > 0 ? options_.newest : std::numeric_limits<int64_t>::max());
    if (!newest.ok()) return newest.status();
    games_.reserve(newest->size());
    for (auto row = newest->rbegin(); row != newest->rend(); ++row) {
      if (options_.other_variants.count(row->variant) != 0) {
        ++left_out_.other_variants;
        continue;
      }
      if (!options_.all_starts && !IsWholeGame(row->start_kind)) {
        ++left_out_.other_starts;
        continue;
      }
      const GameEnd end = EndOfGame(row->reason, row->resigned, row->truncated);
      games_.push_back(
          {row->id, row->moves_hash, row->generation, row->plies, row->result, end, false});
    }
    return absl::OkStatus();
  }

  // Chooses the games to replay.
  void Plan() {
    int64_t plies = 0;
    for (const ListedGame& game : games_) plies += game.plies;
    size_t games = games_.size();
    if (options_.replayed_plies > 0 && options_.replayed_plies < plies) {
      const double share =
          static_cast<double>(options_.replayed_plies) / static_cast<double>(plies);
      games = std::max(static_cast<size_t>(share * static_cast<double>(games)), size_t{1});
    }
    for (size_t i = 0; i < games; ++i) replayed_.push_back(i * games_.size() / games);
    const size_t width = std::max(kChunkGames, games / kMostChunks + 1);
    for (size_t begin = 0; begin < games; begin += width) {
      chunks_.push_back({begin, std::min(begin + width, games)});
    }
    reports_.assign(chunks_.size(), ChunkReport(columns_.size()));
  }

  // Returns how many these are.
  int64_t LeaveOutUnreplayed() {
    std::vector<bool> replayed(games_.size(), false);
    for (const size_t game : replayed_) replayed[game] = true;
    for (size_t i = 0; i < games_.size(); ++i) {
      if (!replayed[i]) games_[i].left_out = true;
    }
    return std::ssize(games_) - std::ssize(replayed_);
  }

  absl::Status Work(const std::function<void(int64_t, int64_t)>& progress) {
    std::vector<BadGame> damaged;
    const auto reader =
        RunReader::Open(run_, [&damaged](const BadGame& bad) { damaged.push_back(bad); });
    if (!reader.ok()) return reader.status();
    while (!stopped_) {
      const size_t index = next_++;
      if (index >= chunks_.size()) break;
      ChunkReport& report = reports_[index];
      for (size_t i = chunks_[index].begin; i < chunks_[index].end && !stopped_; ++i) {
        ListedGame& game = games_[replayed_[i]];
        const auto visit = [&](const GameRow&, const GameRecord& record) {
          Examine(record, IsForModel(i), &game, &report);
          return false;
        };
        absl::Status read = (*reader)->ReadGames(game.id, game.id, visit);
        if (!read.ok()) return read;
        for (const BadGame& bad : damaged) {
          game.left_out = true;
          AddDamage(bad.id, bad.why, &report.left_out);
        }
        damaged.clear();
        const int64_t done = ++done_;
        if (progress) progress(done, std::ssize(replayed_));
        if (options_.stop && options_.stop()) stopped_ = true;
      }
    }
    return stopped_ ? absl::CancelledError("stopped before all games were read") : absl::OkStatus();
  }

  // Of the replayed games, options_.most_model_games in even distances.
  bool IsForModel(size_t i) const {
    const auto most = static_cast<size_t>(std::max<int64_t>(options_.most_model_games, 0));
    const size_t games = replayed_.size();
    return games <= most || i * most / games != (i + 1) * most / games;
  }

  void Examine(const GameRecord& record, bool models, ListedGame* game, ChunkReport* report) const {
    if (record.rules_hash != columns_.rules().hash()) {
      game->left_out = true;
      ++report->left_out.other_rules;
      return;
    }
    const absl::StatusOr<GameFacts> facts = ExamineGame(columns_, record);
    if (!facts.ok()) {
      game->left_out = true;
      AddDamage(game->id, facts.status().message(), &report->left_out);
      return;
    }
    report->statistics.AddPlay(*facts);
    if (models && facts->result != Result::kNone) {
      report->samples.AddGame(facts->material, FirstPoints(facts->result));
    }
  }

  const RunDirectory& run_;
  const RunReportOptions& options_;
  const MaterialColumns columns_;
  std::vector<ListedGame> games_;     // in the order of storing; each written by one thread
  LeftOutGames left_out_;             // those that are not among them
  std::vector<size_t> replayed_;      // which of the games, rising
  std::vector<Chunk> chunks_;         // of `replayed_`
  std::vector<ChunkReport> reports_;  // by chunk; each written by one thread
  std::atomic<size_t> next_ = 0;      // chunk
  std::atomic<int64_t> done_ = 0;     // games
  std::atomic<bool> stopped_ = false;
};

// Why there is nothing to report of.
absl::Status NoGames(const std::string& path, const LeftOutGames& left_out) {
  std::string message = absl::StrCat(path, ": the run has no games to report of");
  if (left_out.other_starts > 0) {
    absl::StrAppend(&message, "; ", left_out.other_starts,
                    " began from thinned armies or in the middle of other games");
  }
  if (left_out.other_variants > 0) {
    absl::StrAppend(&message, "; ", left_out.other_variants, " are of its other variants");
  }
  if (left_out.other_rules > 0) {
    absl::StrAppend(&message, "; ", left_out.other_rules, " were played under other rules");
  }
  if (left_out.damaged > 0) {
    absl::StrAppend(&message, "; ", left_out.damaged,
                    " can't be read or replayed: ", left_out.first_damage);
  }
  return absl::NotFoundError(message);
}

}  // namespace

absl::StatusOr<RunReport> MakeRunReport(const RunDirectory& run,
                                        const std::shared_ptr<const Rules>& rules,
                                        const RunReportOptions& options) {
  RunExamination examination(run, *rules, options);
  if (absl::Status status = examination.Run(); !status.ok()) {
    // A run that was killed before it made its database.
    return absl::IsNotFound(status) ? NoGames(run.path(), {}) : status;
  }
  RunReport report = examination.TakeReport();
  if (report.statistics.replayed() == 0) return NoGames(run.path(), report.left_out);
  report.rules = rules;
  return report;
}

}  // namespace crossriver
