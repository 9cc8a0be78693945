// Ladders of players whose strength is known: order, pairings, ends, interrupts.
#include "selfplay/ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/match_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::ElementsAre;
using testing::FunctionPlayer;
using ::testing::HasSubstr;
using testing::ScratchFolder;

const MatchSettings kSettings = {{"variant", "minishogi"}, {"kind", "ladder"}};

// Plays at random, and resigns with this probability a move. The game is lost by whoever does so
// first: half the probability is a lead of 400 log10(2) Elo, about 120, before the advantage of who
// is not the first to move.
std::shared_ptr<Player> Resigner(double chance) {
  return std::make_shared<FunctionPlayer>(
      [chance](const Turn& turn, RandomStream* random) -> absl::StatusOr<Choice> {
        constexpr uint64_t kSteps = 1 << 20;
        if (static_cast<double>(random->Below(kSteps)) < chance * kSteps) {
          return absl::AbortedError("resigns");
        }
        return testing::RandomMove(turn, random);
      });
}

constexpr double kStep = 120.4;  // Elo

// The weakest first.
std::vector<LadderPlayer> Resigners(int count) {
  std::vector<LadderPlayer> players;
  for (int i = 0; i < count; ++i) {
    const double chance = 0.4 * std::pow(2, -i);
    LadderPlayer player;
    player.name = absl::StrCat("resigner ", i);
    player.open = [chance] { return absl::StatusOr<std::shared_ptr<Player>>(Resigner(chance)); };
    players.push_back(std::move(player));
  }
  return players;
}

LadderOptions Games(int64_t games) {
  LadderOptions options;
  options.games = games;
  options.interval = 0;
  return options;
}

// A ladder with all that it needs.
struct Whole {
  explicit Whole(std::vector<LadderPlayer> players, LadderOptions options,
                 const std::string& file = "")
      : openings(&testing::RulesOf("minishogi"), {.plies = 4}) {
    if (!file.empty()) {
      auto opened = MatchStore::Open(file, kSettings);
      EXPECT_TRUE(opened.ok()) << opened.status();
      store = *std::move(opened);
    }
    auto created = Ladder::Create(&testing::RulesOf("minishogi"), std::move(players), &openings,
                                  store.get(), std::move(options));
    EXPECT_TRUE(created.ok()) << created.status();
    ladder = *std::move(created);
  }

  MatchOpenings openings;
  std::unique_ptr<MatchStore> store;
  std::unique_ptr<Ladder> ladder;
};

// Equal for equal results.
std::vector<std::string> Results(const Ladder& ladder) {
  std::vector<std::string> lines;
  for (const LadderMeeting& meeting : ladder.Meetings()) {
    std::string line = absl::StrCat(meeting.a, " ", meeting.b, ":");
    for (const ResultCounts& side : meeting.score.by_side) {
      absl::StrAppend(&line, " +", side.wins, " =", side.draws, " -", side.losses);
    }
    lines.push_back(line);
  }
  return lines;
}

TEST(LadderTest, FindsTheOrderByGamesOfNeighbours) {
  constexpr int kPlayers = 6;
  const Whole whole(Resigners(kPlayers), Games(1200));
  Ladder* ladder = whole.ladder.get();
  ASSERT_TRUE(ladder->Run().ok());
  EXPECT_EQ(ladder->games(), 1200);
  const absl::StatusOr<Ratings> ratings = ladder->Rate(0);
  ASSERT_TRUE(ratings.ok()) << ratings.status();
  EXPECT_TRUE(ratings->Connection().ok());
  for (int i = 1; i < kPlayers; ++i) {
    const Estimate lead = ratings->Difference(i, i - 1);
    EXPECT_GT(lead.low, 0) << i;
    EXPECT_NEAR(lead.value, kStep, 60) << i;
  }
  int64_t games = 0, near = 0;
  for (const LadderMeeting& meeting : ladder->Meetings()) {
    games += meeting.score.games();
    if (std::abs(meeting.a - meeting.b) <= 2) near += meeting.score.games();
    EXPECT_EQ(meeting.score.games() % 16, 0);
  }
  EXPECT_EQ(games, 1200);
  // Of 15 pairings 9 are no more than two places apart.
  EXPECT_GT(near, 0.8 * 1200);
}

TEST(LadderTest, EndsWhenNeighboursAreKnown) {
  LadderOptions options = Games(100'000);
  options.interval = 70;
  const Whole whole(Resigners(3), options);
  ASSERT_TRUE(whole.ladder->Run().ok());
  EXPECT_LT(whole.ladder->games(), 1000);
  const absl::StatusOr<Ratings> ratings = whole.ladder->Rate(0);
  ASSERT_TRUE(ratings.ok());
  EXPECT_TRUE(Ladder::IsSharp(*ratings, 70));
  EXPECT_FALSE(Ladder::IsSharp(*ratings, 30));
  // One that nobody has met is not known.
  const absl::StatusOr<Ratings> more = Rate(3, std::vector<PairResults>{{0, 1, 500, 0, 500}}, {});
  ASSERT_TRUE(more.ok());
  EXPECT_FALSE(Ladder::IsSharp(*more, 10'000));
}

TEST(LadderTest, ThreadsChangeNothing) {
  const Whole one(Resigners(4), Games(150));
  LadderOptions options = Games(150);
  options.threads = 3;
  options.games_at_a_time = 2;
  const Whole other(Resigners(4), options);
  ASSERT_TRUE(one.ladder->Run().ok());
  ASSERT_TRUE(other.ladder->Run().ok());
  EXPECT_EQ(Results(*one.ladder), Results(*other.ladder));
  options.seed = 2;
  const Whole third(Resigners(4), options);
  ASSERT_TRUE(third.ladder->Run().ok());
  EXPECT_NE(Results(*one.ladder), Results(*third.ladder));
}

// Stopped after any number of games, with all of them kept, and gone on with, also past an end that
// fell into a block.
TEST(LadderTest, ResumedItIsWhatItWouldHaveBeen) {
  const Whole uninterrupted(Resigners(4), Games(200));
  ASSERT_TRUE(uninterrupted.ladder->Run().ok());
  const ScratchFolder folder;
  const std::string file = folder.File("ladder.db");
  int64_t games = 0;
  for (const int64_t stop : {5, 40, 41, 61, 150}) {
    LadderOptions options = Games(200);
    options.on_game = [&games](int64_t count, const std::string&, const std::string&) {
      games = count;
    };
    options.interrupted = [&games, stop] { return games >= stop; };
    const Whole whole(Resigners(4), options, file);
    EXPECT_EQ(whole.ladder->games(), games);
    EXPECT_TRUE(absl::IsCancelled(whole.ladder->Run()));
    EXPECT_EQ(whole.ladder->games(), stop);
  }
  for (const int64_t end : {157, 200}) {
    const Whole whole(Resigners(4), Games(end), file);
    ASSERT_TRUE(whole.ladder->Run().ok());
    EXPECT_EQ(whole.ladder->games(), end + end % 2);
  }
  const Whole whole(Resigners(4), Games(200), file);
  EXPECT_EQ(Results(*whole.ladder), Results(*uninterrupted.ladder));
  ASSERT_TRUE(whole.ladder->Run().ok());
  EXPECT_EQ(whole.ladder->games(), 200);
}

TEST(LadderTest, TakesMorePlayersInAnyOrder) {
  const ScratchFolder folder;
  const std::string file = folder.File("ladder.db");
  {
    const Whole whole(Resigners(2), Games(96), file);
    ASSERT_TRUE(whole.ladder->Run().ok());
  }
  std::vector<LadderPlayer> players = Resigners(4);
  std::reverse(players.begin(), players.end());
  const Whole whole(players, Games(500), file);
  EXPECT_EQ(whole.ladder->games(), 96);
  ASSERT_TRUE(whole.ladder->Run().ok());
  const absl::StatusOr<Ratings> ratings = whole.ladder->Rate(3);
  ASSERT_TRUE(ratings.ok());
  for (int i = 0; i < 3; ++i) EXPECT_GT(ratings->Difference(i, i + 1).value, 0) << i;
}

TEST(LadderTest, HoldsFewPlayersOpen) {
  int open = 0, most = 0, opened = 0;
  std::vector<LadderPlayer> players;
  for (LadderPlayer player : Resigners(5)) {
    player.open = [&, inner = player.open] {
      most = std::max(most, ++open);
      ++opened;
      std::shared_ptr<Player> made = *inner();
      return absl::StatusOr<std::shared_ptr<Player>>(
          std::shared_ptr<Player>(made.get(), [&open, made](Player*) { --open; }));
    };
    players.push_back(std::move(player));
  }
  LadderOptions options = Games(300);
  options.open_players = 2;
  const Whole few(players, options);
  ASSERT_TRUE(few.ladder->Run().ok());
  EXPECT_EQ(most, 2);
  EXPECT_GT(opened, 5);
  opened = 0;
  options.open_players = 5;
  const Whole all(players, options);
  ASSERT_TRUE(all.ladder->Run().ok());
  EXPECT_EQ(opened, 5);
  EXPECT_EQ(Results(*few.ladder), Results(*all.ladder));
}

// Those that can't be closed take no places from those that can.
TEST(LadderTest, PlayersThatStayOpenDoNotCount) {
  int opened = 0;
  std::vector<LadderPlayer> players = Resigners(5);
  for (size_t i = 0; i < players.size(); ++i) {
    players[i].stays_open = i < 3;
    players[i].open = [&opened, inner = players[i].open] {
      ++opened;
      return inner();
    };
  }
  LadderOptions options = Games(300);
  options.open_players = 2;
  const Whole whole(players, options);
  ASSERT_TRUE(whole.ladder->Run().ok());
  EXPECT_EQ(opened, 5);
}

// A checkpoint whose files are deleted meanwhile.
TEST(LadderTest, GoesOnWithoutWhoVanishes) {
  std::vector<std::string> messages;
  LadderOptions options = Games(200);
  options.on_message = [&messages](const std::string& message) { messages.push_back(message); };
  const auto vanish = [](LadderPlayer* player) {
    player->may_vanish = true;
    player->open = [] {
      return absl::StatusOr<std::shared_ptr<Player>>(absl::NotFoundError("no such file"));
    };
  };
  std::vector<LadderPlayer> players = Resigners(4);
  vanish(&players[2]);
  const Whole whole(players, options);
  const absl::Status status = whole.ladder->Run();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(whole.ladder->games(), 200);
  EXPECT_THAT(messages, ElementsAre("resigner 2 is left out from here on: no such file"));
  // The others may become sharp without it.
  options.interval = 70;
  options.games = 100'000;
  const Whole sharp(players, options);
  ASSERT_TRUE(sharp.ladder->Run().ok());
  EXPECT_LT(sharp.ladder->games(), 2000);

  for (LadderPlayer& player : players) vanish(&player);
  options.interval = 0;
  const Whole none(players, options);
  EXPECT_THAT(none.ladder->Run().message(), HasSubstr("no two players left"));
  // Other errors are nobody's disappearance.
  players = Resigners(3);
  players[1].may_vanish = true;
  players[1].open = [] {
    return absl::StatusOr<std::shared_ptr<Player>>(absl::ResourceExhaustedError("no memory"));
  };
  EXPECT_EQ(Whole(players, options).ladder->Run().message(), "no memory");
}

// A number of a checkpoint that comes again stands for another network.
TEST(LadderTest, GamesOfAnotherNetworkDoNotCount) {
  const ScratchFolder folder;
  const std::string file = folder.File("ladder.db");
  std::vector<LadderPlayer> players = Resigners(2);
  players[0].identity = 17;
  {
    const Whole whole(players, Games(32), file);
    ASSERT_TRUE(whole.ladder->Run().ok());
  }
  EXPECT_EQ(Whole(players, Games(32), file).ladder->games(), 32);
  players[0].identity = 18;
  std::vector<std::string> messages;
  LadderOptions options = Games(16);
  options.on_message = [&messages](const std::string& message) { messages.push_back(message); };
  {
    const Whole whole(players, options, file);
    EXPECT_EQ(whole.ladder->games(), 0);
    EXPECT_THAT(messages, ElementsAre(HasSubstr("games of resigner 0 are another network's")));
    ASSERT_TRUE(whole.ladder->Run().ok());
    EXPECT_EQ(whole.ladder->games(), 16);
  }
  const Whole again(players, options, file);
  EXPECT_EQ(again.ladder->games(), 16);
  EXPECT_EQ(messages.size(), 1U);
  EXPECT_EQ((*again.store->Players())[0].name, "resigner 0 (replaced 1)");
}

TEST(LadderTest, ADamagedGameIsPlayedAgain) {
  const ScratchFolder folder;
  const std::string file = folder.File("ladder.db");
  const Whole undamaged(Resigners(2), Games(64));
  ASSERT_TRUE(undamaged.ladder->Run().ok());
  {
    const Whole whole(Resigners(2), Games(64), file);
    ASSERT_TRUE(whole.ladder->Run().ok());
  }
  ASSERT_TRUE((*Database::Open(file, Database::Mode::kWrite, std::chrono::milliseconds(1000)))
                  ->Execute("UPDATE games SET record = zeroblob(9) WHERE pair IN (3, 20)")
                  .ok());
  std::vector<std::string> messages;
  LadderOptions options = Games(64);
  options.on_message = [&messages](const std::string& message) { messages.push_back(message); };
  const Whole whole(Resigners(2), options, file);
  EXPECT_EQ(whole.ladder->games(), 60);
  EXPECT_EQ(messages.size(), 4U);
  ASSERT_TRUE(whole.ladder->Run().ok());
  EXPECT_EQ(Results(*whole.ladder), Results(*undamaged.ladder));
}

TEST(LadderTest, OtherOpeningsAreAnError) {
  const ScratchFolder folder;
  const std::string file = folder.File("ladder.db");
  {
    const Whole whole(Resigners(2), Games(16), file);
    ASSERT_TRUE(whole.ladder->Run().ok());
  }
  const Rules& rules = testing::RulesOf("minishogi");
  MatchOpenings others(&rules, {.plies = 4, .seed = 2});
  const auto store = *MatchStore::Open(file, kSettings);
  EXPECT_THAT(
      Ladder::Create(&rules, Resigners(2), &others, store.get(), Games(16)).status().message(),
      HasSubstr("other openings"));
}

TEST(LadderTest, Errors) {
  const Rules& rules = testing::RulesOf("minishogi");
  MatchOpenings openings(&rules, {.plies = 4});
  const auto create = [&](std::vector<LadderPlayer> players) {
    return Ladder::Create(&rules, std::move(players), &openings, nullptr, Games(10)).status();
  };
  EXPECT_THAT(create(Resigners(1)).message(), HasSubstr("at least two players"));
  std::vector<LadderPlayer> players = Resigners(3);
  players[2].name = players[0].name;
  EXPECT_THAT(create(players).message(), HasSubstr("'resigner 0' is there twice"));

  players = Resigners(3);
  players[2].open = [] {
    return absl::StatusOr<std::shared_ptr<Player>>(absl::NotFoundError("no such file"));
  };
  const Whole whole(players, Games(100));
  EXPECT_EQ(whole.ladder->Run().message(), "no such file");
  EXPECT_GT(whole.ladder->games(), 0);
}

}  // namespace
}  // namespace crossriver
