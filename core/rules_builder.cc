#include "core/rules_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/fingerprint.h"
#include "core/table_builder.h"

namespace crossriver {
namespace {

// The errors of several pieces.
class Mistakes {
 public:
  // Returns whether the status is OK.
  bool Note(const absl::Status& status) {
    if (!status.ok()) lines_.emplace_back(status.message());
    return status.ok();
  }
  bool empty() const { return lines_.empty(); }
  absl::Status status() const { return absl::InvalidArgumentError(absl::StrJoin(lines_, "\n")); }

 private:
  std::vector<std::string> lines_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Rules>> RulesBuilder::Build() {
  rules_->num_cells_ = rules_->topology().num_cells();
  for (Cell cell = 0; cell < rules_->topology().columns(); ++cell) {
    rules_->columns_.push_back(rules_->topology().Column(cell));
  }
  if (absl::Status status = AddKinds(); !status.ok()) return status;
  if (absl::Status status = AddRays(); !status.ok()) return status;
  rules_->tables_.resize(static_cast<size_t>(2 * rules_->num_kinds()));
  Mistakes mistakes;
  mistakes.Note(CheckSfen());
  // What is wrong for one side is wrong for the other too, and reported once.
  for (Kind kind = 0; kind < rules_->num_kinds(); ++kind) {
    for (const Side side : kSides) {
      if (!mistakes.Note(AddMoves(kind, side))) break;
    }
  }
  if (!mistakes.empty()) return mistakes.status();
  for (Kind kind = 0; kind < rules_->num_kinds(); ++kind) {
    for (const Side side : kSides) {
      if (!mistakes.Note(AddPromotions(kind, side))) break;
      AddDrops(kind, side);
    }
  }
  if (!mistakes.empty()) return mistakes.status();
  AddKeys();
  AddHash();
  return std::shared_ptr<const Rules>(std::move(rules_));
}

absl::Status RulesBuilder::PieceError(Kind kind, const char* field,
                                      const std::string& message) const {
  return absl::InvalidArgumentError(absl::StrCat(piece(kind).location, ": field 'pieces.",
                                                 piece(kind).id, ".", field, "': ", message));
}

absl::Status RulesBuilder::AddKinds() {
  const std::vector<PieceDefinition>& pieces = rules_->definition_.pieces;
  for (const PieceDefinition& piece : pieces) {
    KindInfo info;
    info.id = piece.id;
    info.name = piece.name;
    info.letter = piece.letter;
    info.base = rules_->num_kinds();
    info.hand_form = piece.hand_form;
    info.royal = piece.royal;
    info.resets_progress = piece.resets_progress;
    info.max_per_file = piece.max_per_file;
    info.drop_mate = piece.drop_mate;
    if (piece.royal) rules_->royal_kind_ = info.base;
    for (const Atom& atom : piece.atoms) rules_->has_hoppers_ |= atom.kind == AtomKind::kHop;
    rules_->kinds_.push_back(info);
  }
  for (const PieceDefinition& piece : pieces) {
    if (piece.hand_form != kNoKind) {
      rules_->kinds_[static_cast<size_t>(piece.hand_form)].in_hand = true;
    }
  }
  for (Kind kind = 0; kind < static_cast<Kind>(pieces.size()); ++kind) {
    if (!rules_->kind(kind).in_hand) continue;
    rules_->hand_kinds_.push_back(kind);
    if (rules_->kind(kind).letter.size() != 1) {
      return PieceError(kind, "letter", "a piece held in hand needs a letter without +");
    }
    if (rules_->kind(kind).royal) {
      return PieceError(kind, "royal", "a royal piece is never in hand");
    }
    if (piece(kind).promotions.empty() || rules_->game().pending_zone.empty()) continue;
    KindInfo pending = rules_->kind(kind);
    pending.id = absl::StrCat("pending_", pending.id);
    pending.name = absl::StrCat("pending ", pending.name);
    pending.letter = absl::StrCat("*", pending.letter);
    pending.in_hand = false;
    rules_->kinds_[static_cast<size_t>(kind)].pending = rules_->num_kinds();
    rules_->kinds_.push_back(pending);
  }
  if (rules_->num_kinds() > kMaxKinds) {
    return absl::InvalidArgumentError(
        absl::StrCat(rules_->definition_.location, ": field 'pieces': ", rules_->num_kinds(),
                     " kinds with pending forms, expected at most ", kMaxKinds));
  }
  return absl::OkStatus();
}

absl::Status RulesBuilder::AddRays() {
  std::vector<Vec3> directions;
  const auto add = [&directions](Vec3 vector) {
    if (std::find(directions.begin(), directions.end(), vector) == directions.end()) {
      directions.push_back(vector);
    }
  };
  for (const PieceDefinition& piece : rules_->definition_.pieces) {
    for (const Atom& atom : piece.atoms) {
      if (atom.kind == AtomKind::kLeap) continue;
      for (const Vec3& vector : atom.vectors) {
        for (const Side side : kSides) add(ForSide(vector, side));
      }
    }
  }
  // The facing ban looks along files.
  for (const Side side : kSides) add(ForSide(Vec3{0, 0, 1}, side));
  if (directions.size() > RayTables::kMaxDirections) {
    return absl::InvalidArgumentError(absl::StrCat(
        rules_->definition_.location, ": field 'pieces': ", directions.size(),
        " directions of slides and hops in all, expected at most ", RayTables::kMaxDirections));
  }
  rules_->rays_ = RayTables(rules_->topology(), std::move(directions));
  return absl::OkStatus();
}

absl::Status RulesBuilder::AddMoves(Kind kind, Side side) {
  const absl::Status status =
      BuildMoveTables(rules_->topology(), rules_->rays(), piece(kind), side, &tables(kind, side));
  return status.ok() ? status : PieceError(kind, "moves", std::string(status.message()));
}

absl::Status RulesBuilder::CheckSfen() const {
  std::string order = rules_->definition_.sfen_hand_order;
  if (order.empty()) return absl::OkStatus();
  std::string letters;
  for (const Kind kind : rules_->hand_kinds()) letters += rules_->kind(kind).letter;
  std::sort(order.begin(), order.end());
  std::sort(letters.begin(), letters.end());
  if (order == letters && rules_->topology().ranks() <= 26) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(rules_->definition_.location, ": field 'sfen_hand_order': expected each of ",
                   letters, " once, and a board of at most 26 ranks"));
}

std::optional<RulesBuilder::Promotion> RulesBuilder::PromotionOf(Kind kind,
                                                                 const PromotionZones& zones,
                                                                 Cell from, Cell to) const {
  const std::vector<PromotionRule>& promotion_rules = piece(kind).promotions;
  const bool pending = rules_->kind(kind).is_pending(kind);
  for (size_t i = 0; i < promotion_rules.size(); ++i) {
    const PromotionRule& rule = promotion_rules[i];
    const bool starts = !pending && rule.on_start && zones.rule_zones[i].Contains(from);
    if (!starts && !zones.rule_zones[i].Contains(to)) continue;
    return Promotion{rule.to, pending || !rule.optional || !zones.mobile.Contains(to)};
  }
  if (pending) return Promotion{promotion_rules.back().to, true};
  return std::nullopt;
}

absl::Status RulesBuilder::AddPromotions(Kind kind, Side side) {
  KindTables& table = tables(kind, side);
  table.promotes = !piece(kind).promotions.empty();
  if (!table.promotes) return absl::OkStatus();
  table.promotions.resize(static_cast<size_t>(rules_->num_cells()));
  table.promoted.assign(static_cast<size_t>(rules_->num_cells()), kNoKind);
  PromotionZones zones = {MobileCells(rules_->rays(), table), {}};
  for (const PromotionRule& rule : piece(kind).promotions) {
    zones.rule_zones.push_back(rules_->ForSide(rule.zone, side));
  }
  // A pending piece stands where it was dropped.
  const bool pending = rules_->kind(kind).is_pending(kind);
  for (Cell from : pending ? table.zone & rules_->pending_zone(side) : table.zone) {
    for (Cell to : ReachableCells(rules_->rays(), table, from)) {
      const std::optional<Promotion> promotion = PromotionOf(kind, zones, from, to);
      if (!promotion.has_value()) continue;
      const std::string cell = rules_->topology().Name(to);
      Kind& promoted = table.promoted[static_cast<size_t>(to)];
      if (promoted != kNoKind && promoted != promotion->to) {
        return PieceError(
            kind, "promotions",
            absl::StrCat("on ", cell, " it promotes to one piece or another by where ",
                         "the move starts; expected one piece a cell"));
      }
      if (!tables(promotion->to, side).zone.Contains(to)) {
        return PieceError(kind, "promotions",
                          absl::StrCat("it promotes on ", cell, ", where ",
                                       rules_->kind(promotion->to).id, " may not stand"));
      }
      promoted = promotion->to;
      PromotionCells& cells = table.promotions[static_cast<size_t>(from)];
      (promotion->forced ? cells.forced : cells.optional).Add(to);
    }
  }
  return absl::OkStatus();
}

void RulesBuilder::AddDrops(Kind kind, Side side) {
  const KindInfo& info = rules_->kind(kind);
  if (!info.in_hand) return;
  KindTables& table = tables(kind, side);
  table.drop_cells = rules_->game().dead_drops ? table.zone : MobileCells(rules_->rays(), table);
  table.dropped.assign(static_cast<size_t>(rules_->num_cells()), kind);
  if (info.pending == kNoKind) return;
  for (Cell cell : rules_->pending_zone(side)) {
    table.dropped[static_cast<size_t>(cell)] = info.pending;
  }
}

void RulesBuilder::AddKeys() {
  KeySequence keys(0x6372'6f73'7372'6976);
  rules_->piece_keys_.resize(static_cast<size_t>(2 * rules_->num_kinds() * rules_->num_cells()));
  rules_->hand_keys_.resize(static_cast<size_t>(2 * rules_->num_kinds() * (Rules::kMaxHand + 1)));
  for (uint64_t& key : rules_->piece_keys_) key = keys.Next();
  for (size_t i = 0; i < rules_->hand_keys_.size(); ++i) {
    // An empty hand adds nothing to the key.
    rules_->hand_keys_[i] = i % (Rules::kMaxHand + 1) == 0 ? 0 : keys.Next();
  }
  rules_->side_key_ = keys.Next();
}

void RulesBuilder::AddHash() { rules_->hash_ = Fingerprint(rules_->definition_); }

}  // namespace crossriver
