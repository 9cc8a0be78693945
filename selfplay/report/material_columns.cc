#include "selfplay/report/material_columns.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/notation.h"
#include "selfplay/players/piece_values.h"

namespace crossriver {
namespace {

constexpr double kHundredths = 100;

// The kinds of the array, and what these become by promotion and in their captors' hands.
std::vector<bool> KindsInPlay(const Rules& rules, const Position& array) {
  std::vector<bool> in_play(static_cast<size_t>(rules.num_kinds()), false);
  std::vector<Kind> open;
  const auto add = [&](Kind kind) {
    if (kind == kNoKind || in_play[static_cast<size_t>(kind)]) return;
    in_play[static_cast<size_t>(kind)] = true;
    open.push_back(kind);
  };
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    for (const Side side : kSides) {
      if (!array.pieces(kind, side).empty() || array.hand(side, kind) > 0) add(kind);
    }
  }
  while (!open.empty()) {
    const Kind kind = rules.kind(open.back()).base;
    open.pop_back();
    add(rules.kind(kind).hand_form);
    const auto& pieces = rules.definition().pieces;
    for (const PromotionRule& rule : pieces[static_cast<size_t>(kind)].promotions) add(rule.to);
  }
  return in_play;
}

}  // namespace

MaterialColumns::MaterialColumns(const Rules& rules) : rules_(rules) {
  const PieceValues values(rules);
  const Position array = StartPosition(rules);
  const std::vector<bool> in_play = KindsInPlay(rules, array);
  on_board_.fill(-1);
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    const KindInfo& info = rules.kind(kind);
    if (info.royal || info.is_pending(kind)) continue;
    on_board_[static_cast<size_t>(kind)] = size();
    columns_.push_back({kind, false, info.name, array.pieces(kind, Side::kFirst).size(),
                        values.value(kind) / kHundredths, in_play[static_cast<size_t>(kind)]});
  }
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    const KindInfo& info = rules.kind(kind);
    if (info.is_pending(kind)) {
      on_board_[static_cast<size_t>(kind)] = on_board_[static_cast<size_t>(info.base)];
    }
  }
  for (const Kind kind : rules.hand_kinds()) {
    columns_.push_back({kind, true, absl::StrCat(rules.kind(kind).name, " in hand"),
                        array.hand(Side::kFirst, kind), values.hand_value(kind) / kHundredths,
                        in_play[static_cast<size_t>(kind)]});
  }
}

void MaterialColumns::Differences(const Position& position, std::span<int8_t> differences) const {
  CR_CHECK(differences.size() == columns_.size());
  std::fill(differences.begin(), differences.end(), int8_t{0});
  const uint64_t present =
      position.kinds_present(Side::kFirst) | position.kinds_present(Side::kSecond);
  for (uint64_t kinds = present; kinds != 0; kinds &= kinds - 1) {
    const Kind kind = std::countr_zero(kinds);
    const int column = on_board_[static_cast<size_t>(kind)];
    if (column < 0) continue;
    const int more =
        position.pieces(kind, Side::kFirst).size() - position.pieces(kind, Side::kSecond).size();
    int8_t& difference = differences[static_cast<size_t>(column)];
    difference = static_cast<int8_t>(difference + more);
  }
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i].in_hand) continue;
    const Kind kind = columns_[i].kind;
    differences[i] =
        static_cast<int8_t>(position.hand(Side::kFirst, kind) - position.hand(Side::kSecond, kind));
  }
}

}  // namespace crossriver
