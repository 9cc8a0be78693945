// Positions and moves as text: what round-trips, and how bad text is reported.
#include "core/notation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;
using testing::RulesOf;

struct BadFen {
  const char* name;
  const char* variant;
  const char* fen;
  const char* message;
};

void PrintTo(const BadFen& fen, std::ostream* out) { *out << fen.name; }

class BadFenTest : public ::testing::TestWithParam<BadFen> {};

TEST_P(BadFenTest, IsExplainedInOneLine) {
  const absl::StatusOr<Position> position = ParseFen(RulesOf(GetParam().variant), GetParam().fen);
  ASSERT_FALSE(position.ok());
  const std::string message(position.status().message());
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

const BadFen kBadFens[] = {
    {"empty", "xiangqi", "", "FEN field 'all': 0 fields"},
    {"one_field", "xiangqi", "9/9", "FEN field 'all': 1 fields"},
    {"five_fields", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w - 0 1", "FEN field 'all': 5 fields"},
    {"castling", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w KQ - 0 1", "expected - - or neither"},
    {"few_ranks", "xiangqi", "4k4/9/9/9/9/9/9/9/3K5 w 0 1", "9 ranks, expected 10"},
    {"many_ranks", "xiangqi", "4k4/9/9/9/9/9/9/9/9/9/3K5 w 0 1", "11 ranks, expected 10"},
    {"short_rank", "xiangqi", "4k3/9/9/9/9/9/9/9/9/3K5 w 0 1", "rank 10 has 8 cells"},
    {"long_rank", "xiangqi", "4k4/9/9/9/9R/9/9/9/9/3K5 w 0 1", "rank 6 has more than 9 cells"},
    {"long_run", "xiangqi", "4k4/9/9/9/12/9/9/9/9/3K5 w 0 1", "rank 6 has more than 9 cells"},
    {"huge_run", "xiangqi", "4k4/9/9/9/99999999999/9/9/9/9/3K5 w 0 1", "rank 6 has more than"},
    {"zero_run", "xiangqi", "4k4/9/9/9/09/9/9/9/9/3K5 w 0 1", "rank 6 has a run of 0"},
    {"zero", "xiangqi", "4k4/9/9/9/R0R7/9/9/9/9/3K5 w 0 1", "run of 0"},
    {"letter", "xiangqi", "4k4/9/9/9/4X4/9/9/9/9/3K5 w 0 1", "unknown piece 'X'"},
    {"plus_alone", "xiangqi", "4k4/9/9/9/4+4/9/9/9/9/3K5 w 0 1", "unknown piece '+4'"},
    {"plus_last", "xiangqi", "4k4/9/9/9/8+/9/9/9/9/3K5 w 0 1", "unknown piece '+'"},
    {"unpromotable", "xiangqi", "4k4/9/9/9/4+R4/9/9/9/9/3K5 w 0 1", "unknown piece '+R'"},
    {"no_royal", "xiangqi", "9/9/9/9/9/9/9/9/9/3K5 w 0 1", "0 of General for the second"},
    {"two_royals", "xiangqi", "4k4/9/9/9/9/9/9/9/4K4/3K5 w 0 1", "2 of General for the first"},
    {"zone", "xiangqi", "4k4/9/9/9/9/9/9/9/9/2K6 w 0 1", "the General on c1 is outside its zone"},
    {"elephant", "switchback", "4k4/9/9/4E4/9/9/9/9/9/3K5 w 0 1", "outside its zone"},
    {"side", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 r 0 1", "FEN field 'side to move'"},
    {"takes_royal", "xiangqi", "4k4/9/9/9/4R4/9/9/9/9/3K5 w 0 1",
     "FEN field 'side to move': it could take the General on e10"},
    {"count", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w 121 1", "FEN field 'no-progress plies'"},
    {"negative", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w -1 1", "expected a number from 0 to 120"},
    {"number", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w 0 x", "FEN field 'move number'"},
    {"zero_number", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w 0 0", "FEN field 'move number'"},
    {"huge_number", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w 0 99999999999999", "'move number'"},
    {"hand", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5[] w 0 1", "FEN field 'hand': this variant has no"},
    {"no_hand", "minishogi", "4k/5/5/5/K4 w 0 1", "FEN field 'hand': missing"},
    {"open_hand", "minishogi", "4k/5/5/5/K4[P w 0 1", "expected ] at the end"},
    {"hand_letter", "minishogi", "4k/5/5/5/K4[K] w 0 1", "'K' can't be in hand"},
    {"hand_mark", "minishogi", "4k/5/5/5/K4[+P] w 0 1", "'+' can't be in hand"},
    {"rook_in_hand", "shoxiang-sh-weak", "4k4/9/9/9/9/9/9/9/9/9/9/4K4[R] w 0 1",
     "'R' can't be in hand"},
    {"pending_home", "shoxiang-sh-weak", "4k4/9/9/9/9/9/9/4*P4/9/9/9/4K4[] w 0 1",
     "outside the zone of pending promotions"},
    {"pending_gold", "shoxiang-sh-weak", "4k4/9/9/4*G4/9/9/9/9/9/9/9/4K4[] w 0 1",
     "unknown piece '*G'"},
};

INSTANTIATE_TEST_SUITE_P(Fens, BadFenTest, ::testing::ValuesIn(kBadFens),
                         [](const auto& fen) { return std::string(fen.param.name); });

TEST(BadFenTest, AHandTooLarge) {
  const std::string pawns(128, 'P');
  const auto position = ParseFen(RulesOf("minishogi"), "4k/5/5/5/K4[" + pawns + "] w 0 1");
  ASSERT_FALSE(position.ok());
  EXPECT_THAT(std::string(position.status().message()), HasSubstr("expected 1 to 127 of Pawn"));
  // As many as fit in hand, and one more to capture.
  const auto one_more =
      ParseFen(RulesOf("minishogi"), "4k/5/2p2/5/K4[" + pawns.substr(1) + "] w 0 1");
  ASSERT_FALSE(one_more.ok());
  EXPECT_THAT(std::string(one_more.status().message()),
              HasSubstr("130 pieces on the board and in hand"));
}

TEST(FenTest, OtherEnginesForms) {
  const Rules& shogi = RulesOf("shogi");
  const char start[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w 0 1";
  for (const char* form :
       {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w - - 0 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-]  w 0 1 "}) {
    const absl::StatusOr<Position> position = ParseFen(shogi, form);
    ASSERT_TRUE(position.ok()) << position.status();
    EXPECT_EQ(FormatFen(*position), start);
  }
}

TEST(FenTest, HandIsAlphabeticalUppercaseFirst) {
  const absl::StatusOr<Position> position =
      ParseFen(RulesOf("shoxiang-sh-weak"), "4k4/9/9/9/9/9/9/9/9/9/9/4K4[wPhPB] w 0 1");
  ASSERT_TRUE(position.ok()) << position.status();
  EXPECT_EQ(FormatFen(*position), "4k4/9/9/9/9/9/9/9/9/9/9/4K4[BPPhw] w 0 1");
}

TEST(FenTest, PlayedOnPastTheLimitItIsStillRead) {
  const Rules& xiangqi = RulesOf("xiangqi");
  absl::StatusOr<Position> position = ParseFen(xiangqi, "3k5/9/9/9/9/9/9/9/9/4K4 w 120 1000000");
  ASSERT_TRUE(position.ok()) << position.status();
  for (const char* text : {"e1e2", "d10d9", "e2e1"}) position->Do(*ParseMove(*position, text));
  EXPECT_EQ(position->no_progress(), 123);
  EXPECT_EQ(FormatFen(*position), "9/3k5/9/9/9/9/9/9/9/4K4 b 120 1000000");
  EXPECT_TRUE(ParseFen(xiangqi, FormatFen(*position)).ok());
}

TEST(MoveTextTest, OnlyLegalMovesAreRead) {
  const Position start = StartPosition(RulesOf("xiangqi"));
  EXPECT_TRUE(ParseMove(start, "b1c3").ok());
  for (const char* text : {"", "b1", "b1c3+", "b1c4", "B1c3", "b1c3 ", "P@e5", "j1j2", "a11a12"}) {
    EXPECT_FALSE(ParseMove(start, text).ok()) << text;
  }
  EXPECT_THAT(std::string(ParseMove(start, "b1c4").status().message()),
              HasSubstr("move 'b1c4': not a legal move of rnbakabnr/"));
}

TEST(SfenTest, KnownPositions) {
  const Rules& shogi = RulesOf("shogi");
  const char start[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  absl::StatusOr<Position> position = ParseSfen(shogi, start);
  ASSERT_TRUE(position.ok()) << position.status();
  EXPECT_EQ(*position, StartPosition(shogi));
  EXPECT_EQ(*FormatSfen(*position), start);
  for (const char* text : {"7g7f", "3c3d", "8h2b+"}) {
    const absl::StatusOr<Move> move = ParseUsiMove(*position, text);
    ASSERT_TRUE(move.ok()) << move.status();
    EXPECT_EQ(FormatUsiMove(shogi, *move), text);
    position->Do(*move);
  }
  EXPECT_EQ(*FormatSfen(*position),
            "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4");
}

TEST(SfenTest, HandsInTheirOrderWithCounts) {
  const Rules& shogi = RulesOf("shogi");
  const char text[] = "4k4/9/9/9/9/9/9/9/4K4 w RB2G3Prn10p 8";
  const absl::StatusOr<Position> position = ParseSfen(shogi, text);
  ASSERT_TRUE(position.ok()) << position.status();
  EXPECT_EQ(*FormatSfen(*position), text);
  EXPECT_TRUE(ParseUsiMove(*position, "P*5e").ok());
}

TEST(SfenTest, BadTextIsExplained) {
  const Rules& shogi = RulesOf("shogi");
  EXPECT_FALSE(ParseSfen(shogi, "4k4/9/9/9/9/9/9/9/4K4 b - ").ok());
  EXPECT_FALSE(ParseSfen(shogi, "4k4/9/9/9/9/9/9/9/4K4 b 3 1").ok());
  EXPECT_FALSE(ParseSfen(shogi, "4k4/9/9/9/9/9/9/9/4K4 b 0P 1").ok());
  EXPECT_FALSE(ParseSfen(shogi, "4k4/9/9/9/9/9/9/9/4K4 b 999P 1").ok());
  EXPECT_FALSE(ParseSfen(shogi, "4k4/9/9/9/9/9/9/9/4K4 x - 1").ok());
  EXPECT_FALSE(ParseSfen(RulesOf("xiangqi"), "4k4/9/9/9/9/9/9/9/9/3K5 b - 1").ok());
}

}  // namespace
}  // namespace crossriver
