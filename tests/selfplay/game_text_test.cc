// Games as text and back.
#include "selfplay/game_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/notation.h"
#include "selfplay/game_import.h"
#include "tests/random_positions.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ExpectError;
using testing::RandomRecord;
using testing::Replay;
using testing::RulesOf;

struct Imported {
  std::vector<GameRecord> games;
  ImportReport report;
};

Imported Import(const Rules& rules, const std::string& text) {
  Imported result;
  const absl::StatusOr<ImportReport> report =
      ImportGames(rules, text, {.first_id = 100}, [&](const GameRecord& record) {
        EXPECT_TRUE(Replay(rules, record).ok()) << Replay(rules, record);
        EXPECT_EQ(record.id, 100 + result.games.size());
        EXPECT_EQ(record.start_kind, StartKind::kImported);
        result.games.push_back(record);
        return absl::OkStatus();
      });
  EXPECT_TRUE(report.ok()) << report.status();
  if (report.ok()) result.report = *report;
  return result;
}

std::vector<std::string> MoveTexts(const Rules& rules, const GameRecord& record) {
  std::vector<std::string> texts;
  for (const RecordedMove& move : record.moves) texts.push_back(FormatMove(rules, move.move));
  return texts;
}

TEST(GameTextTest, ExportedGamesAreImportedAsTheyWere) {
  for (const char* variant : {"switchback", "xiangqi", "shogi", "minishogi", "shoxiang-sh-standard",
                              "shoxiang-xq-strong"}) {
    const Rules& rules = RulesOf(variant);
    std::string text;
    std::vector<GameRecord> games;
    for (uint64_t id = 1; id <= 8; ++id) {
      games.push_back(RandomRecord(rules, id, id % 2 == 0 ? 25 : 400));
      GameTextOptions options;
      options.opinions = id % 3 != 0;
      const absl::StatusOr<std::string> one = FormatGameText(rules, games.back(), options);
      ASSERT_TRUE(one.ok()) << one.status();
      text += *one;
    }
    const Imported imported = Import(rules, text);
    EXPECT_EQ(imported.report.skipped, 0) << imported.report.messages[0];
    ASSERT_EQ(imported.games.size(), games.size());
    for (size_t i = 0; i < games.size(); ++i) {
      EXPECT_EQ(MoveTexts(rules, imported.games[i]), MoveTexts(rules, games[i]));
      EXPECT_EQ(imported.games[i].start_fen, games[i].start_fen);
      EXPECT_EQ(imported.games[i].result, games[i].result);
      EXPECT_EQ(imported.games[i].reason, games[i].reason);
      EXPECT_EQ(imported.games[i].resigned, games[i].resigned);
      EXPECT_EQ(imported.games[i].truncated, games[i].truncated);
      EXPECT_EQ(imported.games[i].rules_hash, rules.hash());
      // And written anew.
      EXPECT_TRUE(FormatGameText(rules, imported.games[i]).ok());
    }
  }
}

TEST(GameTextTest, WhatItLooksLike) {
  const Rules& rules = RulesOf("xiangqi");
  GameRecord record = Import(rules, "h3e3 h10g8 1/2-1/2").games.at(0);
  record.id = 7;
  record.moves[0].visits = 800;
  record.moves[0].root = {0.5, 0.25, 0.25};
  const std::string text = *FormatGameText(rules, record);
  for (const char* words : {"[Round \"7\"]\n", "[Variant \"xiangqi\"]\n", "[Result \"1/2-1/2\"]\n",
                            "[Termination \"agreed\"]\n", "[FEN \"",
                            "\n\n1. h3e3 {0.500 0.250 0.250, 800 visits} 1... h10g8 1/2-1/2\n\n"}) {
    EXPECT_NE(text.find(words), std::string::npos) << "no " << words << " in\n" << text;
  }
}

TEST(GameTextTest, Json) {
  const Rules& rules = RulesOf("minishogi");
  for (uint64_t id = 1; id <= 5; ++id) {
    GameRecord record = RandomRecord(rules, id, 20);
    const absl::StatusOr<std::string> line = FormatGameJson(rules, record);
    ASSERT_TRUE(line.ok()) << line.status();
    EXPECT_EQ(line->find('\n'), std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(*line, nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    EXPECT_EQ(json["id"], id);
    EXPECT_EQ(json["seed"], record.seed);
    EXPECT_EQ(json["fen"], record.start_fen);
    ASSERT_EQ(json["moves"].size(), record.moves.size());
    for (size_t i = 0; i < record.moves.size(); ++i) {
      EXPECT_EQ(json["moves"][i]["move"], FormatMove(rules, record.moves[i].move));
      EXPECT_EQ(json["moves"][i].contains("policy"), record.moves[i].full);
      if (!record.moves[i].full) continue;
      EXPECT_EQ(json["moves"][i]["policy"].size(), record.moves[i].policy.entries.size());
    }
  }
  GameRecord bad = RandomRecord(rules, 1, 20);
  bad.moves[0].move = Move();
  EXPECT_FALSE(FormatGameJson(rules, bad).ok());
  EXPECT_FALSE(FormatGameText(rules, bad).ok());
}

// Moves, comments, variations and glyphs as other programs write them.
TEST(GameImportTest, PgnOfOthers) {
  const Rules& rules = RulesOf("xiangqi");
  const Imported imported = Import(rules,
                                   "\xEF\xBB\xBF% a line for other programs\r\n"
                                   "[Event \"a \\\"big\\\" one\"]\r\n"
                                   "[Result \"1-0\"]\r\n"
                                   "\r\n"
                                   "1.h3e3!? {a comment with [brackets] ( and 1-0 }\r\n"
                                   "1... h10g8 $14 ; to the end } of the line\r\n"
                                   "(1... b10c8 (1... a10a9 {)}) 2. h1g3) 2. h1g3 1-0\r\n"
                                   "\r\n"
                                   "[Result \"*\"]\r\n"
                                   "1. h3e3+ h10g8 *");
  EXPECT_EQ(imported.report.skipped, 0) << imported.report.messages[0];
  ASSERT_EQ(imported.games.size(), 2U);
  EXPECT_EQ(MoveTexts(rules, imported.games[0]),
            (std::vector<std::string>{"h3e3", "h10g8", "h1g3"}));
  EXPECT_EQ(imported.games[0].result, Result::kWin);
  EXPECT_TRUE(imported.games[0].resigned);
  EXPECT_EQ(MoveTexts(rules, imported.games[1]), (std::vector<std::string>{"h3e3", "h10g8"}));
  EXPECT_TRUE(imported.games[1].truncated);
}

TEST(GameImportTest, MoveLists) {
  const Rules& rules = RulesOf("xiangqi");
  const std::string fen = "4k4/9/9/9/9/9/9/9/3R5/3K5 w 0 1";
  const Imported imported = Import(rules,
                                   "h3e3 h10g8 0-1\n"
                                   "# a comment\n"
                                   "\n"
                                   "position startpos moves h3e3\n"
                                   "fen " +
                                       fen + " moves d2d3 e10e9 1/2-1/2\n");
  EXPECT_EQ(imported.report.skipped, 0) << imported.report.messages[0];
  ASSERT_EQ(imported.games.size(), 3U);
  EXPECT_EQ(imported.games[0].result, Result::kLoss);
  EXPECT_TRUE(imported.games[1].truncated);
  EXPECT_EQ(imported.games[2].start_fen, fen);
  EXPECT_EQ(imported.games[2].result, Result::kDraw);
  EXPECT_FALSE(imported.games[2].resigned);
}

// What the rules say goes before what is stated.
TEST(GameImportTest, TheRulesDecideWhereTheGameIsOver) {
  const Rules& rules = RulesOf("xiangqi");
  const std::string fen = "4k4/R8/1R7/9/9/9/9/9/9/3K5 w 0 1";
  for (const char* stated : {" 0-1", "", " 1-0", " 1/2-1/2"}) {
    const Imported imported = Import(rules, "fen " + fen + " moves b8b10" + stated);
    ASSERT_EQ(imported.games.size(), 1U) << imported.report.messages[0];
    EXPECT_EQ(imported.games[0].result, Result::kWin);
    EXPECT_EQ(imported.games[0].reason, Reason::kCheckmate);
    EXPECT_FALSE(imported.games[0].resigned);
  }
}

struct BadText {
  const char* text;
  std::vector<const char*> words;
};

TEST(GameImportTest, BadGamesAreNamedAndTheOthersRead) {
  const Rules& rules = RulesOf("xiangqi");
  const std::string good = "[Event \"good\"]\n\n1. h3e3 h10g8 *\n\n";
  const BadText cases[] = {
      {"[Event \"bad\"]\n\n1. h3e3\nh10h1 *\n\n", {"game 2", "line 8", "h10h1", "not a legal"}},
      {"[FEN \"nonsense\"]\n\n1. h3e3 *\n\n", {"line 5", "FEN"}},
      {"[Variant \"shogi\"]\n\n1. h3e3 *\n\n", {"'shogi'", "expected 'xiangqi'"}},
      {"[Result \"7\"]\n\n1. h3e3 *\n\n", {"result '7'", "expected 1-0"}},
      {"[Result \"1-0\"]\n\n1. h3e3 0-1\n\n", {"header says 1-0"}},
      {"[Event \"bad]\n\n1. h3e3 *\n\n", {"line 5", "expected a header"}},
      {"[Event \"bad\"]\n\n1. h3e3 {open\n\n", {"line 7", "comment is not closed"}},
      {"[Event \"bad\"]\n\n{open\n\n", {"line 7", "comment is not closed"}},
      {"[Event \"bad\"]\n\n1. h3e3 (open\n\n", {"line 7", "variation is not closed"}},
      {"[Event \"bad\"]\n\n1. h3e3 ) *\n\n", {"line 7", "closes nothing"}},
      {"[Event \"bad\"]\n\n*\n\n", {"line 5", "without moves"}},
      {"[Event \"bad\"]\n\n1. h3e3\n\n[Event \"good\"]\n\n1. h3e3 h10h1 *\n\n", {"game 3"}},
  };
  for (const BadText& bad : cases) {
    SCOPED_TRACE(bad.text);
    const Imported imported = Import(rules, absl::StrCat(good, bad.text, good));
    EXPECT_EQ(imported.report.skipped, 1);
    EXPECT_GE(imported.games.size(), 2U);
    ASSERT_EQ(imported.report.messages.size(), 1U);
    for (const char* word : bad.words) {
      EXPECT_NE(imported.report.messages[0].find(word), std::string::npos)
          << "no " << word << " in " << imported.report.messages[0];
    }
  }
}

TEST(GameImportTest, BadLinesAreNamedAndTheOthersRead) {
  const Rules& rules = RulesOf("xiangqi");
  const Imported imported = Import(rules,
                                   "h3e3\n"
                                   "h3e3 h3e3\n"
                                   "fen nonsense\n"
                                   "fen nonsense moves h3e3\n"
                                   "moves\n"
                                   "startpos moves h3e3 h10g8\n");
  EXPECT_EQ(imported.games.size(), 2U);
  ASSERT_EQ(imported.report.messages.size(), 4U);
  const BadText cases[] = {{"", {"game 2: line 2", "h3e3"}},
                           {"", {"line 3", "expected the word moves"}},
                           {"", {"line 4", "FEN"}},
                           {"", {"line 5", "without moves"}}};
  for (size_t i = 0; i < 4; ++i) {
    for (const char* word : cases[i].words) {
      EXPECT_NE(imported.report.messages[i].find(word), std::string::npos)
          << imported.report.messages[i];
    }
  }
}

TEST(GameImportTest, NothingAndNoise) {
  const Rules& rules = RulesOf("minishogi");
  for (const char* text : {"", "\n \n", "# only this\n", "\xEF\xBB\xBF", "%\n"}) {
    const Imported imported = Import(rules, text);
    EXPECT_TRUE(imported.games.empty());
    EXPECT_TRUE(imported.report.messages.empty()) << imported.report.messages[0];
  }
  testing::Random random(31);
  const std::string pieces[] = {"[",    "]",  "\"",    "{",  "}",    "(",      ")",
                                ";",    "\n", "\n\n[", "1.", "...",  "*",      "1-0",
                                "a1a2", "$",  "%",     "\\", "fen ", "moves ", "\x01"};
  for (int i = 0; i < 3000; ++i) {
    std::string text = random.Percent(50) ? "[" : "";
    for (int words = random.Between(0, 30); words > 0; --words) {
      text += pieces[random.Below(std::size(pieces))];
    }
    (void)Import(rules, text);
  }
}

TEST(GameImportTest, AnErrorOfTheTakerEndsIt) {
  const absl::StatusOr<ImportReport> report =
      ImportGames(RulesOf("xiangqi"), "h3e3\nh3e3\n", {},
                  [](const GameRecord&) { return absl::ResourceExhaustedError("disk full"); });
  ExpectError(report.status(), {"disk full"});
}

}  // namespace
}  // namespace crossriver
