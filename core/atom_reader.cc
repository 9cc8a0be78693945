#include "core/atom_reader.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/directions.h"
#include "core/piece_reader.h"

namespace crossriver {
namespace {

constexpr int kMaxComponent = 15;  // of an explicit vector
constexpr size_t kMaxVectors = 64;

std::string VectorText(Vec3 v) {
  return absl::StrCat("[", v.level, ", ", v.file, ", ", v.rank, "]");
}

std::optional<Vec3> ExplicitVector(const toml::array& numbers) {
  if (numbers.size() != 3) return std::nullopt;
  int components[3];
  for (size_t i = 0; i < 3; ++i) {
    const auto* number = numbers[i].as_integer();
    if (number == nullptr || number->get() < -kMaxComponent || number->get() > kMaxComponent) {
      return std::nullopt;
    }
    components[i] = static_cast<int>(number->get());
  }
  return Vec3{components[0], components[1], components[2]};
}

// Reads one atom.
class AtomReader {
 public:
  AtomReader(TableReader* reader, const VariantDefinition& definition)
      : reader_(reader), definition_(definition) {}

  std::optional<Atom> Read(Through piece_through);

 private:
  enum class Word : uint8_t { kStep, kLeap, kSlide, kHop };

  void AddNamed(const std::string& name);
  void AddElement(const toml::node& element);
  void ReadVectors();
  // Whether some cell of the board has a cell in this direction.
  bool FitsBoard(Vec3 v) const;
  void CheckVector(Vec3 v, Through through);
  bool IsActive();

  TableReader* reader_;
  const VariantDefinition& definition_;
  Word word_ = Word::kLeap;
  std::vector<Vec3> named_;     // vectors of named sets, not all of which fit every board
  std::vector<Vec3> explicit_;  // vectors the file spells out
};

void AtomReader::AddNamed(const std::string& name) {
  const std::vector<Vec3> vectors = NamedDirections(name);
  if (vectors.empty()) {
    reader_->Error(
        "dirs", absl::StrCat("unknown direction '", name, "'", Suggestion(name, DirectionNames())));
  }
  named_.insert(named_.end(), vectors.begin(), vectors.end());
}

void AtomReader::AddElement(const toml::node& element) {
  const toml::array* numbers = element.as_array();
  const std::optional<Vec3> vector = numbers == nullptr ? std::nullopt : ExplicitVector(*numbers);
  if (const auto* name = element.as_string()) {
    AddNamed(name->get());
  } else if (vector.has_value()) {
    explicit_.push_back(*vector);
  } else {
    reader_->Error("dirs", absl::StrCat("expected names or [level, file, rank] with numbers from ",
                                        -kMaxComponent, " to ", kMaxComponent));
  }
}

void AtomReader::ReadVectors() {
  const toml::node* node = reader_->Node("dirs");
  if (node == nullptr) {
    reader_->MissingKey("dirs", "a direction name, or an array of names and [level, file, rank]");
  } else if (node->is_string()) {
    AddElement(*node);
  } else if (const toml::array* array = reader_->Array("dirs")) {
    for (size_t i = 0; i < array->size() && named_.size() + explicit_.size() <= kMaxVectors; ++i) {
      AddElement((*array)[i]);
    }
    if (array->empty()) reader_->Error("dirs", "empty; expected at least one direction");
  }
  if (named_.size() + explicit_.size() > kMaxVectors) {
    reader_->Error("dirs", absl::StrCat("more than ", kMaxVectors, " directions"));
  }
  const int distance = reader_->Int("distance", 1, kMaxComponent).value_or(1);
  if (distance != 1 && word_ != Word::kLeap) reader_->Error("distance", "only a leap has one");
  for (Vec3& vector : named_) vector = vector * distance;
  for (Vec3& vector : explicit_) vector = vector * distance;
}

bool AtomReader::FitsBoard(Vec3 v) const {
  const Topology& topology = definition_.topology;
  return std::abs(v.level) < topology.levels() && std::abs(v.file) < topology.files() &&
         std::abs(v.rank) < topology.ranks();
}

void AtomReader::CheckVector(Vec3 v, Through through) {
  const int length = std::max({std::abs(v.level), std::abs(v.file), std::abs(v.rank)});
  const bool rides = word_ == Word::kSlide || word_ == Word::kHop;
  if (length == 0) {
    reader_->Error("dirs", "[0, 0, 0] does not move");
  } else if (word_ == Word::kStep && length > 1) {
    reader_->Error("dirs",
                   absl::StrCat(VectorText(v), " is longer than one step; a leap reaches it"));
  } else if (rides && std::gcd(std::gcd(v.level, v.file), v.rank) != 1) {
    reader_->Error("dirs", absl::StrCat(VectorText(v), " repeats a shorter vector; give that one"));
  } else if (word_ == Word::kLeap && through == Through::kEnemy && length != 2) {
    reader_->Error("through", absl::StrCat("a leap that displaces passes exactly one cell, ",
                                           VectorText(v), " passes ", length - 1));
  }
}

bool AtomReader::IsActive() {
  bool active = true;
  for (const auto& [key, wanted] : {std::pair("when", true), {"unless", false}}) {
    const std::optional<std::string> toggle = reader_->String(key);
    if (!toggle.has_value()) continue;
    const auto found = definition_.toggles.find(*toggle);
    if (found == definition_.toggles.end()) {
      std::vector<std::string> names;
      for (const auto& [name, on] : definition_.toggles) names.push_back(name);
      reader_->Error(key,
                     absl::StrCat("unknown toggle '", *toggle, "'", Suggestion(*toggle, names)));
    } else if (found->second != wanted) {
      active = false;
    }
  }
  return active;
}

std::optional<Atom> AtomReader::Read(Through piece_through) {
  const std::optional<Word> word = reader_->Choice<Word>(
      "kind",
      {{"step", Word::kStep}, {"leap", Word::kLeap}, {"slide", Word::kSlide}, {"hop", Word::kHop}});
  reader_->MissingKey("kind", "step, leap, slide or hop");
  word_ = word.value_or(Word::kLeap);
  Atom atom;
  const std::optional<Through> own_through = ReadThrough(reader_);
  if (own_through.has_value() && word_ != Word::kLeap) {
    reader_->Error("through", "only a leap has one");
  }
  const Through through = own_through.value_or(piece_through);
  if (word_ == Word::kSlide) atom.kind = AtomKind::kSlide;
  if (word_ == Word::kHop) atom.kind = AtomKind::kHop;
  if (word_ == Word::kLeap) atom.through = through;
  atom.mode = reader_
                  ->Choice<MoveMode>("mode", {{"both", MoveMode::kBoth},
                                              {"move", MoveMode::kMoveOnly},
                                              {"capture", MoveMode::kCaptureOnly}})
                  .value_or(MoveMode::kBoth);
  if (atom.through == Through::kEnemy && atom.mode != MoveMode::kBoth) {
    reader_->Error("mode", "a leap that displaces both moves and captures");
  }
  ReadVectors();
  for (const Vec3& vector : explicit_) {
    if (FitsBoard(vector)) continue;
    reader_->Error("dirs",
                   absl::StrCat(VectorText(vector), " leads off this board from every cell"));
  }
  if (!named_.empty() && std::none_of(named_.begin(), named_.end(),
                                      [this](const Vec3& vector) { return FitsBoard(vector); })) {
    reader_->Error("dirs", "these directions lead off this board from every cell");
  }
  atom.vectors = named_;
  atom.vectors.insert(atom.vectors.end(), explicit_.begin(), explicit_.end());
  std::sort(atom.vectors.begin(), atom.vectors.end());
  atom.vectors.erase(std::unique(atom.vectors.begin(), atom.vectors.end()), atom.vectors.end());
  if (word.has_value()) {
    for (const Vec3& vector : atom.vectors) CheckVector(vector, atom.through);
  }
  atom.from = ZoneNamed(reader_, "from", reader_->String("from").value_or("all"), definition_);
  const bool active = IsActive();
  if (!word.has_value() || !active) return std::nullopt;
  return atom;
}

}  // namespace

std::optional<Through> ReadThrough(TableReader* reader) {
  return reader->Choice<Through>(
      "through", {{"any", Through::kAny}, {"empty", Through::kEmpty}, {"enemy", Through::kEnemy}});
}

std::optional<Atom> ReadAtom(TableReader* reader, const VariantDefinition& definition,
                             Through piece_through) {
  return AtomReader(reader, definition).Read(piece_through);
}

}  // namespace crossriver
