#include "tools/serve/opponents.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "core/spelling.h"
#include "selfplay/players/open_player.h"
#include "selfplay/players/player_spec.h"
#include "selfplay/players/take_turn.h"
#include "tools/evaluator_choice.h"
#include "tools/shipped_networks.h"

namespace crossriver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLookTime = std::chrono::milliseconds(100);  // whether all of it ends

// Of weights: a number may come again with others when a run goes on from an older checkpoint.
absl::StatusOr<uint64_t> ChecksumOf(const RunView& run, int64_t checkpoint) {
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = run.NewReader();
  if (!reader.ok()) return reader.status();
  const absl::StatusOr<std::vector<CheckpointRow>> rows = (*reader)->ListCheckpoints();
  if (!rows.ok()) return rows.status();
  for (const CheckpointRow& row : *rows) {
    if (row.number == checkpoint && row.kept) return row.network_checksum;
  }
  return absl::NotFoundError(
      absl::StrCat("checkpoint ", checkpoint, ": the run does not have its files"));
}

absl::Status CheckStrength(const OpponentChoice& who, int64_t least, int64_t most,
                           const char* what) {
  if (who.strength >= least && who.strength <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("strength: expected ", least, " to ", most, " ", what, ", got ", who.strength));
}

}  // namespace

absl::StatusOr<std::string> Opponents::SpecOf(const OpponentChoice& who, const Rules& rules) const {
  if (who.kind == "random") return std::string("random");
  if (who.kind == "net" || who.kind == "shipped") return NetworkSpecOf(who, rules);
  const bool is_alphabeta = who.kind == "alphabeta";
  if (!is_alphabeta && who.kind != "mcts") {
    return absl::InvalidArgumentError(
        absl::StrCat("kind '", Printable(who.kind), "'",
                     Suggestion(who.kind, {"net", "shipped", "alphabeta", "mcts", "random"})));
  }
  absl::Status fits = is_alphabeta ? CheckStrength(who, 1, limits_.most_nodes, "nodes")
                                   : CheckStrength(who, 1, limits_.most_visits, "visits");
  if (!fits.ok()) return fits;
  return absl::StrCat(who.kind, ":", who.strength);
}

absl::StatusOr<std::string> Opponents::NetworkSpecOf(const OpponentChoice& who,
                                                     const Rules& rules) const {
  std::optional<std::string> network;
  if (who.kind == "shipped") {
    network = ShippedNetwork(rules);
    if (!network.has_value()) {
      return absl::NotFoundError("no network comes with the program for this variant");
    }
  } else if (run_ != nullptr) {
    network = absl::StrCat(run_->folder(), "@", who.checkpoint);
  } else {
    return absl::NotFoundError("there is no run, so there are no networks to play against");
  }
  absl::Status fits = CheckStrength(who, 0, limits_.most_visits, "visits");
  if (!fits.ok()) return fits;
  return absl::StrCat("net:", EscapedTarget(*network), "?visits=", who.strength);
}

absl::StatusOr<Player*> Opponents::Find(const std::shared_ptr<const Rules>& rules,
                                        const std::string& spec) {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.name == spec && kept.rules == rules;
  });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return kept_.front().player.get();
  }
  // A name of ours ends with what tells the weights apart, which is no part of the specification.
  const absl::StatusOr<PlayerSpec> parsed = ParsePlayerSpec(spec.substr(0, spec.find('\n')));
  if (!parsed.ok()) return parsed.status();
  PlayerContext context;
  context.rules = rules;
  context.open_network = [this, rules](const std::string& file, int threads) {
    EvaluatorFlags flags;
    flags.net = file;
    flags.device = device_;
    return ChooseEvaluator(flags, rules, threads);
  };
  absl::StatusOr<std::unique_ptr<Player>> player = OpenPlayer(*parsed, context);
  if (!player.ok()) return player.status();
  if (kept_.size() >= limits_.players) kept_.pop_back();
  kept_.push_front({spec, rules, *std::move(player)});
  return kept_.front().player.get();
}

absl::StatusOr<Choice> Opponents::Think(const std::shared_ptr<const Rules>& rules,
                                        const PlayedGame& game, const std::string& spec,
                                        uint64_t seed) {
  const absl::StatusOr<Player*> player = Find(rules, spec);
  if (!player.ok()) return player.status();
  const std::unique_ptr<Seat> seat = (*player)->NewSeat();
  if (absl::Status status = seat->NewGame(seed); !status.ok()) return status;
  const Clock::time_point until = Clock::now() + limits_.move_time;
  absl::StatusOr<Choice> choice =
      TakeTurn(seat.get(), (*player)->evaluator(), game.AsTurn(),
               [this, until] { return stopped_ || Clock::now() > until; });
  if (absl::IsCancelled(choice.status())) {
    return absl::UnavailableError("the move took too long: ask for fewer visits");
  }
  return choice;
}

absl::Status Opponents::Enter() {
  MutexLock lock(&mutex_);
  if (thinking_ && waiting_ >= limits_.waiting) {
    return absl::UnavailableError("others are waiting for their moves: try again");
  }
  const Clock::time_point until = Clock::now() + limits_.move_time;
  ++waiting_;
  while (thinking_ && !stopped_ && Clock::now() < until) turn_.WaitFor(&mutex_, kLookTime);
  --waiting_;
  if (thinking_ || stopped_) return absl::UnavailableError("the server is busy: try again");
  thinking_ = true;
  return absl::OkStatus();
}

void Opponents::Leave() {
  MutexLock lock(&mutex_);
  thinking_ = false;
  turn_.NotifyOne();
}

absl::StatusOr<Choice> Opponents::Ask(const std::shared_ptr<const Rules>& rules,
                                      const PlayedGame& game, const OpponentChoice& who,
                                      uint64_t seed) {
  absl::StatusOr<std::string> spec = SpecOf(who, *rules);
  if (!spec.ok()) return spec.status();
  if (who.kind == "net") {
    const absl::StatusOr<uint64_t> checksum = ChecksumOf(*run_, who.checkpoint);
    if (!checksum.ok()) return checksum.status();
    absl::StrAppend(&*spec, "\n", *checksum);
  }
  if (absl::Status entered = Enter(); !entered.ok()) return entered;
  // Also where thinking throws, for want of memory.
  const absl::Cleanup leave = [this] { Leave(); };
  return Think(rules, game, *spec, seed);
}

void Opponents::Stop() { stopped_ = true; }

}  // namespace crossriver
