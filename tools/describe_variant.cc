#include "tools/describe_variant.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/action_space.h"
#include "core/notation.h"
#include "core/symmetry.h"
#include "core/table_builder.h"
#include "tools/board_drawing.h"

namespace crossriver {
namespace {

constexpr size_t kTextColumns = 100;
constexpr char kLegend[] =
    "Moves of the first player's pieces (O) on an empty board:\n"
    "  x  moves or captures      m  moves only          c  captures only\n"
    "  /  the cells a leap passes must be empty\n"
    "  h  captures over exactly one piece       *  the same, or moves there directly\n"
    "  H  moves or captures over exactly one piece, or only moves (see the file)\n"
    "  d  a leap that also captures an enemy it passes\n";

// "files d-f, ranks 1-3" does not fit every set; the cells of a rank after each other do.
std::string CellsText(const Topology& topology, SquareSet cells) {
  std::map<std::string, std::vector<int>> ranks_of;  // by column letters
  for (int rank = 0; rank < topology.ranks(); ++rank) {
    std::string letters;
    for (int column = 0; column < topology.columns(); ++column) {
      if (cells.Contains(topology.CellOf(column, rank))) letters += static_cast<char>('a' + column);
    }
    if (!letters.empty()) ranks_of[letters].push_back(rank + 1);
  }
  std::vector<std::string> parts;
  for (const auto& [letters, ranks] : ranks_of) {
    const bool run = ranks.back() - ranks.front() + 1 == static_cast<int>(ranks.size());
    parts.push_back(absl::StrCat(
        "files ", letters, " ranks ",
        run ? absl::StrCat(ranks.front(), "-", ranks.back()) : absl::StrJoin(ranks, ",")));
  }
  return absl::StrCat(absl::StrJoin(parts, "; "), " (", cells.size(), " cells)");
}

std::string ZoneName(const VariantDefinition& definition, SquareSet cells) {
  for (const auto& [name, zone] : definition.zones) {
    if (zone == cells) return name;
  }
  return cells == definition.topology.all() ? "all" : CellsText(definition.topology, cells);
}

// A mark for each destination from `from`.
std::map<Cell, char> Marks(const Rules& rules, const KindTables& tables, Cell from) {
  std::map<Cell, char> marks;
  const auto mark = [&](SquareSet cells, char both, MoveMode mode) {
    const char letter = mode == MoveMode::kMoveOnly      ? 'm'
                        : mode == MoveMode::kCaptureOnly ? 'c'
                                                         : both;
    for (Cell cell : cells& tables.zone) marks[cell] = letter;
  };
  const CellMoves& moves = tables.MovesFrom(from);
  for (const RayMove& ray : tables.HopsOf(moves)) {
    for (Cell cell : rules.rays().ray(ray.direction, from) & tables.zone) {
      if (rules.rays().between(from, cell).empty()) continue;
      marks[cell] = ray.mode == MoveMode::kCaptureOnly ? 'h' : 'H';
    }
  }
  for (const RayMove& ray : tables.SlidesOf(moves)) {
    for (Cell cell : rules.rays().ray(ray.direction, from)) {
      const auto hop = marks.find(cell);
      if (hop == marks.end()) {
        mark(SquareSet::Of(cell), 'x', ray.mode);
      } else if (hop->second == 'h' && ray.mode == MoveMode::kMoveOnly) {
        hop->second = '*';  // a Cannon's
      }
    }
  }
  for (const PathLeap& leap : tables.PathLeapsOf(moves)) {
    mark(leap.targets, '/', leap.mode);
  }
  for (const Displacement& d : tables.DisplacementsOf(moves)) {
    mark(SquareSet::Of(d.destination), 'd', MoveMode::kBoth);
  }
  mark(moves.quiet_leap, 'x', MoveMode::kMoveOnly);
  mark(moves.capture_leap, 'x', MoveMode::kCaptureOnly);
  mark(moves.leap, 'x', MoveMode::kBoth);
  return marks;
}

// The cell of `cells` with the most destinations, the one nearest to the middle among equals.
Cell ShowCell(const Rules& rules, const KindTables& tables, SquareSet cells) {
  const Topology& topology = rules.topology();
  const auto middle_distance = [&topology](Cell cell) {
    const Vec3 at = topology.At(cell);
    return std::abs(2 * at.level + 1 - topology.levels()) +
           std::abs(2 * at.file + 1 - topology.files()) +
           std::abs(2 * at.rank + 1 - topology.ranks());
  };
  return *std::min_element(cells.begin(), cells.end(), [&](Cell a, Cell b) {
    const int reach_a = ReachableCells(rules.rays(), tables, a).size();
    const int reach_b = ReachableCells(rules.rays(), tables, b).size();
    return std::pair(-reach_a, middle_distance(a)) < std::pair(-reach_b, middle_distance(b));
  });
}

std::string PromotionText(const Rules& rules, const PieceDefinition& piece) {
  std::vector<std::string> parts;
  for (const PromotionRule& rule : piece.promotions) {
    parts.push_back(absl::StrCat(rules.kind(rule.to).letter, " ", rule.optional ? "at will " : "",
                                 rule.on_start ? "in or from " : "in ",
                                 ZoneName(rules.definition(), rule.zone)));
  }
  return absl::StrJoin(parts, ", else ");
}

std::vector<std::string> DescribePiece(const Rules& rules, Kind kind, SquareSet shown_from) {
  const PieceDefinition& piece = rules.definition().pieces[static_cast<size_t>(kind)];
  const KindTables& tables = rules.tables(kind, Side::kFirst);
  std::vector<std::string> block = {absl::StrCat(piece.letter, "  ", piece.name)};
  std::vector<std::string> facts;
  if (piece.royal) facts.push_back("royal");
  if (piece.zone != rules.topology().all()) {
    facts.push_back(absl::StrCat("stays in ", ZoneName(rules.definition(), piece.zone)));
  }
  if (piece.hand_form != kNoKind) {
    facts.push_back(absl::StrCat("to hand as ", rules.kind(piece.hand_form).letter));
  }
  if (piece.max_per_file > 0) facts.push_back(absl::StrCat(piece.max_per_file, " a file by drops"));
  if (!piece.drop_mate) facts.push_back("no drop mate");
  if (piece.resets_progress) facts.push_back("progress");
  block.push_back(absl::StrCat("   ", absl::StrJoin(facts, ", ")));
  const std::string promotions = PromotionText(rules, piece);
  block.push_back(promotions.empty() ? "" : absl::StrCat("   to ", promotions));
  const Cell from = ShowCell(rules, tables, shown_from);
  const std::map<Cell, char> marks = Marks(rules, tables, from);
  const auto mark = [&](Cell cell) {
    if (cell == from) return std::string("O");
    const auto found = marks.find(cell);
    return std::string(1, found == marks.end() ? '.' : found->second);
  };
  for (const std::string& line : DrawCells(rules.topology(), 1, mark, {})) block.push_back(line);
  return block;
}

std::string DescribePieces(const Rules& rules) {
  std::vector<std::vector<std::string>> blocks;
  const auto& pieces = rules.definition().pieces;
  for (Kind kind = 0; kind < static_cast<Kind>(pieces.size()); ++kind) {
    const PieceDefinition& piece = pieces[static_cast<size_t>(kind)];
    SquareSet special = piece.zone;
    for (const Atom& atom : piece.atoms) special &= atom.from;
    // A piece that moves differently by place is drawn in both.
    for (const SquareSet from : {special, piece.zone - special}) {
      if (!from.empty()) blocks.push_back(DescribePiece(rules, kind, from));
    }
  }
  return absl::StrCat(kLegend, "\n", SideBySide(blocks, kTextColumns));
}

std::string DescribeRules(const Rules& rules) {
  const GameRules& game = rules.game();
  const char* const stalemate[] = {"draws", "loses", "wins"};
  const char* const repetition[] = {"draws", "loses for the first player",
                                    "loses for the second player"};
  std::string text = absl::StrCat("No legal move: in check loses; otherwise ",
                                  stalemate[static_cast<int>(game.stalemate)], "\n");
  if (game.repetitions > 0) {
    absl::StrAppend(&text, "Repetition: occurrence ", game.repetitions, " of a position ",
                    repetition[static_cast<int>(game.repetition)],
                    game.perpetual_check == PerpetualCheckRule::kLoss
                        ? "; a side that checked throughout loses"
                        : "",
                    "\n");
  }
  std::vector<std::string> progress;
  if (game.capture_is_progress) progress.push_back("captures");
  if (game.drop_is_progress && rules.has_drops()) progress.push_back("drops");
  if (game.promotion_is_progress) progress.push_back("promotions");
  progress.push_back("moves of pieces marked progress");
  absl::StrAppend(
      &text, "No progress: ",
      game.no_progress_plies > 0 ? absl::StrCat(game.no_progress_plies, " plies draw") : "no limit",
      "; progress is ", absl::StrJoin(progress, ", "), "\n");
  absl::StrAppend(&text, "Facing royals: ", game.facing_ban ? "banned along a file" : "allowed",
                  "\n");
  std::vector<std::string> hand;
  for (const Kind kind : rules.hand_kinds()) hand.push_back(rules.kind(kind).letter);
  absl::StrAppend(&text, "Drops: ", hand.empty() ? "none" : absl::StrJoin(hand, " "),
                  hand.empty() || game.dead_drops ? "" : ", where the piece could move",
                  game.pending_zone.empty()
                      ? ""
                      : absl::StrCat(", pending promotion in ",
                                     ZoneName(rules.definition(), game.pending_zone)),
                  "\n");
  for (const auto& [name, on] : rules.definition().toggles) {
    absl::StrAppend(&text, "Toggle ", name, ": ", on ? "on" : "off", "\n");
  }
  return text;
}

std::string DescribeSymmetries(const Rules& rules) {
  const SymmetryGroups groups = FindSymmetries(rules);
  std::string text;
  for (const auto& [name, group] :
       {std::pair("rules", &groups.rules), {"reach", &groups.reach}, {"start", &groups.start}}) {
    std::vector<std::string> names;
    for (const Symmetry& symmetry : *group) names.push_back(symmetry.name());
    absl::StrAppendFormat(&text, "Symmetries, %s: %d (%s)\n", name, group->size(),
                          absl::StrJoin(names, "; "));
  }
  return text;
}

}  // namespace

std::string DescribeVariant(const Rules& rules) {
  const VariantDefinition& definition = rules.definition();
  std::string text =
      absl::StrCat(definition.name, " (", definition.id, ", family ", definition.family, ")\n\n",
                   DrawPosition(StartPosition(rules), false), "\n");
  for (const auto& [name, zone] : definition.zones) {
    absl::StrAppend(&text, "Zone ", name, ": ", CellsText(definition.topology, zone), "\n");
  }
  absl::StrAppend(&text, "\n", DescribePieces(rules), DescribeRules(rules));
  absl::StrAppend(&text, DescribeSymmetries(rules));
  const ActionSpace actions(&rules);
  absl::StrAppendFormat(&text, "Action space: %d rows x %d cells, hash %016x\n", actions.rows(),
                        actions.columns(), actions.hash());
  absl::StrAppendFormat(&text, "Rules hash: %016x\n", rules.hash());
  return text;
}

}  // namespace crossriver
