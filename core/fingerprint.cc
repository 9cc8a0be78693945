#include "core/fingerprint.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

std::string Spell(SquareSet set) {
  return absl::StrCat(absl::Hex(set.high(), absl::kZeroPad16),
                      absl::Hex(set.low(), absl::kZeroPad16), " ");
}

std::string Spell(const PieceDefinition& piece) {
  std::string text = absl::StrCat("piece ", piece.id, " ", piece.letter, " ", piece.royal, " ",
                                  piece.resets_progress, " ", piece.hand_form, " ",
                                  piece.max_per_file, " ", piece.drop_mate, " ");
  text += Spell(piece.zone);
  for (const Atom& atom : piece.atoms) {
    absl::StrAppend(&text, "atom ", static_cast<int>(atom.kind), " ",
                    static_cast<int>(atom.through), " ", static_cast<int>(atom.mode), " ",
                    Spell(atom.from));
    for (const Vec3& v : atom.vectors) {
      absl::StrAppend(&text, v.level, ",", v.file, ",", v.rank, " ");
    }
  }
  for (const PromotionRule& rule : piece.promotions) {
    absl::StrAppend(&text, "promotion ", rule.to, " ", rule.on_start, " ", rule.optional, " ",
                    Spell(rule.zone));
  }
  return text + "\n";
}

std::string Spell(const GameRules& rules) {
  return absl::StrCat(
      "rules ", rules.facing_ban, " ", static_cast<int>(rules.stalemate), " ", rules.repetitions,
      " ", static_cast<int>(rules.repetition), " ", static_cast<int>(rules.perpetual_check), " ",
      rules.no_progress_plies, " ", rules.capture_is_progress, " ", rules.drop_is_progress, " ",
      rules.promotion_is_progress, " ", rules.dead_drops, " ", Spell(rules.pending_zone), "\n");
}

}  // namespace

uint64_t HashBytes(absl::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return hash;
}

uint64_t Fingerprint(const VariantDefinition& definition) {
  const Topology& board = definition.topology;
  std::string text = absl::StrCat("board ", board.ranks(), " ");
  for (Cell cell = 0; cell < board.columns(); ++cell) absl::StrAppend(&text, board.Name(cell), " ");
  absl::StrAppend(&text, board.levels(), "\n", Spell(definition.rules));
  for (const PieceDefinition& piece : definition.pieces) text += Spell(piece);
  return HashBytes(text);
}

}  // namespace crossriver
