#include "tools/match_session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/durable_file.h"
#include "selfplay/checksum.h"
#include "tools/interrupt.h"
#include "tools/player_argument.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

std::optional<SprtOptions> SprtOf(const MatchFlags& flags) {
  if (flags.sprt.empty()) return std::nullopt;
  return SprtOptions{flags.sprt[0], flags.sprt[1], flags.sprt_error, flags.sprt_error};
}

int ThreadsOf(const MatchFlags& flags) {
  if (flags.threads > 0) return flags.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

MatchFlags WithDefaults(MatchFlags flags) {
  if (flags.games == 0) flags.games = flags.sprt.empty() ? kDefaultGames : kDefaultGamesOfTest;
  return flags;
}

}  // namespace

absl::StatusOr<std::unique_ptr<MatchSession>> MatchSession::Open(const MatchFlags& flags) {
  if (flags.games % 2 != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--games ", flags.games, ": expected an even number, as each opening is played twice"));
  }
  if (const std::optional<SprtOptions> sprt = SprtOf(flags)) {
    if (absl::Status valid = Validate(*sprt); !valid.ok()) return valid;
  }
  std::unique_ptr<MatchSession> session(new MatchSession(flags));
  if (absl::Status status = session->Prepare(); !status.ok()) return status;
  return session;
}

MatchSession::MatchSession(const MatchFlags& flags)
    : flags_(WithDefaults(flags)),
      threads_(ThreadsOf(flags)),
      sprt_(SprtOf(flags)),
      tally_(sprt_) {}

absl::Status MatchSession::Prepare() {
  absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(flags_.variant);
  if (!rules.ok()) return rules.status();
  rules_ = *std::move(rules);
  PlayerArguments arguments;
  arguments.specs = {flags_.a, flags_.b};
  arguments.threads = threads_;
  arguments.device = flags_.device;
  auto players = OpenPlayers(arguments, rules_);
  if (!players.ok()) return players.status();
  players_ = *std::move(players);
  absl::Status status = OpenOpenings();
  if (status.ok() && !flags_.pgn.empty()) status = CheckOutput("--pgn", flags_.pgn);
  if (status.ok() && !flags_.store.empty()) status = OpenStore();
  return status.ok() ? OpenPgn() : status;
}

absl::Status MatchSession::OpenOpenings() {
  if (flags_.openings.empty()) {
    RandomOpeningOptions options;
    options.plies = flags_.plies;
    options.seed = flags_.seed;
    options.judge = JudgeByAlphaBeta(rules_);
    openings_ = std::make_unique<MatchOpenings>(rules_.get(), options);
    openings_text_ = absl::StrCat("random, ", options.plies, " plies");
    return absl::OkStatus();
  }
  const absl::StatusOr<std::string> text = ReadWholeFile(flags_.openings, kMaxOpeningsBytes);
  if (!text.ok()) return text.status();
  const auto given = ParseMatchOpenings(*rules_, *text, flags_.openings);
  if (!given.ok()) return given.status();
  openings_ = std::make_unique<MatchOpenings>(rules_.get(), *given, flags_.seed);
  openings_text_ =
      absl::StrCat("a file with checksum ", absl::Hex(Checksum(*text), absl::kZeroPad16));
  return absl::OkStatus();
}

// All that games depend on besides their players.
MatchSettings MatchSession::Settings() const {
  const MatchGameLimits& limits = flags_.limits;
  std::string resignation = "none";
  std::string agreed_draws = "none";
  if (limits.resign_below > 0) {
    resignation =
        absl::StrFormat("below %g for %d moves", limits.resign_below, limits.resign_moves);
  }
  if (limits.draw_within > 0) {
    agreed_draws = absl::StrFormat("within %g for %d moves, from ply %d", limits.draw_within,
                                   limits.draw_moves, limits.draw_after_ply);
  }
  return {{"variant", rules_->definition().id},
          {"rules", absl::StrCat(absl::Hex(rules_->hash(), absl::kZeroPad16))},
          {"seed", absl::StrCat(flags_.seed)},
          {"openings", openings_text_},
          {"max_plies", absl::StrCat(limits.max_plies)},
          {"resignation", resignation},
          {"agreed draws", agreed_draws}};
}

absl::Status MatchSession::OpenStore() {
  auto store = MatchStore::Open(flags_.store, Settings());
  if (!store.ok()) return store.status();
  store_ = *std::move(store);
  int64_t* const numbers[] = {&pairing_.a, &pairing_.b};
  for (size_t i = 0; i < players_.size(); ++i) {
    const absl::StatusOr<int64_t> number =
        store_->AddPlayer(players_[i]->name(), players_[i]->identity());
    if (!number.ok()) return number.status();
    *numbers[i] = *number;
  }
  const auto damaged = store_->ReadGames(pairing_, [this](const MatchGameRecord& game) {
    // A longer match may have been played before.
    if (game.result.pair >= flags_.games / 2) return absl::OkStatus();
    absl::Status status = store_->CheckOpening(game, openings_->ForPair(game.result.pair));
    if (status.ok()) tally_.Add(game.result);
    return status;
  });
  if (!damaged.ok()) return damaged.status();
  for (const std::string& message : *damaged) std::fprintf(stderr, "%s\n", message.c_str());
  return absl::OkStatus();
}

// After all that may still be wrong: it empties the file.
absl::Status MatchSession::OpenPgn() {
  if (flags_.pgn.empty() || store_ != nullptr) return absl::OkStatus();
  absl::StatusOr<GameTextFile> file = GameTextFile::Create(flags_.pgn);
  if (!file.ok()) return file.status();
  pgn_ = *std::move(file);
  return absl::OkStatus();
}

absl::Status MatchSession::Run() {
  MatchOptions options;
  options.pairs = flags_.games / 2;
  options.seed = flags_.seed;
  options.limits = flags_.limits;
  options.threads = threads_;
  options.games_at_a_time = flags_.at_a_time;
  options.interrupted = Interrupted;
  Progress progress("games", flags_.games - tally_.played().games());
  options.on_game = [this, &progress](const MatchGameRecord& game) {
    return TakeGame(game, &progress);
  };
  MatchRunner runner(rules_.get(), players_[0].get(), players_[1].get(), openings_.get(), &tally_,
                     options);
  const auto begin = std::chrono::steady_clock::now();
  absl::Status status = runner.Run();
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  counts_ = runner.counts();
  if (!absl::IsCancelled(status)) return status;
  return absl::CancelledError(store_ == nullptr
                                  ? "interrupted; with --store a match can be gone on with"
                                  : "interrupted; the same command goes on from here");
}

absl::Status MatchSession::TakeGame(const MatchGameRecord& game, Progress* progress) {
  if (store_ != nullptr) {
    if (absl::Status status = store_->Put(pairing_, game); !status.ok()) return status;
  }
  if (pgn_.has_value()) {
    if (absl::Status status = Append(game, &*pgn_); !status.ok()) return status;
  }
  ++games_played_;
  const ResultCounts& played = tally_.played();
  const double score =
      static_cast<double>(played.half_points()) / (2 * static_cast<double>(played.games()));
  progress->Update(games_played_, absl::StrFormat("A %.1f %%: +%d =%d -%d", 100 * score,
                                                  played.wins, played.draws, played.losses));
  return absl::OkStatus();
}

MatchReport MatchSession::Report() {
  MatchReport report;
  report.players = {players_[0]->name(), players_[1]->name()};
  report.variant = rules_->definition().id;
  report.summary = tally_.Summary();
  const MatchScore& score = report.summary.score;
  report.openings = openings_->Distinct(score.num_pairs() + score.singles.games());
  report.sprt = sprt_;
  report.all_played = tally_.played().games() >= flags_.games;
  report.games_played = games_played_;
  report.counts = counts_;
  report.seconds = seconds_;
  return report;
}

GameTextOptions MatchSession::TextOptions(const MatchGameRecord& game) const {
  GameTextOptions options;
  options.event = "match";
  const size_t first = game.result.half == 0 ? 0 : 1;
  options.first = players_[first]->name();
  options.second = players_[1 - first]->name();
  options.termination = game.result.end;
  if (!game.result.fault.empty()) absl::StrAppend(&options.termination, ": ", game.result.fault);
  if (game.record.truncated) options.result = Result::kDraw;
  return options;
}

absl::Status MatchSession::Append(const MatchGameRecord& game, GameTextFile* file) const {
  const absl::StatusOr<std::string> text = FormatGameText(*rules_, game.record, TextOptions(game));
  return text.ok() ? file->Append(*text) : text.status();
}

absl::Status MatchSession::WritePgn() {
  if (flags_.pgn.empty() || store_ == nullptr) return absl::OkStatus();
  absl::StatusOr<GameTextFile> file = GameTextFile::Create(flags_.pgn);
  if (!file.ok()) return file.status();
  return store_
      ->ReadGames(pairing_,
                  [&](const MatchGameRecord& game) {
                    if (game.result.pair >= flags_.games / 2) return absl::OkStatus();
                    return Append(game, &*file);
                  })
      .status();
}

}  // namespace crossriver
