#include "tools/serve/variant_json.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/notation.h"
#include "core/spelling.h"
#include "core/variant_loader.h"
#include "selfplay/run_rows.h"
#include "tools/shipped_networks.h"

namespace crossriver {
namespace {

Json DescribeShortly(const Rules& rules) {
  const VariantDefinition& definition = rules.definition();
  return {{"id", definition.id},
          {"name", definition.name},
          {"family", definition.family},
          {"trained", ShippedNetwork(rules).has_value()}};
}

// Fortresses and the like; halves of the board would tint everything.
bool IsTintedCell(const Rules& rules, Cell cell) {
  const auto& zones = rules.definition().zones;
  return std::any_of(zones.begin(), zones.end(), [&](const auto& zone) {
    const SquareSet cells = zone.second;
    if (4 * cells.size() >= rules.num_cells()) return false;
    return cells.Contains(cell) || rules.ForSide(cells, Side::kSecond).Contains(cell);
  });
}

const char* SideText(Side side) { return side == Side::kFirst ? "first" : "second"; }

}  // namespace

std::shared_ptr<const Rules> VariantLibrary::FindOwn(const std::string& id) const {
  const auto own = own_.has_value() ? own_->FindById(id) : std::nullopt;
  return own.has_value() ? (*own_)[*own] : nullptr;
}

absl::StatusOr<std::shared_ptr<const Rules>> VariantLibrary::Find(const std::string& id) {
  if (auto own = FindOwn(id); own != nullptr) return own;
  const std::vector<std::string>& ids = BuiltinVariantIds();
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
    return absl::NotFoundError(
        absl::StrCat("variant '", Printable(id), "': there is none", Suggestion(id, ids)));
  }
  MutexLock lock(&mutex_);
  std::shared_ptr<const Rules>& rules = loaded_[id];
  if (rules == nullptr) {
    const auto loaded = LoadBuiltin(id);
    if (!loaded.ok()) return loaded.status();
    rules = *loaded;
  }
  return rules;
}

absl::StatusOr<Json> VariantLibrary::List() {
  Json list = Json::array();
  for (size_t i = 0; own_.has_value() && i < own_->size(); ++i) {
    list.push_back(DescribeShortly(*(*own_)[i]));
  }
  for (const std::string& id : BuiltinVariantIds()) {
    if (FindOwn(id) != nullptr) continue;
    const auto rules = Find(id);
    if (!rules.ok()) return rules.status();
    list.push_back(DescribeShortly(**rules));
  }
  return list;
}

Json VariantJson(const Rules& rules) {
  const Topology& topology = rules.topology();
  Json cells = Json::array();
  for (Cell cell = 0; cell < rules.num_cells(); ++cell) {
    const Vec3 at = topology.At(cell);
    cells.push_back({{"name", topology.Name(cell)},
                     {"level", at.level},
                     {"file", at.file},
                     {"rank", at.rank},
                     {"tinted", IsTintedCell(rules, cell)}});
  }
  Json kinds = Json::object();
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    const KindInfo& info = rules.kind(kind);
    kinds[info.letter] = {{"name", info.name}, {"royal", info.royal}};
  }
  Json hand = Json::array();
  for (const Kind kind : rules.hand_kinds()) hand.push_back(rules.kind(kind).letter);
  Json variant = DescribeShortly(rules);
  variant["levels"] = topology.levels();
  variant["files"] = topology.files();
  variant["ranks"] = topology.ranks();
  variant["drops"] = rules.has_drops();
  variant["start_fen"] = FormatFen(StartPosition(rules));
  variant["cells"] = std::move(cells);
  variant["kinds"] = std::move(kinds);
  variant["hand"] = std::move(hand);
  return variant;
}

Json MoveJson(const Rules& rules, Move move) {
  const Topology& topology = rules.topology();
  Json json = {{"text", FormatMove(rules, move)}};
  if (move.is_drop()) {
    json["drop"] = rules.kind(move.drop_kind()).letter;
  } else {
    json["from"] = topology.Name(move.from());
  }
  json["to"] = topology.Name(move.to());
  json["promotes"] = move.promotes();
  return json;
}

Json PositionJson(const PlayedGame& game) {
  const Rules& rules = game.rules();
  Json moves = Json::array();
  if (!game.is_over()) {
    for (const Move move : game.legal()) moves.push_back(MoveJson(rules, move));
  }
  Json winner = nullptr;
  if (game.is_over()) {
    winner = std::string(ResultText(ForFirst(game.outcome().result, game.mover())));
  }
  return {{"fen", FormatFen(game.position())},
          {"ply", game.plies()},
          {"side", SideText(game.mover())},
          {"in_check", game.in_check()},
          {"royal", rules.topology().Name(game.position().royal(game.mover()))},
          {"winner", std::move(winner)},
          {"reason", std::string(ToString(game.outcome().reason))},
          {"moves", std::move(moves)}};
}

absl::StatusOr<PlayedGame> ReadPlayedGame(const Rules& rules, const std::string& fen,
                                          const std::vector<std::string>& moves) {
  const absl::StatusOr<Position> start =
      fen.empty() ? absl::StatusOr<Position>(StartPosition(rules)) : ParseFen(rules, fen);
  if (!start.ok()) return start.status();
  PlayedGame game(*start);
  for (const std::string& text : moves) {
    if (game.is_over()) {
      return absl::InvalidArgumentError(
          absl::StrCat("move '", Printable(text), "': the game is over before it"));
    }
    const absl::StatusOr<Move> move = ParseMove(game.position(), text);
    if (!move.ok()) return move.status();
    game.Play(*move);
  }
  return game;
}

}  // namespace crossriver
