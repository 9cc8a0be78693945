#include "selfplay/ladder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/spelling.h"
#include "selfplay/checksum.h"
#include "selfplay/game_ids.h"
#include "selfplay/pairing.h"

namespace crossriver {
namespace {

constexpr int kLeastPlayers = 2;

PairResults ResultsOf(int first, int second, const ResultCounts& counts) {
  return {first, second, counts.wins, counts.draws, counts.losses};
}

}  // namespace

absl::StatusOr<std::unique_ptr<Ladder>> Ladder::Create(const Rules* rules,
                                                       std::vector<LadderPlayer> players,
                                                       MatchOpenings* openings, MatchStore* store,
                                                       LadderOptions options) {
  if (players.size() < kLeastPlayers) {
    return absl::InvalidArgumentError(
        absl::StrCat("a ladder needs at least two players, there are ", players.size()));
  }
  std::set<std::string> names;
  for (const LadderPlayer& player : players) {
    if (names.insert(player.name).second) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("player '", Printable(player.name), "' is there twice"));
  }
  std::unique_ptr<Ladder> ladder(
      new Ladder(rules, std::move(players), openings, store, std::move(options)));
  if (store != nullptr) {
    if (absl::Status status = ladder->ReadStore(); !status.ok()) return status;
  }
  return ladder;
}

Ladder::Ladder(const Rules* rules, std::vector<LadderPlayer> players, MatchOpenings* openings,
               MatchStore* store, LadderOptions options)
    : rules_(rules),
      players_(std::move(players)),
      openings_(openings),
      store_(store),
      options_(std::move(options)),
      numbers_(players_.size()) {
  CR_CHECK(options_.block >= 1 && options_.open_players >= kLeastPlayers && options_.threads >= 1);
}

absl::Status Ladder::ReadStore() {
  const absl::StatusOr<std::vector<StoredPlayer>> stored = store_->Players();
  if (!stored.ok()) return stored.status();
  std::map<int64_t, int> players;  // by number
  for (size_t i = 0; i < players_.size(); ++i) {
    const LadderPlayer& player = players_[i];
    const auto found =
        std::find_if(stored->begin(), stored->end(),
                     [&player](const StoredPlayer& one) { return one.name == player.name; });
    if (found == stored->end()) continue;
    if (found->identity != player.identity) {
      Tell(absl::StrCat("the stored games of ", Printable(player.name),
                        " are another network's and do not count"));
      continue;
    }
    numbers_[i] = 1 + (found - stored->begin());
    players[numbers_[i]] = static_cast<int>(i);
  }
  const absl::StatusOr<std::vector<StoredPairing>> pairings = store_->Pairings();
  if (!pairings.ok()) return pairings.status();
  for (const StoredPairing& pairing : *pairings) {
    const auto a = players.find(pairing.a);
    const auto b = players.find(pairing.b);
    if (a == players.end() || b == players.end() || pairing.a > pairing.b) continue;
    Meeting& meeting = meetings_[std::minmax(a->second, b->second)];
    meeting.a = a->second;
    meeting.b = b->second;
    if (absl::Status status = ReadMeeting(pairing, &meeting); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Ladder::ReadMeeting(const StoredPairing& pairing, Meeting* meeting) {
  const auto damaged = store_->ReadGames(pairing, [&](const MatchGameRecord& game) {
    absl::Status status = store_->CheckOpening(game, openings_->ForPair(game.result.pair));
    if (!status.ok()) return status;
    meeting->tally.Add(game.result);
    meeting->pairs = std::max(meeting->pairs, game.result.pair + 1);
    ++games_;
    return absl::OkStatus();
  });
  if (!damaged.ok()) return damaged.status();
  for (const std::string& message : *damaged) Tell(message);
  return absl::OkStatus();
}

void Ladder::Tell(const std::string& message) const {
  if (options_.on_message) options_.on_message(message);
}

absl::Status Ladder::Run() {
  if (absl::Status status = FinishBlocks(); !status.ok()) return status;
  for (;;) {
    const absl::StatusOr<bool> finished = IsFinished();
    if (!finished.ok()) return finished.status();
    if (*finished) return absl::OkStatus();
    if (absl::Status status = PlayNext(); !status.ok()) return status;
  }
}

absl::StatusOr<bool> Ladder::IsFinished() const {
  if (games_ >= options_.games) return true;
  if (options_.interval <= 0) return false;
  const absl::StatusOr<Ratings> ratings = Rate(0);
  if (!ratings.ok()) return ratings.status();
  return IsSharp(*ratings, options_.interval, vanished_);
}

bool Ladder::IsSharp(const Ratings& ratings, double interval, const std::set<int>& left_out) {
  const auto counts = [&left_out](int player) { return left_out.count(player) == 0; };
  const auto groups = std::count_if(ratings.groups().begin(), ratings.groups().end(),
                                    [&counts](const std::vector<int>& group) {
                                      return std::any_of(group.begin(), group.end(), counts);
                                    });
  if (groups > 1) return false;
  std::vector<int> order;
  for (int player = 0; player < ratings.players(); ++player) {
    if (counts(player)) order.push_back(player);
  }
  std::stable_sort(order.begin(), order.end(), [&ratings](int i, int j) {
    return ratings.Rating(i).value > ratings.Rating(j).value;
  });
  for (size_t k = 0; k + 1 < order.size(); ++k) {
    const Estimate lead = ratings.Difference(order[k], order[k + 1]);
    if (lead.high - lead.low > 2 * interval) return false;
  }
  return true;
}

// Before anything else, also before asking whether it is finished: an uninterrupted ladder asks
// between whole blocks alone.
absl::Status Ladder::FinishBlocks() {
  for (const auto& [players, meeting] : meetings_) {
    if (games_ >= options_.games) break;
    const int64_t whole = (meeting.pairs + options_.block - 1) / options_.block;
    const int64_t begin = std::max<int64_t>(whole - 1, 0) * options_.block;
    const int64_t of_block = meeting.tally.played().games() - 2 * begin;
    if (of_block == 2 * options_.block) continue;
    const int64_t pairs = begin + BlockAfter(games_ - of_block);
    if (absl::Status status = Play(players, pairs); !status.ok()) return status;
  }
  return absl::OkStatus();
}

int64_t Ladder::BlockAfter(int64_t games) const {
  return std::min(options_.block, (options_.games - games + 1) / 2);
}

absl::Status Ladder::PlayNext() {
  const absl::StatusOr<Ratings> ratings = Rate(0);
  if (!ratings.ok()) return ratings.status();
  std::vector<Pairing> allowed;
  const int count = static_cast<int>(players_.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if (vanished_.count(i) == 0 && vanished_.count(j) == 0) allowed.push_back({i, j});
    }
  }
  if (allowed.empty()) return absl::FailedPreconditionError("there are no two players left");
  const absl::StatusOr<std::vector<size_t>> next = NextPairings(*ratings, allowed, 1);
  if (!next.ok()) return next.status();
  const Pairing& pairing = allowed[next->front()];
  const std::pair<int, int> players(pairing.i, pairing.j);
  const auto meeting = meetings_.find(players);
  const int64_t played = meeting == meetings_.end() ? 0 : meeting->second.pairs;
  return Play(players, played + BlockAfter(games_));
}

absl::Status Ladder::Play(const std::pair<int, int>& players, int64_t pairs) {
  const absl::StatusOr<std::shared_ptr<Player>> one = Open(players.first);
  if (!one.ok()) return one.status();
  const absl::StatusOr<std::shared_ptr<Player>> other = Open(players.second);
  if (!other.ok()) return other.status();
  if (*one == nullptr || *other == nullptr) return absl::OkStatus();
  const auto number = [this](int player) { return numbers_[static_cast<size_t>(player)]; };
  const bool in_order = number(players.first) < number(players.second);
  Meeting& meeting = meetings_[players];
  meeting.a = in_order ? players.first : players.second;
  meeting.b = in_order ? players.second : players.first;
  meeting.pairs = std::max(meeting.pairs, pairs);
  const StoredPairing stored = {number(meeting.a), number(meeting.b)};

  MatchOptions options;
  options.pairs = pairs;
  options.seed = SeedOf(meeting);
  options.limits = options_.limits;
  options.threads = options_.threads;
  options.games_at_a_time = options_.games_at_a_time;
  options.interrupted = options_.interrupted;
  const std::string& a = players_[static_cast<size_t>(meeting.a)].name;
  const std::string& b = players_[static_cast<size_t>(meeting.b)].name;
  options.on_game = [&](const MatchGameRecord& game) {
    if (store_ != nullptr) {
      if (absl::Status status = store_->Put(stored, game); !status.ok()) return status;
    }
    ++games_;
    if (options_.on_game) options_.on_game(games_, a, b);
    return absl::OkStatus();
  };
  MatchRunner runner(rules_, in_order ? one->get() : other->get(),
                     in_order ? other->get() : one->get(), openings_, &meeting.tally, options);
  absl::Status status = runner.Run();
  counts_.evaluations += runner.counts().evaluations;
  counts_.calls += runner.counts().calls;
  return status;
}

absl::StatusOr<std::shared_ptr<Player>> Ladder::Open(int player) {
  const auto held = std::find_if(open_.begin(), open_.end(),
                                 [player](const auto& one) { return one.first == player; });
  if (held != open_.end()) {
    open_.splice(open_.end(), open_, held);
    return open_.back().second;
  }
  const LadderPlayer& which = players_[static_cast<size_t>(player)];
  if (vanished_.count(player) != 0) return nullptr;
  if (!which.stays_open) MakeRoom();
  absl::StatusOr<std::shared_ptr<Player>> opened = which.open();
  if (!opened.ok()) {
    const absl::Status& why = opened.status();
    if (!which.may_vanish || !(absl::IsNotFound(why) || absl::IsDataLoss(why))) return why;
    vanished_.insert(player);
    Tell(absl::StrCat(Printable(which.name), " is left out from here on: ", why.message()));
    return nullptr;
  }
  int64_t& number = numbers_[static_cast<size_t>(player)];
  if (store_ != nullptr) {
    const absl::StatusOr<int64_t> stored = store_->ReplacePlayer(which.name, which.identity);
    if (!stored.ok()) return stored.status();
    number = *stored;
  } else if (number == 0) {
    number = ++last_number_;
  }
  open_.emplace_back(player, *std::move(opened));
  return open_.back().second;
}

void Ladder::MakeRoom() {
  const auto can_be_closed = [this](const auto& one) {
    return !players_[static_cast<size_t>(one.first)].stays_open;
  };
  if (std::count_if(open_.begin(), open_.end(), can_be_closed) < options_.open_players) return;
  open_.erase(std::find_if(open_.begin(), open_.end(), can_be_closed));
}

// Other games for each two players, whoever else is on the ladder.
uint64_t Ladder::SeedOf(const Meeting& meeting) const {
  const std::string& a = players_[static_cast<size_t>(meeting.a)].name;
  const std::string& b = players_[static_cast<size_t>(meeting.b)].name;
  return GameSeed(options_.seed, Checksum(absl::StrCat(a.size(), " ", a, b)));
}

std::vector<LadderMeeting> Ladder::Meetings() const {
  std::vector<LadderMeeting> meetings;
  for (const auto& [players, meeting] : meetings_) {
    meetings.push_back({meeting.a, meeting.b, meeting.tally.Summary().score});
  }
  return meetings;
}

absl::StatusOr<Ratings> Ladder::Rate(int anchor) const {
  std::vector<PairResults> results;
  for (const auto& [a, b, score] : Meetings()) {
    // by_side[1] has the games in which `b` moved first, as `a` sees them.
    const ResultCounts& second = score.by_side[1];
    results.push_back(ResultsOf(a, b, score.by_side[0]));
    results.push_back(ResultsOf(b, a, {second.losses, second.draws, second.wins}));
  }
  RatingOptions options;
  options.anchor = anchor;
  return crossriver::Rate(static_cast<int>(players_.size()), results, options);
}

}  // namespace crossriver
