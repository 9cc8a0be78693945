#include "tests/selfplay/openings/opening_helpers.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/adjudicator.h"
#include "core/check.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/symmetry.h"
#include "selfplay/openings/opening_update.h"
#include "tests/random_positions.h"

namespace crossriver::testing {
namespace {

Wdl MadeUpOpinion(Random* random) {
  const float win = static_cast<float>(random->Below(1001)) / 1000;
  const float draw = (1 - win) * static_cast<float>(random->Below(1001)) / 1000;
  return {win, draw, 1 - win - draw};
}

GameRecord EmptyGame(const Rules& rules, uint64_t id) {
  GameRecord record;
  record.id = id;
  record.variant = rules.definition().id;
  record.rules_hash = rules.hash();
  record.start_fen = FormatFen(StartPosition(rules));
  return record;
}

// Board, hands and side to move.
std::string BoardOf(Position position) {
  position.SetCounts(0, 1);
  return FormatFen(position);
}

int64_t Whole(float probability) { return std::lround(probability * 65535.0F); }

struct Visit {
  std::string board;  // least of all images
  Position position;
  const RecordedMove* move;
};

class Recounter {
 public:
  Recounter(const Rules& rules, const OpeningSettings& settings)
      : settings_(settings), symmetries_(FindSymmetries(rules).start) {}

  void Add(const GameRecord& record, const Position& start) {
    std::vector<Visit> visits;
    std::set<std::string> seen;
    Position position = start;
    int ply = 0;
    for (const RecordedMove& move : record.moves) {
      if (ply++ == settings_.max_ply) break;
      const std::string board = LeastBoard(position);
      if (seen.insert(board).second) visits.push_back({board, position, &move});
      position.Do(move.move);
    }
    games_.push_back({record.result, std::move(visits)});
  }

  void FindKept() {
    for (size_t found = 1; found != 0;) {
      std::map<std::string, int64_t> coming;
      for (const Game& game : games_) {
        for (const Visit& visit : game.visits) {
          ++coming[visit.board];
          if (kept_.count(visit.board) == 0) break;
        }
      }
      found = 0;
      for (const auto& [board, games] : coming) {
        if (games >= settings_.min_games && kept_.insert(board).second) ++found;
      }
    }
  }

  std::map<std::string, RecountedPosition> Count(const CheckpointRange& checkpoints) const {
    std::map<std::string, RecountedPosition> counted;
    for (const Game& game : games_) {
      for (const Visit& visit : game.visits) {
        if (kept_.count(visit.board) == 0) break;
        const auto at =
            counted.try_emplace(visit.board, RecountedPosition{visit.position, {}}).first;
        const int64_t checkpoint = visit.move->checkpoint;
        if (checkpoint < checkpoints.first || checkpoint > checkpoints.last) continue;
        CountMove(game.result, visit, &at->second);
      }
    }
    return counted;
  }

 private:
  struct Game {
    Result result;
    std::vector<Visit> visits;
  };

  std::string LeastBoard(const Position& position) const {
    std::string least = BoardOf(position);
    for (const Symmetry& symmetry : symmetries_) {
      least = std::min(least, BoardOf(symmetry.Map(position)));
    }
    return least;
  }

  // The least move of the position that is the visit's under some symmetry.
  Move As(const Position& position, const Visit& visit) const {
    std::vector<Move> moves;
    for (const Symmetry& symmetry : symmetries_) {
      if (BoardOf(symmetry.Map(visit.position)) != BoardOf(position)) continue;
      moves.push_back(symmetry.Map(visit.move->move));
    }
    CR_CHECK(!moves.empty());
    return *std::min_element(moves.begin(), moves.end());
  }

  void CountMove(Result result, const Visit& visit, RecountedPosition* at) const {
    const RecordedMove& move = *visit.move;
    OpeningCounts& counts = at->moves[As(at->position, visit)];
    ++counts.games;
    if (result == Result::kWin) ++counts.first_wins;
    if (result == Result::kDraw) ++counts.draws;
    if (result == Result::kLoss) ++counts.second_wins;
    if (move.checkpoint != kNoCheckpoint) {
      ++counts.opinions;
      counts.value_sum += 2 * Whole(move.raw.win) + Whole(move.raw.draw);
    }
    if (move.visits > 0) {
      ++counts.searches;
      counts.search_value_sum += 2 * Whole(move.root.win) + Whole(move.root.draw);
      counts.visits_sum += move.visits;
    }
  }

  const OpeningSettings settings_;
  const std::vector<Symmetry> symmetries_;
  std::vector<Game> games_;
  std::set<std::string> kept_;
};

}  // namespace

GameRecord BranchingGame(const Rules& rules, uint64_t id, int plies) {
  Random random("branching", 1, static_cast<int>(id));
  GameRecord record = EmptyGame(rules, id);
  Position position = StartPosition(rules);
  std::vector<Move> legal;
  while (static_cast<int>(record.moves.size()) < plies) {
    GenerateLegalMoves(position, &legal);
    if (legal.empty()) break;
    std::sort(legal.begin(), legal.end());
    // The array's first moves are mirror images of its last ones as often as not.
    const size_t choice = random.Below(3);
    RecordedMove move;
    move.move = choice == 0 ? legal.front() : choice == 1 ? legal.back() : legal[legal.size() / 2];
    move.checkpoint = random.Percent(10) ? kNoCheckpoint : random.Between(0, 5);
    if (move.checkpoint != kNoCheckpoint) {
      move.raw = MadeUpOpinion(&random);
      move.root = MadeUpOpinion(&random);
      move.visits = random.Percent(20) ? 0 : static_cast<uint32_t>(random.Between(1, 1000));
    }
    record.moves.push_back(move);
    position.Do(move.move);
  }
  const Result results[] = {Result::kWin, Result::kLoss, Result::kDraw, Result::kNone};
  record.result = results[random.Below(4)];
  record.resigned = record.result == Result::kWin || record.result == Result::kLoss;
  record.truncated = record.result == Result::kNone;
  const size_t symmetries = FindSymmetries(rules).start.size();
  return id % 2 == 0 ? record : Mirrored(rules, record, random.Below(symmetries));
}

GameRecord GameOf(const Rules& rules, const std::vector<std::string>& moves, Result result,
                  int64_t checkpoint) {
  static uint64_t id = 0;
  GameRecord record = EmptyGame(rules, ++id);
  record.result = result;
  record.resigned = result == Result::kWin || result == Result::kLoss;
  record.truncated = result == Result::kNone;
  Position position = StartPosition(rules);
  for (const std::string& text : moves) {
    const absl::StatusOr<Move> move = ParseMove(position, text);
    CR_CHECK_OK(move.status());
    RecordedMove recorded;
    recorded.move = *move;
    recorded.checkpoint = checkpoint;
    recorded.visits = 10;
    recorded.raw = {0.5F, 0, 0.5F};
    recorded.root = {1, 0, 0};
    record.moves.push_back(recorded);
    position.Do(*move);
  }
  return record;
}

GameRecord Mirrored(const Rules& rules, const GameRecord& record, size_t symmetry) {
  const std::vector<Symmetry> symmetries = FindSymmetries(rules).start;
  GameRecord mirrored = record;
  for (RecordedMove& move : mirrored.moves) move.move = symmetries[symmetry].Map(move.move);
  return mirrored;
}

TreeInMemory TreeOf(const Rules& rules, const std::vector<GameRecord>& games,
                    const OpeningSettings& settings) {
  TreeInMemory made;
  made.classes = std::make_unique<PositionClasses>(&rules);
  auto database = BuildOpenings(*made.classes, settings, [&](OpeningGameTaker take) {
    for (const GameRecord& game : games) CR_CHECK_OK(take(game, 0));
    return absl::OkStatus();
  });
  CR_CHECK_OK(database.status());
  made.database = *std::move(database);
  auto tree = OpeningTree::Open(made.database.get(), &rules);
  CR_CHECK_OK(tree.status());
  made.tree = *std::move(tree);
  return made;
}

std::string DumpTree(Database* database) {
  std::string dump;
  for (const char* sql :
       {"SELECT key, fen FROM opening_positions ORDER BY key",
        "SELECT key, move || ',' || checkpoint || ',' || ply || ':' || games || ',' || first_wins "
        "|| ',' || draws || ',' || second_wins || ',' || opinions || ',' || value_sum || ',' || "
        "searches || ',' || search_value_sum || ',' || visits_sum FROM opening_moves "
        "ORDER BY key, move, checkpoint, ply"}) {
    absl::StatusOr<Statement> select = database->Prepare(sql);
    CR_CHECK_OK(select.status());
    while (select->Step().value()) {
      absl::StrAppend(&dump, select->Int(0), " ", select->Text(1), "\n");
    }
  }
  return dump;
}

std::map<std::string, RecountedPosition> Recount(const Rules& rules,
                                                 const std::vector<GameRecord>& games,
                                                 const OpeningSettings& settings,
                                                 const CheckpointRange& checkpoints) {
  Recounter recounter(rules, settings);
  for (const GameRecord& game : games) recounter.Add(game, StartPosition(rules));
  recounter.FindKept();
  return recounter.Count(checkpoints);
}

}  // namespace crossriver::testing
