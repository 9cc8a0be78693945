#include "tools/openings_source.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/durable_file.h"
#include "core/notation.h"
#include "selfplay/game_import.h"
#include "selfplay/match_openings.h"
#include "selfplay/match_store.h"
#include "selfplay/openings/opening_update.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_store.h"
#include "tools/command.h"
#include "tools/interrupt.h"
#include "tools/progress.h"
#include "tools/run_folder.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

constexpr size_t kMaxGamesBytes = size_t{1} << 30;
constexpr absl::string_view kDatabaseMagic = "SQLite format 3";
constexpr int64_t kGamesAMessage = 256;

OpeningSettings SettingsOf(const OpeningSourceFlags& flags, OpeningSettings settings) {
  if (flags.max_ply > 0) settings.max_ply = flags.max_ply;
  if (flags.min_games > 0) settings.min_games = flags.min_games;
  return settings;
}

// Games on their way into a tree in memory: counts duplicates, shows progress.
class Feed {
 public:
  // `total`: 0 where nobody knows; then there is no progress to show.
  explicit Feed(int64_t total) : progress_("games", total), total_(total) {}

  absl::Status Give(const GameRecord& record, int opening_plies, OpeningGameTaker take) {
    if (++games_ % kGamesAMessage == 0 && total_ > 0) progress_.Update(games_);
    if (Interrupted()) return absl::CancelledError("interrupted");
    if (!seen_.insert(DescribeGame(record).moves_hash).second) ++duplicates_;
    return take(record, opening_plies);
  }
  int64_t duplicates() const { return duplicates_; }

 private:
  Progress progress_;
  const int64_t total_;
  int64_t games_ = 0;
  int64_t duplicates_ = 0;
  std::unordered_set<uint64_t> seen_;
};

absl::StatusOr<OpenedOpenings> FinishOpened(OpenedOpenings opened,
                                            absl::StatusOr<std::unique_ptr<OpeningTree>> tree) {
  if (!tree.ok()) return tree.status();
  opened.tree = *std::move(tree);
  const absl::StatusOr<OpeningState> state = opened.tree->State();
  if (!state.ok()) return state.status();
  opened.state = *state;
  return opened;
}

// A tree in memory of what `each` gives.
absl::StatusOr<OpenedOpenings> BuildTree(
    OpenedOpenings opened, const OpeningSettings& settings, int64_t total,
    absl::FunctionRef<absl::Status(Feed*, OpeningGameTaker)> each) {
  const PositionClasses classes(opened.rules.get());
  Feed feed(total);
  auto database =
      BuildOpenings(classes, settings, [&](OpeningGameTaker take) { return each(&feed, take); });
  if (!database.ok()) return database.status();
  opened.memory = *std::move(database);
  opened.duplicates = feed.duplicates();
  Database* memory = opened.memory.get();
  const Rules* rules = opened.rules.get();
  return FinishOpened(std::move(opened), OpeningTree::Open(memory, rules));
}

absl::StatusOr<OpenedOpenings> OfMatch(const OpeningSourceFlags& flags) {
  const auto store = MatchStore::OpenReadOnly(flags.source);
  if (!store.ok()) return store.status();
  const absl::StatusOr<MatchSettings> settings = (*store)->Settings();
  if (!settings.ok()) return settings.status();
  std::string variant = flags.variant;
  for (const auto& [name, value] : *settings) {
    if (variant.empty() && name == "variant") variant = value;
  }
  absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(variant);
  if (!rules.ok()) return rules.status();
  OpenedOpenings opened;
  opened.rules = *std::move(rules);
  std::vector<std::string> messages;
  absl::StatusOr<OpenedOpenings> built = BuildTree(
      std::move(opened), SettingsOf(flags, {}), 0, [&](Feed* feed, OpeningGameTaker take) {
        const absl::StatusOr<std::vector<StoredPairing>> pairings = (*store)->Pairings();
        if (!pairings.ok()) return pairings.status();
        for (const StoredPairing& pairing : *pairings) {
          const auto damaged = (*store)->ReadGames(pairing, [&](const MatchGameRecord& game) {
            return feed->Give(game.record, game.result.opening_plies, take);
          });
          if (!damaged.ok()) return damaged.status();
          messages.insert(messages.end(), damaged->begin(), damaged->end());
        }
        return absl::OkStatus();
      });
  if (built.ok()) built->messages = std::move(messages);
  return built;
}

absl::StatusOr<OpenedOpenings> OfGames(const OpeningSourceFlags& flags) {
  if (flags.variant.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        flags.source, ": is no run and no match; for a file of games say --variant VARIANT"));
  }
  absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<std::string> text = ReadWholeFile(flags.source, kMaxGamesBytes);
  if (!text.ok()) return text.status();
  OpenedOpenings opened;
  opened.rules = *rules;
  std::vector<std::string> messages;
  absl::StatusOr<OpenedOpenings> built = BuildTree(
      std::move(opened), SettingsOf(flags, {}), 0, [&](Feed* feed, OpeningGameTaker take) {
        const auto report = ImportGames(**rules, *text, {}, [&](const GameRecord& record) {
          return feed->Give(record, /*opening_plies=*/0, take);
        });
        if (!report.ok()) return report.status();
        for (const std::string& message : report->messages) {
          messages.push_back(absl::StrCat(flags.source, ": ", message));
        }
        return absl::OkStatus();
      });
  if (built.ok()) built->messages = std::move(messages);
  return built;
}

// Brings the run's tree up to date.
absl::Status UpdateRun(const OpeningSourceFlags& flags, const Rules* rules, int64_t games) {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenForWriting(flags.source);
  if (!run.ok()) return run.status();
  const absl::StatusOr<std::unique_ptr<RunStore>> store = RunStore::Open(*run);
  if (!store.ok()) return store.status();
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(*run);
  if (!reader.ok()) return reader.status();
  Progress progress("games", games);
  OpeningUpdateOptions options;
  options.progress = [&](int64_t done) {
    progress.Update(done);
    return !Interrupted();
  };
  if (flags.max_ply > 0 || flags.min_games > 0) {
    const auto tree = OpeningTree::OpenFile(run->database_path(), rules);
    OpeningSettings settings;
    if (tree.ok() && (*tree)->State().ok()) settings = (*tree)->State()->settings;
    options.settings = SettingsOf(flags, settings);
  }
  const PositionClasses classes(rules);
  const absl::StatusOr<OpeningState> state =
      UpdateOpenings(classes, options, reader->get(), store->get());
  if (!state.ok()) return state.status();
  if (Interrupted()) return absl::CancelledError("interrupted");
  return (*store)->TruncateLog();
}

// The tree of a run, or one in memory of its games. `updated`: whether it has all that can be read.
absl::StatusOr<OpenedOpenings> ReadRun(const OpeningSourceFlags& flags, const std::string& path,
                                       int64_t games, bool updated, OpenedOpenings opened,
                                       RunReader* reader) {
  const Rules* rules = opened.rules.get();
  auto tree = OpeningTree::OpenFile(path, rules);
  const bool is_there = tree.ok() && (*tree)->State().ok();
  if (is_there && SettingsOf(flags, (*tree)->State()->settings) == (*tree)->State()->settings) {
    absl::StatusOr<OpenedOpenings> found = FinishOpened(std::move(opened), std::move(tree));
    if (!updated && found.ok() && found->state.games < games) {
      found->messages.push_back(
          absl::StrCat(flags.source, ": is in use or can't be written: its newest ",
                       games - found->state.games, " games are not in its tree of openings yet"));
    }
    return found;
  }
  return BuildTree(std::move(opened), SettingsOf(flags, {}), games,
                   [&](Feed* feed, OpeningGameTaker take) {
                     absl::Status given;
                     const absl::Status read =
                         reader->ReadGamesAfter(0, [&](const GameRow&, const GameRecord& record) {
                           given = feed->Give(record, /*opening_plies=*/0, take);
                           return given.ok();
                         });
                     return given.ok() ? read : given;
                   });
}

absl::StatusOr<OpenedOpenings> OfRun(const OpeningSourceFlags& flags) {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(flags.source);
  if (!run.ok()) return run.status();
  absl::StatusOr<std::shared_ptr<const Rules>> rules = RulesOfRun(*run);
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(*run);
  if (absl::IsNotFound(reader.status())) {
    return absl::NotFoundError(absl::StrCat(flags.source, ": the run has no games yet"));
  }
  if (!reader.ok()) return reader.status();
  const absl::StatusOr<GameTotals> totals = (*reader)->CountGames();
  if (!totals.ok()) return totals.status();
  const absl::StatusOr<int64_t> duplicates = (*reader)->CountDuplicates();
  if (!duplicates.ok()) return duplicates.status();
  OpenedOpenings opened;
  opened.rules = *rules;
  const absl::Status updated =
      run->IsHeld() ? absl::UnavailableError("") : UpdateRun(flags, rules->get(), totals->games);
  if (absl::IsCancelled(updated) || absl::IsDataLoss(updated)) return updated;
  absl::StatusOr<OpenedOpenings> found = ReadRun(flags, run->database_path(), totals->games,
                                                 updated.ok(), std::move(opened), reader->get());
  if (found.ok()) found->duplicates = *duplicates;
  return found;
}

}  // namespace

void AddOpeningSourceFlags(CLI::App* command, OpeningSourceFlags* flags) {
  command
      ->add_option("source", flags->source,
                   "A run's folder, the file of a match (match --store) or a ladder, or a file "
                   "of games (as for `games import`)")
      ->required();
  command->add_option("--variant", flags->variant,
                      absl::StrCat("Of a file of games. ", kVariantHelp));
  command
      ->add_option("--keep-ply", flags->max_ply,
                   "Plies of a game that the tree keeps, default 40; another value makes a "
                   "run's tree anew")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--keep-games", flags->min_games,
                   "Games that must come to a position for the tree to keep it, default 4; "
                   "likewise")
      ->check(CLI::Range(1, 1000000));
}

absl::StatusOr<OpenedOpenings> OpenOpenings(const OpeningSourceFlags& flags) {
  CatchInterrupts();
  std::error_code error;
  if (std::filesystem::is_directory(flags.source, error)) return OfRun(flags);
  const absl::StatusOr<std::string> beginning = ReadFile(flags.source, kDatabaseMagic.size());
  if (!beginning.ok()) return beginning.status();
  return *beginning == kDatabaseMagic ? OfMatch(flags) : OfGames(flags);
}

absl::StatusOr<CheckpointRange> ParseCheckpoints(const std::string& text) {
  const absl::Status wrong = absl::InvalidArgumentError(absl::StrCat(
      "--checkpoints ", text, ": expected numbers of checkpoints as A..B, A.., ..B or A"));
  const std::vector<std::string> ends = absl::StrSplit(text, "..");
  CheckpointRange range;
  range.first = 0;  // moves without a network are of no checkpoint
  if (ends.size() > 2 || (ends.size() == 2 && ends[0].empty() && ends[1].empty())) return wrong;
  if (ends.size() == 1 || !ends[0].empty()) {
    if (!absl::SimpleAtoi(ends[0], &range.first) || range.first < 0) return wrong;
  }
  if (ends.size() == 1) range.last = range.first;
  if (ends.size() == 2 && !ends[1].empty() && !absl::SimpleAtoi(ends[1], &range.last)) return wrong;
  if (range.last < range.first) return wrong;
  return range;
}

absl::StatusOr<OpeningPlace> ParseOpeningPlace(const Rules& rules, absl::string_view text) {
  const bool has_fen = absl::StrContains(text, "/") || absl::StartsWith(text, "start");
  const std::string line = text.empty() ? "start"
                           : has_fen    ? std::string(text)
                                        : absl::StrCat("start moves ", text);
  const auto openings = ParseMatchOpenings(rules, line, "--from");
  if (!openings.ok()) return openings.status();
  if (openings->size() != 1) {
    return absl::InvalidArgumentError("--from: expected one line: a FEN, or moves");
  }
  const MatchOpening& opening = openings->front();
  return OpeningPlace{opening.start, opening.moves, opening.Reached()};
}

}  // namespace crossriver
