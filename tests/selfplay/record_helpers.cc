#include "tests/selfplay/record_helpers.h"

#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "tests/random_positions.h"

namespace crossriver::testing {
namespace {

float Share(Random* random) { return static_cast<float>(random->Below(1001)) / 1000; }

Wdl RandomWdl(Random* random) {
  const float win = Share(random);
  const float draw = (1 - win) * Share(random);
  return {win, draw, 1 - win - draw};
}

SparsePolicy RandomPolicy(std::span<const Move> moves, Random* random) {
  std::vector<float> target(moves.size());
  float sum = 0;
  for (float& share : target) {
    share = random->Percent(50) ? Share(random) : 1e-5F;
    sum += share;
  }
  for (float& share : target) share /= sum;
  return MakeSparsePolicy(moves, target);
}

RecordedMove RandomMove(std::span<const Move> legal, Random* random) {
  RecordedMove move;
  move.move = legal[random->Below(legal.size())];
  move.checkpoint = kNoCheckpoint;
  if (random->Percent(10)) return move;
  move.full = random->Percent(40);
  move.visits = static_cast<uint32_t>(random->Between(1, 100000));
  move.root = RandomWdl(random);
  move.raw = RandomWdl(random);
  move.checkpoint = random->Between(3, 5);
  if (!move.full) return move;
  move.policy = RandomPolicy(legal, random);
  move.surprise = Share(random);
  return move;
}

}  // namespace

GameRecord RandomRecord(const Rules& rules, uint64_t id, int plies) {
  Random random("record", 1, static_cast<int>(id));
  GameRecord record;
  record.id = id;
  record.seed = ~id;
  record.variant = rules.definition().id;
  record.rules_hash = rules.hash();
  record.max_plies = plies;
  record.no_progress_limit = random.Between(0, 100);
  record.start_kind = random.Percent(50) ? StartKind::kArray : StartKind::kRandomPlies;
  Position position = StartPosition(rules);
  record.start_fen = FormatFen(position);
  History history(position);
  std::vector<Move> legal;
  while (true) {
    GenerateLegalMoves(position, &legal);
    const Outcome outcome = Adjudicate(position, history, !legal.empty());
    if (outcome.is_over()) {
      const bool first_wins =
          (outcome.result == Result::kWin) == (position.side_to_move() == Side::kFirst);
      record.result = first_wins ? Result::kWin : Result::kLoss;
      if (outcome.result == Result::kDraw) record.result = Result::kDraw;
      record.reason = outcome.reason;
      return record;
    }
    if (static_cast<int>(record.moves.size()) >= plies) break;
    record.moves.push_back(RandomMove(legal, &random));
    const UndoRecord undo = position.Do(record.moves.back().move);
    history.Push(position, undo);
  }
  record.resigned = random.Percent(50);
  record.truncated = !record.resigned;
  if (record.resigned) record.result = random.Percent(50) ? Result::kWin : Result::kLoss;
  if (random.Percent(30)) record.resign_ply = random.Between(0, plies);
  return record;
}

absl::Status Replay(const Rules& rules, const GameRecord& record) {
  return ReplayRecord(
      rules, record,
      [](int, const Position&, const History&, std::span<const Move>) { return true; });
}

void ExpectError(const absl::Status& status, std::initializer_list<const char*> words) {
  EXPECT_FALSE(status.ok());
  for (const char* word : words) {
    EXPECT_NE(std::string(status.message()).find(word), std::string::npos)
        << "no '" << word << "' in: " << status;
  }
}

RunDirectory NewRun(const std::string& path) {
  absl::StatusOr<RunDirectory> run = RunDirectory::Create(path, "# settings\n");
  CR_CHECK_OK(run.status());
  return *std::move(run);
}

}  // namespace crossriver::testing
