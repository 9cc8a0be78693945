#include "core/variant_reader.h"

#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/piece_reader.h"
#include "core/toml_reader.h"
#include "core/variant_merge.h"

namespace crossriver {
namespace {

constexpr size_t kMaxZones = 32;
constexpr size_t kMaxPieces = kMaxKinds;
constexpr size_t kMaxToggles = 32;

// Parses "1-3", "b,d-f,h": comma-separated items or spans. `item` maps a word to a number or -1.
template <typename ParseItem>
std::optional<std::vector<int>> ParseSpans(const std::string& text, ParseItem item) {
  std::vector<int> items;
  for (const absl::string_view span : absl::StrSplit(text, ',')) {
    const std::vector<absl::string_view> ends = absl::StrSplit(span, '-');
    const int first = item(ends.front());
    const int last = item(ends.back());
    if (ends.size() > 2 || first < 0 || last < first) return std::nullopt;
    for (int i = first; i <= last; ++i) items.push_back(i);
  }
  return items;
}

SquareSet ReadRectangle(TableReader* reader, const Topology& topology) {
  const auto rank_index = [&topology](absl::string_view word) {
    int rank = 0;
    return absl::SimpleAtoi(word, &rank) && rank >= 1 && rank <= topology.ranks() ? rank - 1 : -1;
  };
  const auto file_index = [&topology](absl::string_view word) {
    const int file = word.size() == 1 ? word[0] - 'a' : -1;
    return file < topology.columns() ? file : -1;
  };
  const std::string last_file(1, static_cast<char>('a' + topology.columns() - 1));
  const std::string files = reader->String("files").value_or("a-" + last_file);
  const std::string ranks = reader->String("ranks").value_or(absl::StrCat("1-", topology.ranks()));
  const std::optional<std::vector<int>> columns = ParseSpans(files, file_index);
  const std::optional<std::vector<int>> rank_list = ParseSpans(ranks, rank_index);
  SquareSet cells;
  if (!columns.has_value()) {
    reader->Error("files", absl::StrCat("'", files, "', expected spans of a to ", last_file,
                                        ", as in b,d-f"));
  } else if (!rank_list.has_value()) {
    reader->Error("ranks", absl::StrCat("'", ranks, "', expected spans of 1 to ", topology.ranks(),
                                        ", as in 1-3"));
  } else {
    for (const int column : *columns) {
      for (const int rank : *rank_list) cells.Add(topology.CellOf(column, rank));
    }
  }
  reader->Finish();
  return cells;
}

void ReadZones(TableReader* zones, VariantDefinition* definition) {
  if (zones->table().size() > kMaxZones) {
    zones->Error("", absl::StrCat("more than ", kMaxZones, " zones"));
    return;
  }
  for (const auto& [key, node] : zones->table()) {
    const std::string name(key.str());
    if (!zones->IsName(name)) continue;
    if (name == "all") zones->Error("all", "names the whole board and can't be redefined");
    if (node.is_table()) {
      TableReader rectangle = *zones->Table(name.c_str());
      definition->zones[name] = ReadRectangle(&rectangle, definition->topology);
    } else if (const toml::array* array = zones->Array(name.c_str())) {
      SquareSet cells;
      for (const toml::node& element : *array) {
        if (const toml::table* table = element.as_table()) {
          TableReader rectangle(*table, zones->FieldName(name), zones->diagnostics());
          cells |= ReadRectangle(&rectangle, definition->topology);
        } else {
          zones->Error(name.c_str(), "expected tables with files and ranks");
        }
      }
      definition->zones[name] = cells;
    }
  }
}

void ReadToggles(TableReader* toggles, VariantDefinition* definition) {
  if (toggles->table().size() > kMaxToggles) {
    toggles->Error("", absl::StrCat("more than ", kMaxToggles, " toggles"));
    return;
  }
  for (const auto& [key, node] : toggles->table()) {
    const std::string name(key.str());
    if (!toggles->IsName(name)) continue;
    definition->toggles[name] = toggles->Bool(name.c_str()).value_or(false);
  }
}

void ReadProgress(TableReader* reader, GameRules* rules) {
  const std::vector<std::string> events = {"capture", "drop", "promotion"};
  if (reader->table().get("progress") == nullptr) return;
  bool counts[3] = {};
  for (const std::string& word : reader->Strings("progress")) {
    bool found = false;
    for (size_t i = 0; i < events.size(); ++i) {
      if (word == events[i]) counts[i] = found = true;
    }
    if (!found) {
      reader->Error("progress",
                    absl::StrCat("unknown event '", word, "'", Suggestion(word, events)));
    }
  }
  rules->capture_is_progress = counts[0];
  rules->drop_is_progress = counts[1];
  rules->promotion_is_progress = counts[2];
}

void ReadRules(TableReader* reader, VariantDefinition* definition) {
  GameRules& rules = definition->rules;
  rules.facing_ban = reader->Bool("facing_ban").value_or(rules.facing_ban);
  rules.stalemate = reader
                        ->Choice<StalemateRule>("stalemate", {{"draw", StalemateRule::kDraw},
                                                              {"loss", StalemateRule::kLoss},
                                                              {"win", StalemateRule::kWin}})
                        .value_or(rules.stalemate);
  rules.repetitions = reader->Int("repetitions", 0, 100).value_or(rules.repetitions);
  if (rules.repetitions == 1) reader->Error("repetitions", "1 ends every game; expected 0 or >= 2");
  rules.repetition =
      reader
          ->Choice<RepetitionRule>("repetition",
                                   {{"draw", RepetitionRule::kDraw},
                                    {"first_player_loses", RepetitionRule::kFirstPlayerLoses},
                                    {"second_player_loses", RepetitionRule::kSecondPlayerLoses}})
          .value_or(rules.repetition);
  rules.perpetual_check =
      reader
          ->Choice<PerpetualCheckRule>("perpetual_check", {{"none", PerpetualCheckRule::kNone},
                                                           {"loss", PerpetualCheckRule::kLoss}})
          .value_or(rules.perpetual_check);
  rules.no_progress_plies =
      reader->Int("no_progress_plies", 0, 10000).value_or(rules.no_progress_plies);
  ReadProgress(reader, &rules);
  rules.dead_drops = reader->Bool("dead_drops").value_or(rules.dead_drops);
  const std::string pending_zone = reader->String("pending_zone").value_or("none");
  if (pending_zone != "none") {
    rules.pending_zone = ZoneNamed(reader, "pending_zone", pending_zone, *definition);
  }
  reader->Finish();
}

// Returns false where there is no board to go on with.
bool ReadBoard(TableReader* document, VariantDefinition* definition) {
  document->MissingKey("board", "a table with levels and ranks");
  std::optional<TableReader> board = document->Table("board");
  if (!board.has_value()) return false;
  const std::vector<std::string> levels = board->Strings("levels");
  board->MissingKey("levels", "the files of each level, such as [\"abcdefghi\"]");
  const std::optional<int> ranks = board->Int("ranks", 1, kMaxCells);
  board->MissingKey("ranks", "the number of ranks");
  board->Finish();
  if (levels.empty() || !ranks.has_value()) return false;
  absl::StatusOr<Topology> topology = Topology::Create(levels, *ranks);
  if (!topology.ok()) {
    board->Error("levels", std::string(topology.status().message()));
    return false;
  }
  definition->topology = *std::move(topology);
  return true;
}

void ReadReference(TableReader* reader, Reference* reference) {
  reference->uci_variant = reader->String("uci_variant").value_or("");
  if (const toml::array* counts = reader->Array("perft")) {
    for (const toml::node& element : *counts) {
      const auto* count = element.as_integer();
      if (count == nullptr || count->get() < 0) {
        reader->Error("perft", "expected counts of positions");
        break;
      }
      reference->perft.push_back(static_cast<uint64_t>(count->get()));
    }
  }
  reader->Finish();
}

void CheckRoyals(TableReader* document, const VariantDefinition& definition) {
  int royals = 0;
  for (const PieceDefinition& piece : definition.pieces) royals += piece.royal ? 1 : 0;
  if (royals != 1) {
    document->Error("pieces", absl::StrCat(royals, " pieces are royal, expected exactly one"));
  }
}

void ReadDocument(TableReader* document, VariantDefinition* definition) {
  document->Node("inherits");
  if (document->Bool("abstract").value_or(false)) {
    document->Error("abstract", "this file is only a base for others to inherit");
  }
  definition->name = document->String("name").value_or(definition->id);
  definition->family = document->String("family").value_or(definition->id);
  definition->sfen_hand_order = document->String("sfen_hand_order").value_or("");
  definition->start_fen = document->String("start_fen").value_or("");
  document->MissingKey("start_fen", "the position the game starts from");
  document->MissingKey("pieces", "tables such as [pieces.rook]");
  const bool has_board = ReadBoard(document, definition);
  std::optional<TableReader> zones = document->Table("zones");
  std::optional<TableReader> toggles = document->Table("toggles");
  std::optional<TableReader> rules = document->Table("rules");
  std::optional<TableReader> pieces = document->Table("pieces");
  if (std::optional<TableReader> reference = document->Table("reference")) {
    ReadReference(&*reference, &definition->reference);
  }
  document->Finish();
  if (!has_board) return;
  if (zones.has_value()) ReadZones(&*zones, definition);
  if (toggles.has_value()) ReadToggles(&*toggles, definition);
  if (rules.has_value()) ReadRules(&*rules, definition);
  if (!pieces.has_value()) return;
  if (pieces->table().size() > kMaxPieces) {
    document->Error("pieces",
                    absl::StrCat(pieces->table().size(), " pieces, expected at most ", kMaxPieces));
    return;
  }
  ReadPieces(&*pieces, definition);
  CheckRoyals(document, *definition);
}

}  // namespace

absl::StatusOr<VariantDefinition> ReadVariant(const VariantSource& source,
                                              const VariantResolver& resolve) {
  absl::StatusOr<toml::table> merged = MergeInherited(source, resolve);
  if (!merged.ok()) return merged.status();
  Diagnostics diagnostics;
  TableReader document(*merged, "", &diagnostics);
  VariantDefinition definition;
  definition.id = source.id;
  ReadDocument(&document, &definition);
  if (!diagnostics.empty()) return diagnostics.status();
  definition.start_fen_location = LocationOf(*merged->get("start_fen"));
  definition.location = source.label;
  return definition;
}

bool IsAbstract(const VariantSource& source) {
  const absl::StatusOr<toml::table> document = ParseToml(source.text, source.label);
  return !document.ok() || (*document)["abstract"].value_or(false);
}

}  // namespace crossriver
