#include "core/piece_reader.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/directions.h"

namespace crossriver {
namespace {

constexpr int kMaxComponent = 15;  // of an explicit vector
constexpr size_t kMaxVectors = 64;
constexpr size_t kMaxAtoms = 16;
constexpr size_t kMaxVectorsInAll = 256;  // of a piece: its tables index with 16 bits
constexpr size_t kMaxPromotions = 8;

enum class AtomWord : uint8_t { kStep, kLeap, kSlide, kHop };

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
  std::optional<Atom> ReadAtom(TableReader* atom, Through piece_through);
  bool IsActive(TableReader* atom);
  void ReadVectors(TableReader* atom, AtomWord word, std::vector<Vec3>* vectors);
  std::optional<Vec3> ExplicitVector(const toml::array& numbers);
  void CheckVectors(TableReader* atom, AtomWord word, Through through,
                    const std::vector<Vec3>& vectors);
  std::optional<Through> ReadThrough(TableReader* reader);
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

std::optional<Through> PieceReader::ReadThrough(TableReader* reader) {
  return reader->Choice<Through>(
      "through", {{"any", Through::kAny}, {"empty", Through::kEmpty}, {"enemy", Through::kEnemy}});
}

std::optional<Vec3> PieceReader::ExplicitVector(const toml::array& numbers) {
  if (numbers.size() != 3) return std::nullopt;
  int components[3];
  for (size_t i = 0; i < 3; ++i) {
    const auto* number = numbers[i].as_integer();
    if (number == nullptr || std::abs(number->get()) > kMaxComponent) return std::nullopt;
    components[i] = static_cast<int>(number->get());
  }
  return Vec3{components[0], components[1], components[2]};
}

void PieceReader::ReadVectors(TableReader* atom, AtomWord word, std::vector<Vec3>* vectors) {
  const auto add_named = [&](const std::string& name) {
    const std::vector<Vec3> named = NamedDirections(name);
    if (named.empty()) {
      atom->Error("dirs", absl::StrCat("unknown direction '", name, "'",
                                       Suggestion(name, DirectionNames())));
    }
    vectors->insert(vectors->end(), named.begin(), named.end());
  };
  const toml::node* node = atom->Node("dirs");
  if (node == nullptr) {
    atom->MissingKey("dirs", "a direction name, or an array of names and [level, file, rank]");
  } else if (const auto* name = node->as_string()) {
    add_named(name->get());
  } else if (const toml::array* array = atom->Array("dirs")) {
    for (const toml::node& element : *array) {
      const toml::array* numbers = element.as_array();
      const std::optional<Vec3> vector =
          numbers == nullptr ? std::nullopt : ExplicitVector(*numbers);
      if (const auto* element_name = element.as_string()) {
        add_named(element_name->get());
      } else if (vector.has_value()) {
        vectors->push_back(*vector);
      } else {
        atom->Error("dirs", absl::StrCat("expected names or [level, file, rank] with numbers from ",
                                         -kMaxComponent, " to ", kMaxComponent));
      }
      if (vectors->size() > kMaxVectors) break;
    }
  }
  const int distance = atom->Int("distance", 1, kMaxComponent).value_or(1);
  if (distance != 1 && word != AtomWord::kLeap) {
    atom->Error("distance", "only a leap has one");
  }
  for (Vec3& vector : *vectors) vector = vector * distance;
  std::sort(vectors->begin(), vectors->end());
  vectors->erase(std::unique(vectors->begin(), vectors->end()), vectors->end());
}

void PieceReader::CheckVectors(TableReader* atom, AtomWord word, Through through,
                               const std::vector<Vec3>& vectors) {
  if (vectors.size() > kMaxVectors) {
    atom->Error("dirs", absl::StrCat("more than ", kMaxVectors, " directions"));
  }
  const Topology& topology = definition_->topology;
  bool on_board = vectors.empty();
  for (const Vec3& v : vectors) {
    const int length = std::max({std::abs(v.level), std::abs(v.file), std::abs(v.rank)});
    on_board |= std::abs(v.level) < topology.levels() && std::abs(v.file) < topology.files() &&
                std::abs(v.rank) < topology.ranks();
    const std::string text = absl::StrCat("[", v.level, ", ", v.file, ", ", v.rank, "]");
    if (length == 0) {
      atom->Error("dirs", "[0, 0, 0] does not move");
    } else if (word == AtomWord::kStep && length > 1) {
      atom->Error("dirs", absl::StrCat(text, " is longer than one step; a leap reaches it"));
    } else if ((word == AtomWord::kSlide || word == AtomWord::kHop) &&
               std::gcd(std::gcd(v.level, v.file), v.rank) != 1) {
      atom->Error("dirs", absl::StrCat(text, " repeats a shorter vector; give that one"));
    } else if (word == AtomWord::kLeap && through == Through::kEnemy && length != 2) {
      atom->Error("through", absl::StrCat("a leap that displaces passes exactly one cell, ", text,
                                          " passes ", length - 1));
    }
  }
  if (!on_board) atom->Error("dirs", "no cell of this board has a cell in any of these directions");
}

bool PieceReader::IsActive(TableReader* atom) {
  bool active = true;
  for (const char* key : {"when", "unless"}) {
    const std::optional<std::string> toggle = atom->String(key);
    if (!toggle.has_value()) continue;
    const auto found = definition_->toggles.find(*toggle);
    if (found == definition_->toggles.end()) {
      std::vector<std::string> names;
      for (const auto& [name, on] : definition_->toggles) names.push_back(name);
      atom->Error(key, absl::StrCat("unknown toggle '", *toggle, "'", Suggestion(*toggle, names)));
    } else if (found->second != (key == absl::string_view("when"))) {
      active = false;
    }
  }
  return active;
}

std::optional<Atom> PieceReader::ReadAtom(TableReader* reader, Through piece_through) {
  const auto word = reader->Choice<AtomWord>("kind", {{"step", AtomWord::kStep},
                                                      {"leap", AtomWord::kLeap},
                                                      {"slide", AtomWord::kSlide},
                                                      {"hop", AtomWord::kHop}});
  reader->MissingKey("kind", "step, leap, slide or hop");
  Atom atom;
  const Through through = ReadThrough(reader).value_or(piece_through);
  if (word == AtomWord::kSlide) atom.kind = AtomKind::kSlide;
  if (word == AtomWord::kHop) atom.kind = AtomKind::kHop;
  if (word == AtomWord::kLeap) atom.through = through;
  atom.mode = reader
                  ->Choice<MoveMode>("mode", {{"both", MoveMode::kBoth},
                                              {"move", MoveMode::kMoveOnly},
                                              {"capture", MoveMode::kCaptureOnly}})
                  .value_or(MoveMode::kBoth);
  if (atom.through == Through::kEnemy && atom.mode != MoveMode::kBoth) {
    reader->Error("mode", "a leap that displaces both moves and captures");
  }
  ReadVectors(reader, word.value_or(AtomWord::kLeap), &atom.vectors);
  if (word.has_value()) CheckVectors(reader, *word, atom.through, atom.vectors);
  const std::string zone = reader->String("from").value_or("all");
  atom.from = ZoneNamed(reader, "from", zone, *definition_);
  const bool active = IsActive(reader);
  if (!word.has_value() || !active) return std::nullopt;
  return atom;
}

void PieceReader::ReadMoves(PieceDefinition* piece) {
  const Through through = ReadThrough(reader_).value_or(Through::kAny);
  ForEachTable(reader_, "moves", kMaxAtoms, [&](TableReader* table) {
    if (std::optional<Atom> atom = ReadAtom(table, through)) {
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
  piece->name = reader_->String("name").value_or(piece->id);
  piece->royal = reader_->Bool("royal").value_or(false);
  piece->resets_progress = reader_->Bool("resets_progress").value_or(false);
  piece->drop_mate = reader_->Bool("drop_mate").value_or(true);
  piece->max_per_file = reader_->Int("max_per_file", 0, kMaxCells).value_or(0);
  const std::string zone = reader_->String("zone").value_or("all");
  piece->zone = ZoneNamed(reader_, "zone", zone, *definition_);
  if (const std::optional<std::string> hand_form = reader_->String("hand_form")) {
    piece->hand_form = PieceNamed(reader_, "hand_form", *hand_form);
  }
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
  for (const auto& [key, node] : pieces->table()) ids.emplace_back(key.str());
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
