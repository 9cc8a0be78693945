// Records as bytes: round trips, damage, lies; replaying; sparse policies.
#include "selfplay/record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/bytes.h"
#include "selfplay/checksum.h"
#include "selfplay/run_rows.h"
#include "tests/random_positions.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ExpectError;
using testing::Random;
using testing::RandomRecord;
using testing::Replay;
using testing::RulesOf;

const char* const kVariants[] = {"switchback",           "xiangqi",           "shogi", "minishogi",
                                 "shoxiang-sh-standard", "shoxiang-xq-strong"};

// Bytes with a checksum that fits.
std::string Forged(std::string bytes) {
  bytes.resize(bytes.size() - 8);
  ByteWriter end;
  end.Fixed64(Checksum(bytes));
  return bytes + end.Take();
}

void ExpectNear(const Wdl& a, const Wdl& b) {
  EXPECT_NEAR(a.win, b.win, 1e-5);
  EXPECT_NEAR(a.draw, b.draw, 1e-5);
  EXPECT_NEAR(a.loss, b.loss, 1e-5);
}

TEST(RecordTest, RoundTripRoundsOnceAndKeepsTheRest) {
  for (const char* variant : kVariants) {
    for (uint64_t id = 0; id < 6; ++id) {
      const GameRecord record = RandomRecord(RulesOf(variant), id, 40);
      const std::string bytes = EncodeRecord(record);
      const absl::StatusOr<GameRecord> read = DecodeRecord(bytes);
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(EncodeRecord(*read), bytes) << "rounding again changes something";
      ASSERT_EQ(read->moves.size(), record.moves.size());
      GameRecord rounded = record;
      for (size_t i = 0; i < record.moves.size(); ++i) {
        ExpectNear(read->moves[i].root, record.moves[i].root);
        ExpectNear(read->moves[i].raw, record.moves[i].raw);
        rounded.moves[i].root = read->moves[i].root;
        rounded.moves[i].raw = read->moves[i].raw;
      }
      EXPECT_EQ(*read, rounded);
      EXPECT_TRUE(Replay(RulesOf(variant), *read).ok());
    }
  }
}

TEST(RecordTest, ExtremeValues) {
  GameRecord record;
  record.id = std::numeric_limits<uint64_t>::max();
  record.seed = record.id;
  record.rules_hash = record.id;
  record.max_plies = std::numeric_limits<int>::max();
  record.resign_ply = 0;
  record.start_fen = std::string("a\0b", 3);
  RecordedMove move;
  move.move = Move::FromRaw(65535);
  move.visits = std::numeric_limits<uint32_t>::max();
  move.checkpoint = std::numeric_limits<int64_t>::min();
  move.root = {1, 0, 0};
  move.policy.entries = {{Move::FromRaw(1), 65535}, {Move::FromRaw(2), 0}};
  record.moves = {move, move};
  record.moves[1].checkpoint = std::numeric_limits<int64_t>::max();
  const absl::StatusOr<GameRecord> read = DecodeRecord(EncodeRecord(record));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, record);
  EXPECT_EQ(*DecodeRecord(EncodeRecord(GameRecord())), GameRecord());
}

TEST(RecordTest, NumbersThatAreNoneBecomeZero) {
  GameRecord record;
  record.moves.resize(1);
  record.moves[0].root = {NAN, -1, 7};
  record.moves[0].surprise = INFINITY;
  const absl::StatusOr<GameRecord> read = DecodeRecord(EncodeRecord(record));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->moves[0].root, (Wdl{0, 0, 1}));
  EXPECT_EQ(read->moves[0].surprise, 0);
}

TEST(RecordTest, EveryFlippedBitIsAnError) {
  const std::string bytes = EncodeRecord(RandomRecord(RulesOf("minishogi"), 3, 12));
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    EXPECT_FALSE(DecodeRecord(damaged).ok()) << "bit " << bit;
  }
}

TEST(RecordTest, EveryTruncationIsAnError) {
  const std::string bytes = EncodeRecord(RandomRecord(RulesOf("minishogi"), 4, 12));
  const std::string packed = PackRecord(RandomRecord(RulesOf("minishogi"), 4, 12), 3);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeRecord(bytes.substr(0, size)).ok()) << size;
  }
  for (size_t size = 0; size < packed.size(); ++size) {
    EXPECT_FALSE(UnpackRecord(packed.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(DecodeRecord(bytes + "x").ok());
  EXPECT_FALSE(UnpackRecord(packed + "x").ok());
  EXPECT_FALSE(UnpackRecord(packed + packed).ok());
}

// With a right checksum, so that the fields themselves are read: an error, or a record that is
// written as it was read.
TEST(RecordTest, ForgedBytesAreSafe) {
  Random random(11);
  const std::string good = EncodeRecord(RandomRecord(RulesOf("minishogi"), 5, 12));
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good;
    for (int changes = random.Between(1, 4); changes > 0; --changes) {
      bytes[4 + random.Below(bytes.size() - 4)] = static_cast<char>(random.Below(256));
    }
    if (random.Percent(20)) bytes.resize(12 + random.Below(bytes.size() - 12));
    const absl::StatusOr<GameRecord> read = DecodeRecord(Forged(bytes));
    if (!read.ok()) continue;
    ++accepted;
    const absl::StatusOr<GameRecord> again = DecodeRecord(EncodeRecord(*read));
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, *read);
    (void)Replay(RulesOf("minishogi"), *read);
  }
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 19900);
}

TEST(RecordTest, RandomBytesAreErrors) {
  Random random(12);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random.Below(200), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.Below(256));
    EXPECT_FALSE(DecodeRecord(bytes).ok());
    EXPECT_FALSE(UnpackRecord(bytes).ok());
    if (bytes.size() >= 12) (void)DecodeRecord(Forged("CRG\x01" + bytes));
  }
}

// A count that the bytes can't hold is seen before anything is allocated for it.
TEST(RecordTest, HugeCountsAreErrors) {
  const std::string bytes = EncodeRecord(GameRecord());
  // The number of moves is the last byte before the checksum.
  std::string huge = bytes.substr(0, bytes.size() - 9) + "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F";
  ExpectError(DecodeRecord(Forged(huge + "12345678")).status(), {"game record"});
}

TEST(RecordTest, MessagesSayWhatIsWrong) {
  const std::string good = EncodeRecord(GameRecord());
  std::string newer = good;
  newer[3] = 9;
  ExpectError(DecodeRecord(Forged(newer)).status(), {"format 9", "format 1"});
  ExpectError(DecodeRecord("").status(), {"cut off"});
  ExpectError(DecodeRecord("something quite different").status(), {"does not begin"});
  ExpectError(DecodeRecord(good.substr(0, good.size() - 1)).status(), {"checksum"});
  ExpectError(DecodeRecord(Forged(good.substr(0, good.size() - 8) + "x12345678")).status(),
              {"1 bytes too many"});
}

TEST(ReplayTest, VisitsEveryPositionAndStopsWhenTold) {
  const Rules& rules = RulesOf("xiangqi");
  const GameRecord record = RandomRecord(rules, 1, 30);
  int calls = 0;
  ASSERT_TRUE(ReplayRecord(rules, record,
                           [&](int ply, const Position& position, const History& history,
                               std::span<const Move> legal) {
                             EXPECT_EQ(ply, calls++);
                             EXPECT_EQ(history.plies(), ply);
                             std::vector<Move> expected;
                             GenerateLegalMoves(position, &expected);
                             EXPECT_TRUE(std::equal(legal.begin(), legal.end(), expected.begin(),
                                                    expected.end()));
                             return true;
                           })
                  .ok());
  EXPECT_EQ(calls, 31);
  calls = 0;
  ASSERT_TRUE(
      ReplayRecord(rules, record, [&](int, const Position&, const History&, std::span<const Move>) {
        return ++calls < 5;
      }).ok());
  EXPECT_EQ(calls, 5);
}

struct BadReplay {
  const char* name;
  std::function<void(GameRecord*)> change;
  const char* words;
};

TEST(ReplayTest, WhatDoesNotFitIsAnError) {
  const Rules& rules = RulesOf("minishogi");
  GameRecord open;  // not over
  for (uint64_t id = 0; !open.truncated; ++id) open = RandomRecord(rules, id, 10);
  const BadReplay cases[] = {
      {"rules", [](GameRecord* r) { ++r->rules_hash; }, "other rules"},
      {"fen", [](GameRecord* r) { r->start_fen = "nonsense"; }, "FEN"},
      {"move", [](GameRecord* r) { r->moves[4].move = Move::FromRaw(0xFFFF); }, "ply 4"},
      {"result", [](GameRecord* r) { r->result = Result::kWin; }, "truncated"},
      {"both", [](GameRecord* r) { r->resigned = true; }, "both"},
      {"reason", [](GameRecord* r) { r->reason = Reason::kCheckmate; }, "checkmate"},
      {"no end", [](GameRecord* r) { r->truncated = false; }, "not over"},
      {"no winner",
       [](GameRecord* r) {
         r->truncated = false;
         r->resigned = true;
       },
       "no winner"},
  };
  for (const BadReplay& bad : cases) {
    SCOPED_TRACE(bad.name);
    GameRecord record = open;
    bad.change(&record);
    ExpectError(Replay(rules, record), {bad.words});
  }
}

TEST(ReplayTest, TheRulesEndsAreChecked) {
  const Rules& rules = RulesOf("minishogi");
  GameRecord over;
  for (uint64_t id = 0; over.reason == Reason::kNone; ++id) over = RandomRecord(rules, id, 2000);
  EXPECT_TRUE(Replay(rules, over).ok());
  const BadReplay cases[] = {
      {"winner",
       [](GameRecord* r) { r->result = r->result == Result::kWin ? Result::kLoss : Result::kWin; },
       "the rules say"},
      {"none", [](GameRecord* r) { r->result = Result::kNone; }, "the rules say"},
      {"resigned", [](GameRecord* r) { r->resigned = true; }, "recorded as resigned"},
      {"truncated", [](GameRecord* r) { r->truncated = true; }, "recorded as truncated"},
      {"after", [](GameRecord* r) { r->moves.push_back(r->moves[0]); }, "after the end"},
  };
  for (const BadReplay& bad : cases) {
    SCOPED_TRACE(bad.name);
    GameRecord record = over;
    bad.change(&record);
    ExpectError(Replay(rules, record), {bad.words});
  }
}

std::vector<Move> Moves(size_t count) {
  std::vector<Move> moves;
  for (size_t i = 0; i < count; ++i) moves.push_back(Move::FromRaw(static_cast<uint16_t>(i + 1)));
  return moves;
}

TEST(SparsePolicyTest, ExpandsToNearlyTheTarget) {
  Random random(21);
  for (int round = 0; round < 500; ++round) {
    const std::vector<Move> moves = Moves(1 + random.Below(600));
    std::vector<float> target(moves.size());
    const int rare = random.Between(0, 100);
    float sum = 0;
    for (float& share : target) {
      share = random.Percent(rare) ? 1e-7F : static_cast<float>(1 + random.Below(1000));
      sum += share;
    }
    for (float& share : target) share /= sum;
    const SparsePolicy policy = MakeSparsePolicy(moves, target);
    int total = 0;
    int before = 65535;
    for (const SparsePolicy::Entry& entry : policy.entries) {
      EXPECT_LE(entry.share, before) << "shares must fall";
      before = entry.share;
      total += entry.share;
    }
    EXPECT_LE(total, 65535);
    const std::vector<float> expanded = ExpandPolicy(policy, moves);
    ASSERT_EQ(expanded.size(), target.size());
    double whole = 0;
    for (size_t i = 0; i < target.size(); ++i) {
      EXPECT_NEAR(expanded[i], target[i], 0.5 / 4096 + 2.0 / 65535);
      EXPECT_GE(expanded[i], 0);
      whole += expanded[i];
    }
    EXPECT_NEAR(whole, 1, 1e-5);
    EXPECT_EQ(MakeSparsePolicy(moves, expanded).entries.size() >= policy.entries.size(), true);
  }
}

TEST(SparsePolicyTest, RemainderAndForeignEntries) {
  const std::vector<Move> moves = Moves(4);
  SparsePolicy policy;
  policy.entries = {{moves[2], 32768}, {Move::FromRaw(999), 16384}};
  const std::vector<float> shares = ExpandPolicy(policy, moves);
  EXPECT_NEAR(shares[2], 0.5, 1e-4);
  EXPECT_NEAR(shares[0], 0.5 / 3, 1e-4);
  EXPECT_TRUE(ExpandPolicy(policy, {}).empty());
  for (const float share : ExpandPolicy(SparsePolicy(), moves)) EXPECT_FLOAT_EQ(share, 0.25);
  // All moves listed, whatever their sum.
  policy.entries = {{moves[0], 100}, {moves[1], 100}};
  EXPECT_FLOAT_EQ(ExpandPolicy(policy, std::span(moves).first(2))[0], 0.5);
}

}  // namespace
}  // namespace crossriver
