// Suites as text: what is read, and what is said of mistakes.
#include "selfplay/suites/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/notation.h"
#include "core/variant_loader.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kMate[] =
    R"({"variant":"xiangqi","fen":"3k5/9/9/9/9/9/8p/9/R8/4K4 w 0 1","kind":"mate","plies":1,"best":["a2d2"]})";
constexpr char kCapture[] =
    R"({"variant":"xiangqi","fen":"3k5/9/9/9/r8/9/9/9/R8/5K3 w 0 1","kind":"capture","gain":5.5,"best":["a2a6"]})";

absl::StatusOr<Suite> Read(const std::string& text) {
  return ReadSuite({"my.jsonl", text}, [](const std::string& id) { return LoadBuiltin(id); });
}

TEST(SuiteTest, IsReadAndWritten) {
  const std::string text = std::string(kMate) + "\n\n  " + kCapture + "  \r\n";
  const absl::StatusOr<Suite> suite = Read(text);
  ASSERT_TRUE(suite.ok()) << suite.status();
  EXPECT_EQ(suite->name, "my.jsonl");
  EXPECT_EQ(suite->rules->definition().id, "xiangqi");
  ASSERT_EQ(suite->positions.size(), 2u);
  const SuitePosition& mate = suite->positions[0];
  EXPECT_EQ(mate.kind, SuiteKind::kMate);
  EXPECT_EQ(mate.plies, 1);
  EXPECT_EQ(mate.line, 1);
  ASSERT_EQ(mate.best.size(), 1u);
  EXPECT_EQ(FormatMove(*suite->rules, mate.best[0]), "a2d2");
  const SuitePosition& capture = suite->positions[1];
  EXPECT_EQ(capture.kind, SuiteKind::kCapture);
  EXPECT_EQ(capture.gain, 5.5);
  EXPECT_EQ(capture.line, 3);
  EXPECT_EQ(FormatSuiteLine(mate, "xiangqi"), std::string(kMate) + "\n");
  EXPECT_EQ(FormatSuiteLine(capture, "xiangqi"), std::string(kCapture) + "\n");
}

struct Mistake {
  const char* find;     // in kMate
  const char* replace;  // by this
  const char* message;  // after "my.jsonl:2: "
};

constexpr Mistake kMistakes[] = {
    {"{", "[", "expected a JSON object"},
    {"}", "", "expected a JSON object"},
    {kMate, "7", "expected a JSON object"},
    {kMate, "\xff\xfe{", "expected a JSON object"},
    {R"("variant":"xiangqi",)", "", "field 'variant': missing, expected text"},
    {R"("variant":"xiangqi")", R"("variant":3)", "field 'variant': expected text in quotes"},
    {R"("variant":"xiangqi")", R"("variant":"shogi")",
     "field 'variant': 'shogi', expected 'xiangqi' as in the first line"},
    {R"("kind")", R"("knd")", "field 'knd': unknown; did you mean 'kind'?"},
    {R"("kind":"mate",)", "", "field 'kind': missing"},
    {R"("mate")", R"("mates")", "field 'kind': 'mates'; did you mean 'mate'?"},
    {"3k5/9", "3k5/8", "field 'fen': FEN field 'board'"},
    {"w 0 1", "w 0", "field 'fen': FEN field 'all'"},
    {R"("plies":1)", R"("plies":2)", "field 'plies': expected an odd number from 1 to 99"},
    {R"("plies":1)", R"("plies":-1)", "field 'plies': expected an odd number"},
    {R"("plies":1)", R"("plies":1e30)", "field 'plies': expected an odd number"},
    {R"("plies":1)", R"("plies":4294967297)", "field 'plies': expected an odd number"},
    {R"("plies":1)", R"("plies":"1")", "field 'plies': expected an odd number"},
    {R"("plies":1,)", "", "field 'plies': expected an odd number"},
    {R"("plies":1)", R"("gain":1)", "field 'gain': not of a mate, expected 'plies'"},
    {R"("mate","plies":1)", R"("capture","gain":0)", "field 'gain': expected a number"},
    {R"("mate","plies":1)", R"("capture","gain":1e300)", "field 'gain': expected a number"},
    {R"(["a2d2"])", R"([])", "field 'best': expected a list of moves"},
    {R"(["a2d2"])", R"("a2d2")", "field 'best': expected a list of moves"},
    {R"(["a2d2"])", R"([1])", "field 'best': expected moves in quotes"},
    {R"(["a2d2"])", R"(["a2d3"])", "field 'best': move 'a2d3': not a legal move"},
    {R"(["a2d2"])", R"(["a2d2","a2d2"])", "field 'best': 'a2d2' stands twice"},
};

TEST(SuiteTest, MistakesAreNamedByFileLineAndField) {
  for (const Mistake& mistake : kMistakes) {
    std::string line = kMate;
    const size_t at = line.find(mistake.find);
    ASSERT_NE(at, std::string::npos) << mistake.find;
    line.replace(at, std::string(mistake.find).size(), mistake.replace);
    const absl::StatusOr<Suite> suite = Read(std::string(kMate) + "\n" + line + "\n");
    ASSERT_FALSE(suite.ok()) << line;
    EXPECT_THAT(std::string(suite.status().message()),
                StartsWith(std::string("my.jsonl:2: ") + mistake.message))
        << line;
  }
}

TEST(SuiteTest, UnknownVariantsAndEmptyFilesAreErrors) {
  std::string line = kMate;
  line.replace(line.find("xiangqi"), 7, "xianqi");
  EXPECT_THAT(std::string(Read(line).status().message()),
              HasSubstr("my.jsonl:1: field 'variant': unknown variant 'xianqi'; did you mean "
                        "'xiangqi'?"));
  EXPECT_THAT(std::string(Read("").status().message()), HasSubstr("my.jsonl: no positions"));
  EXPECT_FALSE(Read("\n \n").ok());
}

// Whatever is cut off or changed, there is an answer.
TEST(SuiteTest, DamagedTextIsNoTrouble) {
  const std::string text = std::string(kMate) + "\n" + kCapture;
  for (size_t i = 0; i < text.size(); i += 3) {
    (void)Read(text.substr(0, i));
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    (void)Read(changed);
  }
  const std::string deep(100'000, '[');
  EXPECT_FALSE(Read(deep).ok());
}

}  // namespace
}  // namespace crossriver
