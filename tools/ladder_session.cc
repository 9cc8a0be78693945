#include "tools/ladder_session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/spelling.h"
#include "selfplay/players/player_spec.h"
#include "selfplay/run_reader.h"
#include "tools/evaluator_choice.h"
#include "tools/interrupt.h"
#include "tools/match_output.h"
#include "tools/player_argument.h"
#include "tools/run_folder.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

int ThreadsOf(const LadderFlags& flags) {
  if (flags.threads > 0) return flags.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

namespace fs = std::filesystem;

// Large enough for a network's batches, and so small that each player meets others twice.
int64_t DefaultBlock(int64_t games, size_t players) {
  constexpr int64_t kMost = 32;
  return std::clamp<int64_t>(games / (4 * static_cast<int64_t>(std::max<size_t>(players, 1))), 1,
                             kMost);
}

// The run's folder by its whole path, without links: "runs/a", "runs/a/" and "." in it are one.
fs::path WholePath(const std::string& path) {
  std::error_code error;
  fs::path whole = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : whole;
}

absl::StatusOr<std::shared_ptr<Player>> OpenOne(const PlayerArguments& arguments,
                                                const std::shared_ptr<const Rules>& rules) {
  const auto players = OpenPlayers(arguments, rules);
  if (!players.ok()) return players.status();
  return players->front();
}

// Names and identities. Empty where there is no such store, or one that can't be read: opening it
// says why.
std::set<std::pair<std::string, uint64_t>> PlayersWithGames(const std::string& path) {
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return {};
  const auto store = MatchStore::OpenReadOnly(path);
  if (!store.ok()) return {};
  const absl::StatusOr<std::vector<StoredPlayer>> players = (*store)->Players();
  const absl::StatusOr<std::vector<StoredPairing>> pairings = (*store)->Pairings();
  if (!players.ok() || !pairings.ok()) return {};
  std::set<std::pair<std::string, uint64_t>> found;
  for (const StoredPairing& pairing : *pairings) {
    for (const int64_t number : {pairing.a, pairing.b}) {
      if (number < 1 || static_cast<size_t>(number) > players->size()) continue;
      const StoredPlayer& player = (*players)[static_cast<size_t>(number) - 1];
      found.emplace(player.name, player.identity);
    }
  }
  return found;
}

}  // namespace

absl::StatusOr<std::unique_ptr<LadderSession>> LadderSession::Open(const LadderFlags& flags) {
  if (flags.run.empty() && flags.variant.empty()) {
    return absl::InvalidArgumentError(
        "expected the folder of a run, or --variant and players by --with");
  }
  if (!flags.run.empty() && !flags.variant.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--variant ", Printable(flags.variant), ": a run has its own; leave one of the two out"));
  }
  if (flags.run.empty() && !flags.svg.empty()) {
    return absl::InvalidArgumentError(
        "--svg draws ratings against what training has cost: expected the folder of a run");
  }
  if (!flags.svg.empty()) {
    if (absl::Status status = CheckOutput("--svg", flags.svg); !status.ok()) return status;
  }
  std::unique_ptr<LadderSession> session(new LadderSession(flags));
  if (absl::Status status = session->Prepare(); !status.ok()) return status;
  return session;
}

LadderSession::LadderSession(const LadderFlags& flags)
    : flags_(flags), threads_(ThreadsOf(flags)) {}

absl::Status LadderSession::Prepare() {
  // Another program may take over, before anything else.
  if (!flags_.run.empty()) CanOpenNetworks();
  absl::Status status = OpenRun();
  if (status.ok()) status = AddOthers();
  if (status.ok() && run_.has_value()) status = AddCheckpoints();
  if (status.ok()) status = FindAnchor();
  if (status.ok()) status = OpenStore();
  return status.ok() ? OpenLadder() : status;
}

absl::Status LadderSession::OpenRun() {
  absl::StatusOr<std::shared_ptr<const Rules>> rules = nullptr;
  if (flags_.run.empty()) {
    rules = LoadVariantArgument(flags_.variant);
  } else {
    absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(flags_.run);
    if (!run.ok()) return run.status();
    run_ = *std::move(run);
    rules = RulesOfRun(*run_);
  }
  if (!rules.ok()) return rules.status();
  rules_ = *std::move(rules);
  return absl::OkStatus();
}

// They stay open: what is wrong with them is known at once, and they are few.
absl::Status LadderSession::AddOthers() {
  PlayerArguments arguments;
  arguments.specs = flags_.with;
  arguments.threads = threads_;
  arguments.device = flags_.device;
  const auto players = OpenPlayers(arguments, rules_);
  if (!players.ok()) return players.status();
  for (const std::shared_ptr<Player>& player : *players) {
    LadderPlayer one;
    one.name = player->name();
    one.open = [player] { return absl::StatusOr<std::shared_ptr<Player>>(player); };
    one.identity = player->identity();
    one.stays_open = true;
    players_.push_back(std::move(one));
    checkpoints_.emplace_back();
  }
  return absl::OkStatus();
}

std::string LadderSession::CheckpointName(int64_t number) const {
  const fs::path whole = WholePath(flags_.run);
  const std::string name = whole.has_filename() ? whole.filename().string() : whole.string();
  return absl::StrCat("net:", EscapedTarget(name), "@", number, "?visits=", flags_.visits);
}

absl::Status LadderSession::AddCheckpoints() {
  const auto reader = RunReader::Open(*run_);
  if (!reader.ok()) return reader.status();
  const auto with_games = PlayersWithGames(StorePath());
  const absl::StatusOr<LadderCheckpoints> checkpoints = ChooseCheckpoints(
      *run_, reader->get(), static_cast<size_t>(flags_.checkpoints),
      flags_.even ? LadderSpacing::kEven : LadderSpacing::kGeometric,
      [&](const CheckpointRow& row) {
        return with_games.count({CheckpointName(row.number), row.network_checksum}) != 0;
      });
  if (!checkpoints.ok()) return checkpoints.status();
  for (const std::string& message : checkpoints->messages) {
    std::fprintf(stderr, "%s\n", message.c_str());
  }
  const std::string target = EscapedTarget(WholePath(flags_.run).string());
  for (const LadderCheckpoint& checkpoint : checkpoints->chosen) {
    PlayerArguments arguments;
    arguments.specs = {
        absl::StrCat("net:", target, "@", checkpoint.number, "?visits=", flags_.visits)};
    arguments.threads = threads_;
    arguments.device = flags_.device;
    LadderPlayer player;
    player.name = CheckpointName(checkpoint.number);
    player.open = [arguments, rules = rules_] { return OpenOne(arguments, rules); };
    player.identity = checkpoint.identity;
    player.may_vanish = true;  // a run that goes on deletes old ones
    players_.push_back(std::move(player));
    checkpoints_.emplace_back(checkpoint);
  }
  return absl::OkStatus();
}

absl::Status LadderSession::FindAnchor() {
  std::vector<std::string> names;
  for (size_t i = 0; i < players_.size(); ++i) {
    const std::string number =
        checkpoints_[i].has_value() ? absl::StrCat("@", checkpoints_[i]->number) : "";
    const bool first_checkpoint = flags_.anchor.empty() && checkpoints_[i].has_value();
    if (first_checkpoint || (!flags_.anchor.empty() &&
                             (players_[i].name == flags_.anchor || number == flags_.anchor))) {
      anchor_ = static_cast<int>(i);
      return absl::OkStatus();
    }
    names.push_back(players_[i].name);
    if (!number.empty()) names.push_back(number);
  }
  if (flags_.anchor.empty()) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat(
      "--anchor ", Printable(flags_.anchor), ": expected the name of a player on the ladder",
      run_.has_value() ? ", or @ and the number of a checkpoint" : "",
      Suggestion(flags_.anchor, names)));
}

std::string LadderSession::StorePath() const {
  if (!flags_.store.empty() || !run_.has_value()) return flags_.store;
  return run_->path() + "/ladder.db";
}

absl::Status LadderSession::OpenStore() {
  const std::string path = StorePath();
  const bool only_read = flags_.games == 0;
  std::error_code error;
  if (path.empty() || (only_read && !fs::exists(path, error))) return absl::OkStatus();
  // All that games depend on besides their players.
  const MatchSettings settings = {
      {"kind", "ladder"},
      {"variant", rules_->definition().id},
      {"rules", absl::StrCat(absl::Hex(rules_->hash(), absl::kZeroPad16))},
      {"seed", absl::StrCat(flags_.seed)},
      {"openings", absl::StrCat("random, ", flags_.plies, " plies")},
      {"max_plies", absl::StrCat(flags_.max_plies)}};
  auto store = only_read ? MatchStore::OpenReadOnly(path) : MatchStore::Open(path, settings);
  if (!store.ok()) return store.status();
  store_ = *std::move(store);
  return only_read ? store_->CheckSettings(settings) : absl::OkStatus();
}

absl::Status LadderSession::OpenLadder() {
  RandomOpeningOptions openings;
  openings.plies = flags_.plies;
  openings.seed = flags_.seed;
  openings.judge = JudgeByAlphaBeta(rules_);
  openings_ = std::make_unique<MatchOpenings>(rules_.get(), openings);
  LadderOptions options;
  options.games = flags_.games;
  options.interval = flags_.interval;
  options.block = flags_.block > 0 ? flags_.block : DefaultBlock(flags_.games, players_.size());
  options.seed = flags_.seed;
  options.limits.max_plies = flags_.max_plies;
  options.threads = threads_;
  options.games_at_a_time = flags_.at_a_time;
  options.interrupted = Interrupted;
  options.on_game = [this](int64_t games, const std::string& a, const std::string& b) {
    ++games_played_;
    if (progress_ == nullptr) {
      progress_from_ = games - 1;
      progress_ = std::make_unique<Progress>("games", flags_.games - progress_from_);
    }
    progress_->Update(games - progress_from_, absl::StrCat(Printable(a), " and ", Printable(b)));
  };
  options.on_message = [this](const std::string& message) {
    progress_.reset();
    std::fprintf(stderr, "%s\n", message.c_str());
  };
  auto ladder =
      Ladder::Create(rules_.get(), players_, openings_.get(), store_.get(), std::move(options));
  if (!ladder.ok()) return ladder.status();
  ladder_ = *std::move(ladder);
  return absl::OkStatus();
}

absl::Status LadderSession::Run() {
  const auto begin = std::chrono::steady_clock::now();
  absl::Status status = ladder_->Run();
  progress_.reset();
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!absl::IsCancelled(status)) return status;
  return absl::CancelledError(store_ == nullptr
                                  ? "interrupted; with --store a ladder can be gone on with"
                                  : "interrupted; the same command goes on from here");
}

absl::StatusOr<LadderReport> LadderSession::Report() const {
  absl::StatusOr<LadderReport> report = MakeLadderReport(*ladder_, anchor_, checkpoints_);
  if (!report.ok()) return report.status();
  report->variant = rules_->definition().id;
  report->games_played = games_played_;
  report->seconds = seconds_;
  return report;
}

}  // namespace crossriver
