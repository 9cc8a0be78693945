#include "tools/openings_bench.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "core/adjudicator.h"
#include "core/history.h"
#include "core/median.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/random.h"
#include "selfplay/openings/opening_lines.h"
#include "selfplay/openings/opening_tree.h"
#include "selfplay/openings/opening_update.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_store.h"
#include "tools/interrupt.h"
#include "tools/progress.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

constexpr double kMegabyte = 1e6;
constexpr auto kTimeout = std::chrono::seconds(10);
// The most liked move is played in this share of the games, the next in this share of the rest, ….
constexpr double kLikedShare = 0.35;
// Generations in which a taste stays.
constexpr int64_t kTasteGenerations = 20;

double SecondsOf(absl::FunctionRef<void()> work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A folder that goes with it.
class BenchFolder {
 public:
  BenchFolder()
      : path_(absl::StrCat(std::filesystem::temp_directory_path().string(),
                           "/crossriver-bench-openings-", getpid())) {}
  ~BenchFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  BenchFolder(const BenchFolder&) = delete;
  BenchFolder& operator=(const BenchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

// How much a checkpoint likes a move: any number that follows from all of them.
uint64_t Liking(uint64_t key, Move move, int64_t taste) {
  const uint64_t salt = static_cast<uint64_t>(move.raw()) << 32 | static_cast<uint64_t>(taste);
  return RandomStream(key ^ salt).Next();
}

Move DrawLiked(const Position& position, int64_t taste, std::vector<Move>* legal,
               RandomStream* random) {
  std::sort(legal->begin(), legal->end(), [&](Move a, Move b) {
    return Liking(position.key(), a, taste) < Liking(position.key(), b, taste);
  });
  for (const Move move : *legal) {
    if (random->Uniform() < kLikedShare) return move;
  }
  return legal->back();
}

Wdl RandomWdl(RandomStream* random) {
  const auto win = static_cast<float>(random->Uniform());
  return {win, 0, 1 - win};
}

GameRecord MakeUpGame(const Rules& rules, const OpeningsBenchOptions& options, uint64_t id,
                      int64_t generation) {
  RandomStream random(options.seed ^ id << 20);
  GameRecord record;
  record.id = id;
  record.variant = rules.definition().id;
  record.rules_hash = rules.hash();
  Position position = StartPosition(rules);
  record.start_fen = FormatFen(position);
  const int64_t taste = generation / kTasteGenerations;
  std::vector<Move> legal;
  for (int ply = 0; ply < options.plies; ++ply) {
    GenerateLegalMoves(position, &legal);
    if (legal.empty()) break;
    RecordedMove move;
    move.move = DrawLiked(position, taste, &legal, &random);
    move.visits = 32;
    move.root = RandomWdl(&random);
    move.raw = RandomWdl(&random);
    move.checkpoint = generation;
    record.moves.push_back(move);
    position.Do(move.move);
  }
  record.resigned = true;
  record.result = random.Below(2) == 0 ? Result::kWin : Result::kLoss;
  return record;
}

class OpeningsBench {
 public:
  OpeningsBench(const OpeningsBenchOptions& options, std::shared_ptr<const Rules> rules)
      : options_(options), rules_(std::move(rules)), classes_(rules_.get()) {}

  absl::StatusOr<OpeningsBenchReport> Run() {
    absl::StatusOr<RunDirectory> run = RunDirectory::Create(
        folder_.path(), absl::StrCat("variant = \"", options_.variant, "\"\n"));
    if (!run.ok()) return run.status();
    if (absl::Status status = Grow(*run); !status.ok()) return status;
    if (absl::Status status = Measure(run->database_path()); !status.ok()) return status;
    if (absl::Status status = Read(run->database_path()); !status.ok()) return status;
    return report_;
  }

 private:
  absl::Status Grow(const RunDirectory& run) {
    const absl::StatusOr<std::unique_ptr<RunStore>> store = RunStore::Open(run);
    if (!store.ok()) return store.status();
    const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(run);
    if (!reader.ok()) return reader.status();
    Progress progress("games", options_.games);
    std::vector<double> seconds;
    uint64_t id = 0;
    for (int64_t generation = 0; report_.games < options_.games; ++generation) {
      const int64_t games = std::min(options_.games_a_generation, options_.games - report_.games);
      (*store)->SetGeneration(generation);
      for (int64_t i = 0; i < games; ++i) {
        const GameRecord game = MakeUpGame(*rules_, options_, ++id, generation);
        if (absl::Status status = (*store)->Put(game); !status.ok()) return status;
      }
      if (absl::Status status = (*store)->Flush(); !status.ok()) return status;
      absl::Status updated;
      seconds.push_back(SecondsOf(
          [&] { updated = UpdateOpenings(classes_, {}, reader->get(), store->get()).status(); }));
      if (!updated.ok()) return updated;
      if (absl::Status status = (*store)->TruncateLog(); !status.ok()) return status;
      report_.games += games;
      progress.Update(report_.games);
      if (Interrupted()) return absl::CancelledError("interrupted");
    }
    Summarise(seconds);
    return absl::OkStatus();
  }

  void Summarise(const std::vector<double>& seconds) {
    double sum = 0;
    for (const double of : seconds) sum += of;
    report_.games_per_second = static_cast<double>(report_.games) / sum;
    const auto tenth = static_cast<std::ptrdiff_t>(std::max<size_t>(1, seconds.size() / 10));
    report_.first_generations_seconds =
        Median(std::vector<double>(seconds.begin(), seconds.begin() + tenth));
    report_.last_generations_seconds =
        Median(std::vector<double>(seconds.end() - tenth, seconds.end()));
  }

  absl::Status Measure(const std::string& path) {
    const auto database = Database::Open(path, Database::Mode::kReadOnly, kTimeout);
    if (!database.ok()) return database.status();
    for (const auto& [value, sql] :
         {std::pair(&report_.positions, "SELECT count(*) FROM opening_positions"),
          std::pair(&report_.moves, "SELECT count(*) FROM opening_moves"),
          std::pair(&report_.waiting, "SELECT count(*) FROM opening_paths")}) {
      const absl::StatusOr<int64_t> count = (*database)->QueryInt(sql);
      if (!count.ok()) return count.status();
      *value = *count;
    }
    // SQLite may have been built without this table; then sizes stay 0.
    const absl::StatusOr<int64_t> tree =
        (*database)->QueryInt("SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'opening%'");
    const absl::StatusOr<int64_t> all = (*database)->QueryInt("SELECT sum(pgsize) FROM dbstat");
    if (tree.ok() && all.ok()) {
      report_.tree_megabytes = static_cast<double>(*tree) / kMegabyte;
      report_.games_megabytes = static_cast<double>(*all - *tree) / kMegabyte;
    }
    return absl::OkStatus();
  }

  absl::Status Read(const std::string& path) {
    const auto tree = OpeningTree::OpenFile(path, rules_.get());
    if (!tree.ok()) return tree.status();
    const Position array = StartPosition(*rules_);
    const int64_t last = (options_.games - 1) / options_.games_a_generation;
    OpeningChangeOptions changes;
    changes.before = {0, last / 4};
    changes.after = {last - last / 4, last};
    absl::Status status;
    report_.root_seconds = SecondsOf([&] { status.Update((*tree)->At(array).status()); });
    report_.lines_seconds =
        SecondsOf([&] { status.Update(MainLines(tree->get(), array, {}).status()); });
    report_.diversity_seconds = SecondsOf([&] { status.Update((*tree)->Diversity({}).status()); });
    report_.changes_seconds =
        SecondsOf([&] { status.Update(CompareOpenings(tree->get(), array, changes).status()); });
    return status;
  }

  const OpeningsBenchOptions& options_;
  const std::shared_ptr<const Rules> rules_;
  const PositionClasses classes_;
  const BenchFolder folder_;
  OpeningsBenchReport report_;
};

}  // namespace

absl::StatusOr<OpeningsBenchReport> RunOpeningsBench(const OpeningsBenchOptions& options) {
  if (options.games < 1 || options.games_a_generation < 1 || options.plies < 1) {
    return absl::InvalidArgumentError("games, generations and plies: expected at least 1 each");
  }
  absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(options.variant);
  if (!rules.ok()) return rules.status();
  CatchInterrupts();
  return OpeningsBench(options, *std::move(rules)).Run();
}

}  // namespace crossriver
