#include "tests/slow_rules.h"

#include <algorithm>
#include <utility>

#include "core/topology.h"
#include "tests/slow_pieces.h"

namespace crossriver::testing {
namespace {

// What the piece may be after a move: definitions, -1 for itself.
std::vector<int> Endings(const SlowBoard& board, const SlowPiece& piece, Vec3 from, Vec3 to) {
  const std::vector<PromotionRule>& rules = DefinitionOf(board, piece.definition).promotions;
  for (const PromotionRule& rule : rules) {
    const bool ends_there = InZone(board, rule.zone, piece.side, to);
    if (piece.pending) {
      if (ends_there) return {rule.to};
    } else if (ends_there || (rule.on_start && InZone(board, rule.zone, piece.side, from))) {
      const bool may_decline =
          rule.optional && CanEverMove(board, piece.definition, piece.side, to);
      return may_decline ? std::vector<int>{-1, rule.to} : std::vector<int>{rule.to};
    }
  }
  // A pending piece is promoted wherever its move ends.
  return {piece.pending ? rules.back().to : -1};
}

Vec3 RoyalOf(const SlowBoard& board, Side side) {
  const Topology& topology = board.variant->topology;
  for (Cell cell = 0; cell < topology.num_cells(); ++cell) {
    const SlowPiece& piece = board.at(cell);
    if (!piece.empty() && piece.side == side && DefinitionOf(board, piece.definition).royal) {
      return topology.At(cell);
    }
  }
  return {-1, -1, -1};
}

// Whether some piece of the other side could capture the royal piece of `side`.
bool RoyalAttacked(const SlowBoard& board, Side side) {
  const Topology& topology = board.variant->topology;
  const Vec3 royal = RoyalOf(board, side);
  for (Cell cell = 0; cell < topology.num_cells(); ++cell) {
    if (board.at(cell).empty() || board.at(cell).side == side) continue;
    for (const Target& target : TargetsOf(board, topology.At(cell))) {
      if (target.to == royal || target.displaced == royal) return true;
    }
  }
  return false;
}

bool RoyalsFaceEachOther(const SlowBoard& board) {
  Vec3 low = RoyalOf(board, Side::kFirst);
  Vec3 high = RoyalOf(board, Side::kSecond);
  if (low.level != high.level || low.file != high.file) return false;
  if (low.rank > high.rank) std::swap(low, high);
  for (++low.rank; low.rank < high.rank; ++low.rank) {
    if (!PieceAt(board, low).empty()) return false;
  }
  return true;
}

// At most max_per_file pieces of the kind on a file, of those that are not promoted.
bool FileHasRoom(const SlowBoard& board, int piece, Vec3 at) {
  const int limit = DefinitionOf(board, piece).max_per_file;
  if (limit == 0) return true;
  int count = 0;
  for (at.rank = 0; at.rank < board.variant->topology.ranks(); ++at.rank) {
    const SlowPiece& there = PieceAt(board, at);
    if (there.definition == piece && there.side == board.mover) ++count;
  }
  return count < limit;
}

void AddDrops(const SlowBoard& board, int piece, std::vector<SlowMove>* moves) {
  const Topology& topology = board.variant->topology;
  for (Cell cell = 0; cell < topology.num_cells(); ++cell) {
    const Vec3 at = topology.At(cell);
    if (!board.at(cell).empty()) continue;
    if (!InZone(board, DefinitionOf(board, piece).zone, board.mover, at)) continue;
    if (!FileHasRoom(board, piece, at)) continue;
    if (!board.variant->rules.dead_drops && !CanEverMove(board, piece, board.mover, at)) continue;
    SlowMove move;
    move.dropped = piece;
    move.to = cell;
    moves->push_back(move);
  }
}

void AddBoardMoves(const SlowBoard& board, Cell from, std::vector<SlowMove>* moves) {
  const Topology& topology = board.variant->topology;
  const Vec3 start = topology.At(from);
  for (const Target& target : TargetsOf(board, start)) {
    for (const int promoted : Endings(board, board.at(from), start, target.to)) {
      SlowMove move;
      move.from = from;
      move.to = topology.CellAt(target.to);
      if (target.displaced.has_value()) move.displaced = topology.CellAt(*target.displaced);
      move.promoted = promoted;
      moves->push_back(move);
    }
  }
}

// All moves of the mover but for the safety of his royal piece and mate by drops.
std::vector<SlowMove> PseudoLegalMoves(const SlowBoard& board) {
  std::vector<SlowMove> moves;
  for (Cell cell = 0; cell < board.variant->topology.num_cells(); ++cell) {
    if (!board.at(cell).empty() && board.at(cell).side == board.mover) {
      AddBoardMoves(board, cell, &moves);
    }
  }
  const std::vector<int>& hand = board.hands[static_cast<size_t>(board.mover)];
  for (size_t piece = 0; piece < hand.size(); ++piece) {
    if (hand[piece] > 0) AddDrops(board, static_cast<int>(piece), &moves);
  }
  // Two ways of moving may lead from one cell to another; that is one move.
  std::sort(moves.begin(), moves.end());
  moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
  return moves;
}

bool IsLegalMove(const SlowBoard& board, const SlowMove& move);

bool IsMate(const SlowBoard& board) {
  if (!RoyalAttacked(board, board.mover)) return false;
  const std::vector<SlowMove> moves = PseudoLegalMoves(board);
  return std::none_of(moves.begin(), moves.end(),
                      [&](const SlowMove& move) { return IsLegalMove(board, move); });
}

bool IsLegalMove(const SlowBoard& board, const SlowMove& move) {
  const SlowBoard after = SlowPlay(board, move);
  if (RoyalAttacked(after, board.mover)) return false;
  if (board.variant->rules.facing_ban && RoyalsFaceEachOther(after)) return false;
  const bool may_mate = !move.is_drop() || DefinitionOf(board, move.dropped).drop_mate;
  return may_mate || !IsMate(after);
}

void Capture(SlowBoard* board, Cell cell) {
  SlowPiece& captured = board->at(cell);
  if (captured.empty()) return;
  const Kind form = DefinitionOf(*board, captured.definition).hand_form;
  if (form != kNoKind) ++board->hand(board->mover, form);
  captured = SlowPiece();
}

}  // namespace

SlowBoard::SlowBoard(const VariantDefinition* definition)
    : variant(definition), cells(static_cast<size_t>(definition->topology.num_cells())) {
  for (std::vector<int>& counts : hands) counts.assign(definition->pieces.size(), 0);
}

SlowBoard::SlowBoard(const Position& position) : SlowBoard(&position.rules().definition()) {
  mover = position.side_to_move();
  for (Cell cell = 0; cell < variant->topology.num_cells(); ++cell) {
    const Piece piece = position.piece_at(cell);
    if (piece == kNoPiece) continue;
    const KindInfo& info = position.rules().kind(KindOf(piece));
    at(cell) = {info.base, SideOf(piece), info.is_pending(KindOf(piece))};
  }
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    for (int piece = 0; piece < static_cast<int>(variant->pieces.size()); ++piece) {
      hand(side, piece) = position.hand(side, piece);
    }
  }
}

std::vector<SlowMove> SlowMoves(const SlowBoard& board) {
  std::vector<SlowMove> moves = PseudoLegalMoves(board);
  std::erase_if(moves, [&](const SlowMove& move) { return !IsLegalMove(board, move); });
  return moves;
}

SlowBoard SlowPlay(const SlowBoard& board, const SlowMove& move) {
  SlowBoard after = board;
  const VariantDefinition& variant = *board.variant;
  if (move.is_drop()) {
    --after.hand(board.mover, move.dropped);
    const bool pending =
        !DefinitionOf(board, move.dropped).promotions.empty() &&
        InZone(board, variant.rules.pending_zone, board.mover, variant.topology.At(move.to));
    after.at(move.to) = {move.dropped, board.mover, pending};
  } else {
    SlowPiece piece = board.at(move.from);
    if (move.promoted >= 0) piece = {move.promoted, board.mover, false};
    after.at(move.from) = SlowPiece();
    Capture(&after, move.to);
    if (move.displaced != kNoCell) Capture(&after, move.displaced);
    after.at(move.to) = piece;
  }
  after.mover = Other(board.mover);
  return after;
}

std::string SlowText(const SlowBoard& board, const SlowMove& move) {
  const std::string to = board.variant->topology.Name(move.to);
  if (move.is_drop()) return DefinitionOf(board, move.dropped).letter + "@" + to;
  return board.variant->topology.Name(move.from) + to + (move.promoted >= 0 ? "+" : "");
}

std::vector<std::string> SlowLegalMoves(const Position& position) {
  const SlowBoard board(position);
  std::vector<std::string> texts;
  for (const SlowMove& move : SlowMoves(board)) texts.push_back(SlowText(board, move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

bool SlowInCheck(const Position& position) {
  const SlowBoard board(position);
  return RoyalAttacked(board, board.mover);
}

}  // namespace crossriver::testing
