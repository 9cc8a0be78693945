#include "tools/serve/api.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

constexpr int kDefaultGames = 100;
// Deeper JSON is none of ours, and the parser would follow it down the stack.
constexpr int kMostDepth = 8;

absl::Status NoRun() {
  return absl::NotFoundError("no run is being shown: crossriver serve RUN shows one");
}

absl::StatusOr<Json> ReadBody(const std::string& body) {
  bool too_deep = false;
  const Json json = Json::parse(
      body,
      [&too_deep](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kMostDepth;
        return !too_deep;
      },
      /*allow_exceptions=*/false);
  if (!json.is_object() || too_deep) {
    return absl::InvalidArgumentError("body: expected a JSON object");
  }
  return json;
}

// A member that is a text; empty where it is missing.
absl::StatusOr<std::string> TextOf(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return std::string();
  if (!found->is_string()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": expected a text"));
  }
  return found->get<std::string>();
}

// A member that is a whole number; 0 where it is missing.
absl::StatusOr<int64_t> NumberOf(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return 0;
  if (!found->is_number_integer()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": expected a whole number"));
  }
  return found->get<int64_t>();
}

absl::StatusOr<std::vector<std::string>> MovesOf(const Json& body) {
  std::vector<std::string> moves;
  const auto found = body.find("moves");
  if (found == body.end()) return moves;
  if (!found->is_array() || found->size() > kMostGameMoves) {
    return absl::InvalidArgumentError(
        absl::StrCat("moves: expected a list of at most ", kMostGameMoves));
  }
  for (const Json& move : *found) {
    if (!move.is_string()) return absl::InvalidArgumentError("moves: expected texts");
    moves.push_back(move.get<std::string>());
  }
  return moves;
}

absl::StatusOr<OpponentChoice> OpponentOf(const Json& body) {
  const auto found = body.find("opponent");
  if (found == body.end() || !found->is_object()) {
    return absl::InvalidArgumentError("opponent: expected an object");
  }
  const absl::StatusOr<std::string> kind = TextOf(*found, "kind");
  const absl::StatusOr<int64_t> checkpoint = NumberOf(*found, "checkpoint");
  const absl::StatusOr<int64_t> strength = NumberOf(*found, "strength");
  for (const absl::Status& status : {kind.status(), checkpoint.status(), strength.status()}) {
    if (!status.ok()) return status;
  }
  return OpponentChoice{*kind, *checkpoint, *strength};
}

Json CountsJson(const OpeningCounts& counts) {
  return {{"games", counts.games},
          {"first_wins", counts.first_wins},
          {"draws", counts.draws},
          {"second_wins", counts.second_wins}};
}

template <typename Value>
Json OrNull(const std::optional<Value>& value) {
  return value.has_value() ? Json(*value) : Json(nullptr);
}

}  // namespace

int HttpStatus(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return 200;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
      return 400;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kFailedPrecondition:
      return 409;
    case absl::StatusCode::kUnimplemented:
      return 501;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kResourceExhausted:
      return 503;
    default:
      return 500;
  }
}

absl::StatusOr<Json> Api::Overview() const {
  absl::StatusOr<Json> variants = variants_.List();
  if (!variants.ok()) return variants.status();
  Json run = nullptr;
  if (run_ != nullptr) {
    absl::StatusOr<Json> overview = run_->Overview();
    if (!overview.ok()) return overview.status();
    run = *std::move(overview);
  }
  return Json{{"networks", networks_}, {"variants", *std::move(variants)}, {"run", std::move(run)}};
}

absl::StatusOr<Json> Api::Get(const ApiRequest& request) const {
  absl::string_view path = request.path;
  const auto parameter = [&request](const char* name) {
    const auto found = request.parameters.find(name);
    return found == request.parameters.end() ? std::string() : found->second;
  };
  if (path == "/api/overview") return Overview();
  if (absl::ConsumePrefix(&path, "/api/variants/")) {
    const auto rules = variants_.Find(std::string(path));
    if (!rules.ok()) return rules.status();
    return VariantJson(**rules);
  }
  if (run_ == nullptr) return NoRun();
  if (path == "/api/curves") {
    return run_->Curves(absl::StrSplit(parameter("names"), ',', absl::SkipEmpty()));
  }
  if (path == "/api/games") {
    int count = kDefaultGames;
    const std::string text = parameter("count");
    if (!text.empty() &&
        (!absl::SimpleAtoi(text, &count) || count < 1 || count > kMostListedGames)) {
      return absl::InvalidArgumentError(absl::StrCat("count: expected 1 to ", kMostListedGames));
    }
    return run_->ListGames(count);
  }
  if (absl::ConsumePrefix(&path, "/api/games/")) {
    uint64_t id = 0;
    if (!absl::SimpleAtoi(path, &id)) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", Printable(path), "': expected the number of a game"));
    }
    return run_->Game(id);
  }
  return absl::NotFoundError("there is nothing of this name");
}

absl::StatusOr<Json> Api::Openings(const PlayedGame& game) const {
  if (run_ == nullptr || openings_ == nullptr) return NoRun();
  if (game.rules().hash() != run_->rules()->hash()) {
    return absl::InvalidArgumentError(
        absl::StrCat("variant: the run's openings are those of ", run_->rules()->definition().id));
  }
  const absl::StatusOr<ExploredPosition> explored = openings_->At(game.position());
  if (!explored.ok()) return explored.status();
  Json moves = Json::array();
  for (const OpeningMove& move : explored->position.moves) {
    Json json = MoveJson(game.rules(), move.move);
    json.update(CountsJson(move.counts));
    json["score"] = OrNull(move.score.score);
    json["low"] = move.score.low;
    json["high"] = move.score.high;
    json["value"] = OrNull(move.score.value);
    json["visits"] = move.score.visits;
    json["first"] = OrNull(move.first_popular);
    json["last"] = OrNull(move.last_popular);
    moves.push_back(std::move(json));
  }
  Json answer = CountsJson(explored->position.counts);
  answer["note"] = explored->note;
  answer["played"] = std::move(moves);
  answer["position"] = PositionJson(game);
  return answer;
}

absl::StatusOr<Json> Api::Reply(const Json& body, const std::shared_ptr<const Rules>& rules,
                                PlayedGame game) const {
  if (game.is_over()) return absl::InvalidArgumentError("moves: the game is over after them");
  const absl::StatusOr<OpponentChoice> who = OpponentOf(body);
  if (!who.ok()) return who.status();
  const absl::StatusOr<int64_t> seed = NumberOf(body, "seed");
  if (!seed.ok()) return seed.status();
  const absl::StatusOr<Choice> choice =
      opponents_.Ask(rules, game, *who, static_cast<uint64_t>(*seed));
  if (!choice.ok()) return choice.status();
  Json answer = {{"move", MoveJson(*rules, choice->move)}, {"visits", choice->visits}};
  answer["wdl"] = nullptr;
  if (choice->wdl.has_value()) {
    answer["wdl"] = {choice->wdl->win, choice->wdl->draw, choice->wdl->loss};
  }
  game.Play(choice->move);
  answer["position"] = PositionJson(game);
  return answer;
}

absl::StatusOr<Json> Api::Answer(const ApiRequest& request) const {
  if (!request.is_post) return Get(request);
  const bool is_reply = request.path == "/api/reply";
  const bool is_openings = request.path == "/api/openings";
  if (!is_reply && !is_openings && request.path != "/api/position") {
    return absl::NotFoundError("there is nothing of this name");
  }
  const absl::StatusOr<Json> body = ReadBody(request.body);
  if (!body.ok()) return body.status();
  const absl::StatusOr<std::string> variant = TextOf(*body, "variant");
  const absl::StatusOr<std::string> fen = TextOf(*body, "fen");
  const absl::StatusOr<std::vector<std::string>> moves = MovesOf(*body);
  for (const absl::Status& status : {variant.status(), fen.status(), moves.status()}) {
    if (!status.ok()) return status;
  }
  const auto rules = variants_.Find(*variant);
  if (!rules.ok()) return rules.status();
  absl::StatusOr<PlayedGame> game = ReadPlayedGame(**rules, *fen, *moves);
  if (!game.ok()) return game.status();
  if (is_openings) return Openings(*game);
  if (is_reply) return Reply(*body, *rules, *std::move(game));
  return PositionJson(*game);
}

}  // namespace crossriver
