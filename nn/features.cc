#include "nn/features.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/action_space.h"
#include "core/check.h"
#include "core/fingerprint.h"

namespace crossriver {
namespace {

constexpr float kHandScale = 8;
constexpr float kLimitScale = 256;
constexpr float kRepetitionScale = 4;

// The constants of a position, in this order behind the hands.
enum PositionConstant { kOccurredTwice, kOccurredThrice, kNoProgress, kInCheck, kRepetitionValue };
constexpr const char* kPositionConstants[] = {"occurred 2 times", "occurred 3 times", "no progress",
                                              "in check", "repetition value"};

// Whether any leap of the piece passes over a cell, and what its passing asks.
struct LongLeaps {
  bool any = false;
  bool needs_free_path = false;
  bool displaces = false;
};

LongLeaps LongLeapsOf(const PieceDefinition& piece) {
  LongLeaps leaps;
  for (const Atom& atom : piece.atoms) {
    if (atom.kind != AtomKind::kLeap) continue;
    const bool is_long = std::any_of(atom.vectors.begin(), atom.vectors.end(),
                                     [](const Vec3& vector) { return !LeapPath(vector).empty(); });
    if (!is_long) continue;
    leaps.any = true;
    leaps.needs_free_path |= atom.through == Through::kEmpty;
    leaps.displaces |= atom.through == Through::kEnemy;
  }
  return leaps;
}

float RepetitionValue(RepetitionRule rule, Side mover) {
  if (rule == RepetitionRule::kDraw) return 0;
  const Side loser = rule == RepetitionRule::kFirstPlayerLoses ? Side::kFirst : Side::kSecond;
  return mover == loser ? -1.0F : 1.0F;
}

// Both 16-bit types are uint16_t here.
template <typename Element>
Element OneOf(ElementType type) {
  if constexpr (sizeof(Element) == sizeof(float)) {
    return 1.0F;
  } else {
    return type == ElementType::kBFloat16 ? 0x3F80 : 0x3C00;
  }
}

}  // namespace

FeatureSchema::FeatureSchema(const Rules& rules) {
  AddZones(rules);
  AddPieces(rules);
  for (const char* owner : {"own", "enemy"}) {
    for (const Kind kind : rules.hand_kinds()) {
      AddConstant(absl::StrCat(owner, " hand ", rules.kind(kind).id), 0);
    }
  }
  for (const char* name : kPositionConstants) AddConstant(name, 0);
  AddRuleConstants(rules);
  hash_ = HashBytes(absl::StrCat(absl::StrJoin(planes_, ","), ";", absl::StrJoin(constants_, ","),
                                 ";", rules.topology().ranks(), "x", rules.topology().columns(),
                                 ";", ActionSpace(&rules).hash()));
}

int FeatureSchema::AddPlane(std::string name) {
  planes_.push_back(std::move(name));
  return num_planes() - 1;
}

void FeatureSchema::AddZones(const Rules& rules) {
  const Topology& topology = rules.topology();
  std::vector<SquareSet> seen;
  const auto add = [&](std::string name, SquareSet cells) {
    if (cells.empty() || std::find(seen.begin(), seen.end(), cells) != seen.end()) return;
    seen.push_back(cells);
    zones_.push_back({AddPlane(std::move(name)), cells});
  };
  add("board", topology.all());
  for (const auto& [name, cells] : rules.definition().zones) add("zone " + name, cells);
  for (const auto& [name, cells] : rules.definition().zones) {
    add("enemy zone " + name, topology.MirrorRank(cells));
  }
}

void FeatureSchema::AddPieces(const Rules& rules) {
  promoted_.assign(static_cast<size_t>(rules.num_kinds()), 0);
  for (const PieceDefinition& piece : rules.definition().pieces) {
    for (const PromotionRule& rule : piece.promotions) promoted_[static_cast<size_t>(rule.to)] = 1;
  }
  bool has_pending = false;
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    has_pending |= rules.kind(kind).is_pending(kind);
  }
  if (std::find(promoted_.begin(), promoted_.end(), 1) != promoted_.end()) {
    promoted_plane_ = AddPlane("promoted");
  }
  if (has_pending) pending_plane_ = AddPlane("pending");
  piece_planes_.assign(2 * static_cast<size_t>(rules.num_kinds()), -1);
  for (size_t enemy : {size_t{0}, size_t{1}}) {
    for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
      if (rules.kind(kind).is_pending(kind)) continue;
      piece_planes_[2 * static_cast<size_t>(kind) + enemy] =
          AddPlane(absl::StrCat(enemy != 0 ? "enemy " : "own ", rules.kind(kind).id));
    }
  }
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    const Kind base = rules.kind(kind).base;
    for (size_t enemy : {size_t{0}, size_t{1}}) {
      piece_planes_[2 * static_cast<size_t>(kind) + enemy] =
          piece_planes_[2 * static_cast<size_t>(base) + enemy];
    }
  }
}

void FeatureSchema::AddConstant(const std::string& name, float value) {
  constants_.push_back(name);
  values_.push_back(value);
}

void FeatureSchema::AddRuleConstants(const Rules& rules) {
  const GameRules& game = rules.game();
  const auto add = [this](const std::string& name, bool on) { AddConstant(name, on ? 1 : 0); };
  AddConstant("no-progress limit", static_cast<float>(game.no_progress_plies) / kLimitScale);
  add("rule facing ban", game.facing_ban);
  add("rule stalemate loses", game.stalemate == StalemateRule::kLoss);
  add("rule stalemate wins", game.stalemate == StalemateRule::kWin);
  add("rule perpetual check loses", game.perpetual_check == PerpetualCheckRule::kLoss);
  add("rule dead drops", game.dead_drops);
  add("rule capture is progress", game.capture_is_progress);
  add("rule drop is progress", game.drop_is_progress);
  add("rule promotion is progress", game.promotion_is_progress);
  AddConstant("rule repetitions", static_cast<float>(game.repetitions) / kRepetitionScale);
  for (const Kind kind : rules.hand_kinds()) {
    const KindInfo& info = rules.kind(kind);
    add(absl::StrCat("rule ", info.id, " limited on a file"), info.max_per_file > 0);
    add(absl::StrCat("rule ", info.id, " dropped with mate"), info.drop_mate);
  }
  const std::vector<PieceDefinition>& pieces = rules.definition().pieces;
  for (const PieceDefinition& piece : pieces) {
    const LongLeaps leaps = LongLeapsOf(piece);
    if (!leaps.any) continue;
    add(absl::StrCat("rule ", piece.id, " needs a free path"), leaps.needs_free_path);
    add(absl::StrCat("rule ", piece.id, " displaces"), leaps.displaces);
  }
  for (const auto& [name, on] : rules.definition().toggles) add("toggle " + name, on);
}

absl::Status CheckSharedFeatures(const VariantGroup& variants) {
  const uint64_t schema = FeatureSchema(*variants.first()).hash();
  for (const Rules* variant : variants.pointers()) {
    if (FeatureSchema(*variant).hash() == schema) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "variant '", variant->definition().id, "' can't share a network with '",
        variants.first()->definition().id, "': it has other rules or moves to tell apart"));
  }
  return absl::OkStatus();
}

size_t BytesOf(ElementType type) { return type == ElementType::kFloat32 ? 4 : 2; }

const char* ToString(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return "float32";
    case ElementType::kBFloat16:
      return "bfloat16";
    case ElementType::kFloat16:
      return "float16";
  }
  return "";
}

FeatureEncoder::FeatureEncoder(const Rules* rules, const InputLayout& layout)
    : FeatureEncoder(std::vector<const Rules*>{rules}, layout) {}

FeatureEncoder::FeatureEncoder(const std::vector<const Rules*>& variants, const InputLayout& layout)
    : rules_(variants.front()), schema_(*rules_), layout_(layout) {
  for (const Rules* variant : variants) {
    const FeatureSchema schema(*variant);
    CR_CHECK(schema.hash() == schema_.hash());
    variants_.push_back({variant->hash(), schema.values_});
  }
  const Topology& topology = rules_->topology();
  const int cells = rules_->num_cells();
  for (Cell cell = 0; cell < cells; ++cell) {
    places_.push_back(layout.columns == ColumnOrder::kBox
                          ? cell
                          : topology.Rank(cell) * topology.columns() + topology.LetterColumn(cell));
  }
  cell_stride_ = layout.channels_last ? schema_.num_planes() : 1;
  plane_stride_ = layout.channels_last ? 1 : cells;
  background_.assign(static_cast<size_t>(cells * schema_.num_planes()) * BytesOf(layout.type), 0);
  if (layout.type == ElementType::kFloat32) {
    FillBackground<float>();
  } else {
    FillBackground<uint16_t>();
  }
}

template <typename Element>
void FeatureEncoder::FillBackground() {
  const auto one = OneOf<Element>(layout_.type);
  for (const FeatureSchema::ZonePlane& zone : schema_.zones_) {
    for (Cell cell : zone.cells) {
      const size_t index =
          static_cast<size_t>(PlaceOf(cell) * cell_stride_ + zone.plane * plane_stride_);
      std::memcpy(&background_[index * sizeof(Element)], &one, sizeof(Element));
    }
  }
}

void FeatureEncoder::Encode(const Position& position, const FeatureContext& context,
                            const Symmetry* symmetry, void* planes, float* constants) const {
  std::memcpy(planes, background_.data(), background_.size());
  if (layout_.type == ElementType::kFloat32) {
    EncodePieces(position, symmetry, static_cast<float*>(planes));
  } else {
    EncodePieces(position, symmetry, static_cast<uint16_t*>(planes));
  }
  EncodeConstants(position, context, constants);
}

template <typename Element>
void FeatureEncoder::EncodePieces(const Position& position, const Symmetry* symmetry,
                                  Element* planes) const {
  const auto one = OneOf<Element>(layout_.type);
  const Side mover = position.side_to_move();
  for (Cell cell : position.occupied()) {
    const Piece piece = position.piece_at(cell);
    const auto kind = static_cast<size_t>(KindOf(piece));
    Cell seen = mover == Side::kFirst ? cell : rules_->topology().MirrorRank(cell);
    if (symmetry != nullptr) seen = symmetry->Map(seen);
    Element* const at = planes + PlaceOf(seen) * cell_stride_;
    const size_t enemy = SideOf(piece) == mover ? 0 : 1;
    at[schema_.piece_planes_[2 * kind + enemy] * plane_stride_] = one;
    if (schema_.promoted_[kind] != 0) at[schema_.promoted_plane_ * plane_stride_] = one;
    if (rules_->kind(KindOf(piece)).is_pending(KindOf(piece))) {
      at[schema_.pending_plane_ * plane_stride_] = one;
    }
  }
}

const std::vector<float>& FeatureEncoder::ValuesOf(const Rules& rules) const {
  if (variants_.size() == 1) return variants_.front().values;
  for (const VariantValues& variant : variants_) {
    if (variant.rules_hash == rules.hash()) return variant.values;
  }
  CR_CHECK(false);  // a variant that this encoder was not made for
  return variants_.front().values;
}

void FeatureEncoder::EncodeConstants(const Position& position, const FeatureContext& context,
                                     float* constants) const {
  const std::vector<float>& values = ValuesOf(position.rules());
  std::copy(values.begin(), values.end(), constants);
  const Side mover = position.side_to_move();
  for (const Side side : {mover, Other(mover)}) {
    for (const Kind kind : rules_->hand_kinds()) {
      *constants++ = static_cast<float>(position.hand(side, kind)) / kHandScale;
    }
  }
  const GameRules& game = position.rules().game();
  constants[kOccurredTwice] = context.occurrences >= 2 ? 1 : 0;
  constants[kOccurredThrice] = context.occurrences >= 3 ? 1 : 0;
  if (game.no_progress_plies > 0) {
    constexpr int kStep = FeatureSchema::kNoProgressStep;
    constants[kNoProgress] = static_cast<float>(position.no_progress() / kStep * kStep) /
                             static_cast<float>(game.no_progress_plies);
  }
  constants[kInCheck] = context.in_check ? 1 : 0;
  constants[kRepetitionValue] = RepetitionValue(game.repetition, mover);
}

}  // namespace crossriver
