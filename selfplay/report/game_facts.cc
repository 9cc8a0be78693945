#include "selfplay/report/game_facts.h"

#include <algorithm>
#include <utility>

namespace crossriver {
namespace {

// Takes the positions of one game one after the other.
class GameExamination {
 public:
  GameExamination(const MaterialColumns& columns, const GameRecord& record)
      : columns_(columns), record_(record), row_(static_cast<size_t>(columns.size())) {
    facts_.result = record.result;
    facts_.end = EndOfGame(record);
    facts_.plies = static_cast<int>(record.moves.size());
    facts_.choices.reserve(record.moves.size());
    facts_.deeds.resize(static_cast<size_t>(columns.rules().num_kinds()));
  }

  void Visit(size_t ply, const Position& position, const History& history, size_t choices) {
    if (history.in_check()) ++facts_.checks;
    bool captures = false;
    if (ply < record_.moves.size()) {
      facts_.choices.push_back(static_cast<int>(choices));
      captures = Play(position, record_.moves[ply].move);
    }
    if (!captures && !captured_before_) {
      columns_.Differences(position, row_);
      facts_.material.Add(row_);
    }
    captured_before_ = captures;
  }

  GameFacts TakeFacts() { return std::move(facts_); }

 private:
  // Whether the move captures.
  bool Play(const Position& position, Move move) {
    if (move.is_drop()) {
      ++facts_.drops;
      ++Deeds(move.drop_kind()).drops;
      return false;
    }
    PieceDeeds& mover = Deeds(KindOf(position.piece_at(move.from())));
    ++mover.moves;
    if (move.promotes()) {
      ++facts_.promotions;
      ++mover.promotions;
    }
    const Piece taken = position.piece_at(move.to());
    const Cell passed = position.DisplacedCell(move);
    if (taken != kNoPiece) Capture(taken, &mover);
    if (passed != kNoCell) {
      Capture(position.piece_at(passed), &mover);
      ++facts_.displacer_captures;
      if (taken != kNoPiece) ++facts_.double_captures;
    }
    return taken != kNoPiece || passed != kNoCell;
  }

  void Capture(Piece taken, PieceDeeds* mover) {
    ++facts_.captures;
    ++mover->captures;
    ++Deeds(KindOf(taken)).captured;
  }

  PieceDeeds& Deeds(Kind kind) {
    return facts_.deeds[static_cast<size_t>(columns_.rules().kind(kind).base)];
  }

  const MaterialColumns& columns_;
  const GameRecord& record_;
  std::vector<int8_t> row_;
  bool captured_before_ = false;
  GameFacts facts_;
};

}  // namespace

absl::string_view GameEndText(GameEnd end) {
  constexpr absl::string_view kTexts[kNumGameEnds] = {
      "checkmate",   "stalemate",   "repetition", "perpetual check",
      "no progress", "resignation", "agreement",  "cut short"};
  return kTexts[static_cast<size_t>(end)];
}

GameEnd EndOfGame(Reason reason, bool resigned, bool truncated) {
  if (truncated) return GameEnd::kCutShort;
  if (resigned) return GameEnd::kResignation;
  switch (reason) {
    case Reason::kCheckmate:
      return GameEnd::kCheckmate;
    case Reason::kStalemate:
      return GameEnd::kStalemate;
    case Reason::kRepetition:
      return GameEnd::kRepetition;
    case Reason::kPerpetualCheck:
      return GameEnd::kPerpetualCheck;
    case Reason::kNoProgress:
      return GameEnd::kNoProgress;
    case Reason::kNone:
      break;
  }
  return GameEnd::kAgreement;
}

GameEnd EndOfGame(const GameRecord& record) {
  return EndOfGame(record.reason, record.resigned, record.truncated);
}

PieceDeeds& PieceDeeds::operator+=(const PieceDeeds& other) {
  moves += other.moves;
  drops += other.drops;
  promotions += other.promotions;
  captures += other.captures;
  captured += other.captured;
  return *this;
}

void MaterialSpells::Add(const std::vector<int8_t>& row) {
  const bool same =
      !plies.empty() && std::equal(row.begin(), row.end(),
                                   differences.end() - static_cast<std::ptrdiff_t>(row.size()));
  if (same) {
    ++plies.back();
    return;
  }
  differences.insert(differences.end(), row.begin(), row.end());
  plies.push_back(1);
}

absl::StatusOr<GameFacts> ExamineGame(const MaterialColumns& columns, const GameRecord& record) {
  GameExamination examination(columns, record);
  const absl::Status status = ReplayRecord(
      columns.rules(), record,
      [&](int ply, const Position& position, const History& history, std::span<const Move> legal) {
        examination.Visit(static_cast<size_t>(ply), position, history, legal.size());
        return true;
      });
  if (!status.ok()) return status;
  return examination.TakeFacts();
}

}  // namespace crossriver
