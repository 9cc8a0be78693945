// The API without a socket: every variant's board and moves, the run's games, wrong questions.
#include "tools/serve/api.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/notation.h"
#include "core/variant_loader.h"
#include "tests/scratch_folder.h"
#include "tests/test_data.h"
#include "tests/tools/serve/serve_helpers.h"
#include "tools/serve/request_guard.h"

namespace crossriver {
namespace {

using ::crossriver::testing::SmallRun;

// An API with or without a run.
class Site {
 public:
  explicit Site(const std::string& run) {
    if (!run.empty()) {
      run_ = *RunView::Open(run);
      openings_ = std::make_unique<OpeningView>(run_.get());
    }
    variants_ = std::make_unique<VariantLibrary>(run_ == nullptr ? std::nullopt
                                                                 : std::optional(run_->variants()));
    opponents_ = std::make_unique<Opponents>(run_.get(), "cpu", OpponentLimits());
    api_ = std::make_unique<Api>(run_.get(), openings_.get(), opponents_.get(), variants_.get(),
                                 /*networks=*/false);
  }

  absl::StatusOr<Json> Get(const std::string& path,
                           std::map<std::string, std::string> parameters = {}) const {
    return api_->Answer({false, path, std::move(parameters), ""});
  }
  absl::StatusOr<Json> Post(const std::string& path, const Json& body) const {
    return api_->Answer({true, path, {}, body.dump()});
  }
  absl::StatusOr<Json> PostText(const std::string& path, const std::string& body) const {
    return api_->Answer({true, path, {}, body});
  }

 private:
  std::unique_ptr<RunView> run_;
  std::unique_ptr<OpeningView> openings_;
  std::unique_ptr<VariantLibrary> variants_;
  std::unique_ptr<Opponents> opponents_;
  std::unique_ptr<Api> api_;
};

class VariantApiTest : public ::testing::TestWithParam<std::string> {};

TEST_P(VariantApiTest, BoardAndMovesFollowFromTheDefinition) {
  const Site site("");
  const Rules& rules = testing::RulesOf(GetParam());
  const absl::StatusOr<Json> variant = site.Get("/api/variants/" + GetParam());
  ASSERT_TRUE(variant.ok()) << variant.status();
  std::set<std::string> names;
  for (const Json& cell : (*variant)["cells"]) names.insert(cell["name"].get<std::string>());
  EXPECT_EQ(static_cast<int>(names.size()), rules.num_cells());
  EXPECT_EQ((*variant)["levels"].get<int>() * (*variant)["files"].get<int>() *
                (*variant)["ranks"].get<int>(),
            rules.num_cells());
  EXPECT_EQ(static_cast<int>((*variant)["kinds"].size()), rules.num_kinds());
  EXPECT_EQ((*variant)["hand"].size(), rules.hand_kinds().size());

  const absl::StatusOr<Json> position = site.Post("/api/position", {{"variant", GetParam()}});
  ASSERT_TRUE(position.ok()) << position.status();
  EXPECT_EQ((*position)["fen"], (*variant)["start_fen"]);
  EXPECT_EQ((*position)["side"], "first");
  std::set<std::string> texts;
  for (const Json& move : (*position)["moves"]) {
    texts.insert(move["text"].get<std::string>());
    EXPECT_TRUE(names.count(move["to"].get<std::string>()) != 0) << move;
    EXPECT_TRUE(names.count(move["from"].get<std::string>()) != 0) << move;
  }
  const std::vector<std::string> legal = testing::LegalMoveTexts(StartPosition(rules));
  EXPECT_EQ(texts, std::set<std::string>(legal.begin(), legal.end()));
}

TEST_P(VariantApiTest, AGameAgainstEachKindWithoutANetwork) {
  const Site site("");
  Json moves = Json::array();
  for (const auto& [kind, strength] :
       {std::pair("random", 0), std::pair("alphabeta", 200), std::pair("mcts", 4)}) {
    const absl::StatusOr<Json> reply =
        site.Post("/api/reply", {{"variant", GetParam()},
                                 {"moves", moves},
                                 {"seed", 7},
                                 {"opponent", {{"kind", kind}, {"strength", strength}}}});
    ASSERT_TRUE(reply.ok()) << kind << ": " << reply.status();
    moves.push_back((*reply)["move"]["text"]);
    EXPECT_EQ((*reply)["position"]["ply"], moves.size());
    const absl::StatusOr<Json> position =
        site.Post("/api/position", {{"variant", GetParam()}, {"moves", moves}});
    ASSERT_TRUE(position.ok()) << position.status();
    EXPECT_EQ(*position, (*reply)["position"]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, VariantApiTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

TEST(ApiTest, DropsAndPromotionsAreSaid) {
  const Site site("");
  const absl::StatusOr<Json> position =
      site.Post("/api/position", {{"variant", "minishogi"}, {"fen", "4k/P4/5/5/K4[G] w 0 1"}});
  ASSERT_TRUE(position.ok()) << position.status();
  int drops = 0;
  int promotions = 0;
  for (const Json& move : (*position)["moves"]) {
    drops += move.contains("drop") && move["drop"] == "G" ? 1 : 0;
    promotions += move["promotes"].get<bool>() ? 1 : 0;
  }
  EXPECT_GT(drops, 10);
  EXPECT_EQ(promotions, 1);
}

TEST(ApiTest, TheRunIsShown) {
  const SmallRun run;
  const Site site(run.path());
  const absl::StatusOr<Json> overview = site.Get("/api/overview");
  ASSERT_TRUE(overview.ok()) << overview.status();
  EXPECT_EQ((*overview)["run"]["games"], SmallRun::kGames);
  EXPECT_EQ((*overview)["run"]["variant"], "minishogi");
  EXPECT_EQ((*overview)["run"]["checkpoints"].size(), 1u);
  const absl::StatusOr<Json> curves = site.Get("/api/curves", {{"names", "loss/total,none"}});
  ASSERT_TRUE(curves.ok()) << curves.status();
  EXPECT_EQ((*curves)["loss/total"], Json::parse("[[1, 4.5], [2, 4.25]]"));
  EXPECT_TRUE((*curves)["none"].empty());
  const absl::StatusOr<Json> games = site.Get("/api/games", {{"count", "5"}});
  ASSERT_TRUE(games.ok()) << games.status();
  ASSERT_EQ(games->size(), 5u);
  EXPECT_EQ((*games)[0]["id"], "20");
}

TEST(ApiTest, EveryGameCanBeSteppedThrough) {
  const SmallRun run;
  const Site site(run.path());
  for (int id = 1; id <= SmallRun::kGames; ++id) {
    const absl::StatusOr<Json> game = site.Get("/api/games/" + std::to_string(id));
    ASSERT_TRUE(game.ok()) << game.status();
    ASSERT_EQ((*game)["fens"].size(), (*game)["moves"].size() + 1);
    Json moves = Json::array();
    for (const Json& move : (*game)["moves"]) moves.push_back(move["text"]);
    const absl::StatusOr<Json> last = site.Post(
        "/api/position", {{"variant", "minishogi"}, {"fen", (*game)["fens"][0]}, {"moves", moves}});
    ASSERT_TRUE(last.ok()) << last.status();
    EXPECT_EQ((*last)["fen"], (*game)["fens"].back());
  }
}

TEST(ApiTest, OpeningsEqualARecount) {
  const SmallRun run;
  const Site site(run.path());
  std::map<std::string, int> first_moves;
  for (int id = 1; id <= SmallRun::kGames; ++id) {
    const absl::StatusOr<Json> game = site.Get("/api/games/" + std::to_string(id));
    ASSERT_TRUE(game.ok()) << game.status();
    ++first_moves[(*game)["moves"][0]["text"].get<std::string>()];
  }
  const absl::StatusOr<Json> openings = site.Post("/api/openings", {{"variant", "minishogi"}});
  ASSERT_TRUE(openings.ok()) << openings.status();
  EXPECT_EQ((*openings)["games"], SmallRun::kGames);
  std::map<std::string, int> counted;
  for (const Json& move : (*openings)["played"]) {
    counted[move["text"].get<std::string>()] = move["games"].get<int>();
  }
  EXPECT_EQ(counted, first_moves);
}

TEST(ApiTest, WrongQuestionsSayWhatWasExpected) {
  const SmallRun run;
  const Site site(run.path());
  const Json reply = {{"variant", "minishogi"}};
  const auto against = [&reply](Json opponent) {
    Json body = reply;
    body["opponent"] = std::move(opponent);
    return body.dump();
  };
  struct Case {
    std::string path;
    std::string body;
    const char* word;
  };
  setenv("CROSSRIVER_NETS", "none", 1);
  const std::vector<Case> cases = {
      {"/api/position", "", "JSON object"},
      {"/api/position", "[]", "JSON object"},
      {"/api/position", "{", "JSON object"},
      {"/api/position", std::string(100'000, '['), "JSON object"},
      {"/api/position", "{\"a\":" + std::string(50, '[') + std::string(50, ']') + "}", "JSON"},
      {"/api/position", "{}", "variant"},
      {"/api/position", R"({"variant": 3})", "expected a text"},
      {"/api/position", R"({"variant": "minishog"})", "did you mean 'minishogi'"},
      {"/api/position", R"({"variant": "../../etc/passwd"})", "there is none"},
      {"/api/position", R"({"variant": "minishogi", "fen": "x"})", "FEN"},
      {"/api/position", R"({"variant": "minishogi", "moves": "a1a2"})", "expected a list"},
      {"/api/position", R"({"variant": "minishogi", "moves": [1]})", "expected texts"},
      {"/api/position", R"({"variant": "minishogi", "moves": ["a9a9"]})", "move"},
      {"/api/nothing", "{}", "nothing of this name"},
      {"/api/openings", R"({"variant": "shogi"})", "those of minishogi"},
      {"/api/reply", reply.dump(), "opponent"},
      {"/api/reply", against({{"kind", "uci"}}), "kind 'uci'"},
      {"/api/reply", against({{"kind", "uci:touch /tmp/x"}}), "kind"},
      {"/api/reply", against({{"kind", "alphabeta"}}), "expected 1 to"},
      {"/api/reply", against({{"kind", "alphabeta"}, {"strength", 1e18}}), "whole number"},
      {"/api/reply", against({{"kind", "mcts"}, {"strength", 1'000'000'000}}), "expected 1 to"},
      {"/api/reply", against({{"kind", "net"}, {"checkpoint", 7}, {"strength", 1}}),
       "checkpoint 7"},
      {"/api/reply", against({{"kind", "shipped"}, {"strength", 1}}), "no network comes with"},
  };
  for (const Case& one : cases) {
    const absl::StatusOr<Json> answer = site.PostText(one.path, one.body);
    ASSERT_FALSE(answer.ok()) << one.path << one.body.substr(0, 80);
    EXPECT_NE(answer.status().message().find(one.word), absl::string_view::npos) << answer.status();
    EXPECT_GE(HttpStatus(answer.status()), 400);
  }
  for (const char* path :
       {"/api/", "/api/games/x", "/api/games/-1", "/api/games/99999999999999999999",
        "/api/games/21", "/api/variants/", "/api/variants/x", "/api/games/"}) {
    EXPECT_FALSE(site.Get(path).ok()) << path;
  }
  for (const char* count : {"0", "-1", "x", "1001", "99999999999"}) {
    EXPECT_FALSE(site.Get("/api/games", {{"count", count}}).ok()) << count;
  }
}

TEST(ApiTest, SaysWhereANetworkComesWithTheProgram) {
  const testing::ScratchFolder folder;
  setenv("CROSSRIVER_NETS", folder.path().c_str(), 1);
  testing::WriteBytes(folder.File("shoxiang-xq.safetensors"), "");
  const Site site("");
  const absl::StatusOr<Json> overview = site.Get("/api/overview");
  ASSERT_TRUE(overview.ok());
  for (const Json& variant : (*overview)["variants"]) {
    EXPECT_EQ(variant["trained"], variant["family"] == "shoxiang-xq") << variant;
  }
  unsetenv("CROSSRIVER_NETS");
}

TEST(ApiTest, WithoutARun) {
  const Site site("");
  const absl::StatusOr<Json> overview = site.Get("/api/overview");
  ASSERT_TRUE(overview.ok());
  EXPECT_TRUE((*overview)["run"].is_null());
  EXPECT_EQ((*overview)["variants"].size(), BuiltinVariantIds().size());
  EXPECT_EQ(HttpStatus(site.Get("/api/games").status()), 404);
  EXPECT_EQ(HttpStatus(site.Post("/api/openings", {{"variant", "shogi"}}).status()), 404);
}

TEST(RequestGuardTest, OnlyItsOwnPageMayAsk) {
  const RequestGuard guard(8108, {"mymachine.lan"});
  const std::vector<RequestSource> good = {
      {"localhost:8108", "", ""},
      {"LOCALHOST:8108", "", "none"},
      {"127.0.0.1:8108", "http://127.0.0.1:8108", "same-origin"},
      {"[::1]:8108", "http://[::1]:8108", ""},
      {"mymachine.lan:8108", "http://mymachine.lan:8108", ""},
  };
  for (const RequestSource& source : good) {
    EXPECT_TRUE(guard.Check(source).ok()) << source.host << " " << source.origin;
  }
  const std::vector<RequestSource> bad = {
      {"", "", ""},
      {"localhost", "", ""},
      {"localhost:8109", "", ""},
      {"evil.example:8108", "", ""},
      {"evil.example:8108", "http://evil.example:8108", "same-origin"},
      {"localhost:8108.evil.example", "", ""},
      {"localhost:8108", "http://evil.example", ""},
      {"localhost:8108", "null", ""},
      {"localhost:8108", "https://localhost:8108", ""},
      {"localhost:8108", "http://localhost:8109", ""},
      {"localhost:8108", "", "cross-site"},
      {"localhost:8108", "", "same-site"},
  };
  for (const RequestSource& source : bad) {
    EXPECT_FALSE(guard.Check(source).ok()) << source.host << " " << source.origin;
  }
  EXPECT_TRUE(RequestGuard(80, {}).Check({"localhost", "", ""}).ok());
}

}  // namespace
}  // namespace crossriver
