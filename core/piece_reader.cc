#include "core/piece_reader.h"

#include <algorithm>
#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/atom_reader.h"

namespace crossriver {
namespace {

constexpr size_t kMaxAtoms = 16;
constexpr size_t kMaxVectorsInAll = 256;  // of a piece: its tables index with 16 bits
constexpr size_t kMaxPromotions = 8;

// A piece whose table is being read, with what its fields refer to.
class PieceReader {
 public:
  PieceReader(TableReader* reader, VariantDefinition* definition,
              const std::vector<std::string>& ids)
      : reader_(reader), definition_(definition), ids_(ids) {}

  void Read(PieceDefinition* piece);
  std::string moves_like() const { return moves_like_; }

 private:
  void ReadLetter(PieceDefinition* piece);
  void ReadMoves(PieceDefinition* piece);
  void ReadPromotions(PieceDefinition* piece);
  Kind PieceNamed(TableReader* reader, const char* key, const std::string& id);

  TableReader* reader_;
  VariantDefinition* definition_;
  const std::vector<std::string>& ids_;
  std::string moves_like_;
};

// Calls `read` for each element of an array of tables.
template <typename Read>
void ForEachTable(TableReader* reader, const char* key, size_t limit, Read read) {
  const toml::array* array = reader->Array(key);
  if (array == nullptr) return;
  if (array->size() > limit) {
    reader->Error(key, absl::StrCat(array->size(), " entries, expected at most ", limit));
    return;
  }
  for (size_t i = 0; i < array->size(); ++i) {
    const std::string path = absl::StrCat(reader->FieldName(key), "[", i, "]");
    if (const toml::table* table = (*array)[i].as_table()) {
      TableReader element(*table, path, reader->diagnostics());
      read(&element);
      element.Finish();
    } else {
      reader->diagnostics()->Add(&(*array)[i], reader->table(), path, "expected a table");
    }
  }
}

Kind PieceReader::PieceNamed(TableReader* reader, const char* key, const std::string& id) {
  const auto found = std::find(ids_.begin(), ids_.end(), id);
  if (found != ids_.end()) return static_cast<Kind>(found - ids_.begin());
  reader->Error(key, absl::StrCat("unknown piece '", id, "'", Suggestion(id, ids_)));
  return kNoKind;
}

void PieceReader::ReadMoves(PieceDefinition* piece) {
  const Through through = ReadThrough(reader_).value_or(Through::kAny);
  ForEachTable(reader_, "moves", kMaxAtoms, [&](TableReader* table) {
    if (std::optional<Atom> atom = ReadAtom(table, *definition_, through)) {
      piece->atoms.push_back(*std::move(atom));
    }
  });
  size_t vectors = 0;
  for (const Atom& atom : piece->atoms) vectors += atom.vectors.size();
  if (vectors > kMaxVectorsInAll) {
    reader_->Error(
        "moves", absl::StrCat(vectors, " directions in all, expected at most ", kMaxVectorsInAll));
  }
  moves_like_ = reader_->String("moves_like").value_or("");
  const bool has_moves = reader_->table().get("moves") != nullptr;
  if (has_moves && !moves_like_.empty()) {
    reader_->Error("moves_like", "a piece has either moves or moves_like");
  } else if (!has_moves && moves_like_.empty()) {
    reader_->MissingKey("moves", "an array of moves (or moves_like = another piece's id)");
  } else if (!moves_like_.empty()) {
    PieceNamed(reader_, "moves_like", moves_like_);
    if (reader_->table().get("through") != nullptr) {
      reader_->Error("through", "comes with moves_like");
    }
  }
}

void PieceReader::ReadPromotions(PieceDefinition* piece) {
  ForEachTable(reader_, "promotions", kMaxPromotions, [&](TableReader* table) {
    PromotionRule rule;
    if (const std::optional<std::string> to = table->String("to")) {
      rule.to = PieceNamed(table, "to", *to);
      if (*to == piece->id) table->Error("to", "a piece does not promote to itself");
    }
    table->MissingKey("to", "the id of the promoted piece");
    if (const std::optional<std::string> zone = table->String("zone")) {
      rule.zone = ZoneNamed(table, "zone", *zone, *definition_);
    }
    table->MissingKey("zone", "the name of a zone");
    rule.on_start =
        table->Choice<bool>("on", {{"end", false}, {"start_or_end", true}}).value_or(false);
    rule.optional =
        table->Choice<bool>("choice", {{"automatic", false}, {"optional", true}}).value_or(false);
    piece->promotions.push_back(rule);
  });
}

void PieceReader::ReadLetter(PieceDefinition* piece) {
  const std::optional<std::string> letter = reader_->String("letter");
  reader_->MissingKey("letter", "one of A to Z, or + and a letter for a promoted piece");
  if (!letter.has_value()) return;
  const absl::string_view rest =
      absl::string_view(*letter).substr(!letter->empty() && (*letter)[0] == '+' ? 1 : 0);
  if (rest.size() != 1 || rest[0] < 'A' || rest[0] > 'Z') {
    reader_->Error("letter", absl::StrCat("'", absl::CHexEscape(*letter),
                                          "', expected one of A to Z, or + and a letter"));
    return;
  }
  for (const PieceDefinition& other : definition_->pieces) {
    if (&other != piece && other.letter == *letter) {
      reader_->Error("letter", absl::StrCat("'", *letter, "' is the letter of ", other.id, " too"));
    }
  }
  piece->letter = *letter;
}

void PieceReader::Read(PieceDefinition* piece) {
  ReadLetter(piece);
  piece->location = LocationOf(reader_->table());
  piece->name = reader_->String("name").value_or(piece->id);
  piece->royal = reader_->Bool("royal").value_or(false);
  piece->resets_progress = reader_->Bool("resets_progress").value_or(false);
  piece->drop_mate = reader_->Bool("drop_mate").value_or(true);
  piece->max_per_file = reader_->Int("max_per_file", 0, kMaxCells).value_or(0);
  const std::string zone = reader_->String("zone").value_or("all");
  piece->zone = ZoneNamed(reader_, "zone", zone, *definition_);
  const std::string hand_form = reader_->String("hand_form").value_or("none");
  if (hand_form != "none") piece->hand_form = PieceNamed(reader_, "hand_form", hand_form);
  ReadMoves(piece);
  ReadPromotions(piece);
  if (piece->royal && (!piece->promotions.empty() || piece->hand_form != kNoKind)) {
    reader_->Error("royal", "a royal piece neither promotes nor goes to hand");
  }
  reader_->Finish();
}

}  // namespace

SquareSet ZoneNamed(TableReader* reader, const char* key, const std::string& name,
                    const VariantDefinition& definition) {
  if (name == "all") return definition.topology.all();
  const auto found = definition.zones.find(name);
  if (found != definition.zones.end()) return found->second;
  std::vector<std::string> names = {"all"};
  for (const auto& [zone, cells] : definition.zones) names.push_back(zone);
  reader->Error(key, absl::StrCat("unknown zone '", name, "'", Suggestion(name, names)));
  return definition.topology.all();
}

void ReadPieces(TableReader* pieces, VariantDefinition* definition) {
  std::vector<std::string> ids;
  for (const auto& [key, node] : pieces->table()) {
    const std::string id(key.str());
    if (pieces->IsName(id)) ids.push_back(id);
  }
  for (const std::string& id : ids) {
    definition->pieces.emplace_back();
    definition->pieces.back().id = id;
  }
  std::vector<std::string> moves_like(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    std::optional<TableReader> table = pieces->Table(ids[i].c_str());
    if (!table.has_value()) continue;
    PieceReader reader(&*table, definition, ids);
    reader.Read(&definition->pieces[i]);
    moves_like[i] = reader.moves_like();
  }
  for (const PieceDefinition& piece : definition->pieces) {
    for (const PromotionRule& rule : piece.promotions) {
      if (rule.to == kNoKind || !definition->pieces[static_cast<size_t>(rule.to)].royal) continue;
      pieces->Error(piece.id.c_str(), "it promotes to a royal piece");
    }
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto model = std::find(ids.begin(), ids.end(), moves_like[i]);
    if (moves_like[i].empty() || model == ids.end()) continue;
    const auto m = static_cast<size_t>(model - ids.begin());
    if (!moves_like[m].empty()) {
      pieces->Error(ids[i].c_str(), absl::StrCat("moves_like names ", ids[m],
                                                 ", which is itself moves_like another"));
    }
    definition->pieces[i].atoms = definition->pieces[m].atoms;
  }
}

}  // namespace crossriver
