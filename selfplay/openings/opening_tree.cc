#include "selfplay/openings/opening_tree.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "core/notation.h"
#include "selfplay/openings/opening_schema.h"
#include "selfplay/share_interval.h"

namespace crossriver {
namespace {

constexpr auto kReadTimeout = std::chrono::seconds(10);

#define CROSSRIVER_COUNT_COLUMNS                                                             \
  "games, first_wins, draws, second_wins, opinions, value_sum, searches, search_value_sum, " \
  "visits_sum"
constexpr char kMovesOf[] =
    "SELECT move, checkpoint, ply, " CROSSRIVER_COUNT_COLUMNS " FROM opening_moves WHERE key = ?";
#undef CROSSRIVER_COUNT_COLUMNS
// In the order of the table: all rows of a position together.
constexpr char kAllMoves[] =
    "SELECT key, ply, move, games FROM opening_moves WHERE checkpoint BETWEEN ? AND ?";

OpeningCounts ReadCounts(const Statement& row, int column) {
  OpeningCounts counts;
  for (int64_t* count :
       {&counts.games, &counts.first_wins, &counts.draws, &counts.second_wins, &counts.opinions,
        &counts.value_sum, &counts.searches, &counts.search_value_sum, &counts.visits_sum}) {
    *count = row.Int(column++);
  }
  return counts;
}

bool Holds(const CheckpointRange& range, int64_t checkpoint) {
  return range.first <= checkpoint && checkpoint <= range.last;
}

// n log2 n, of which entropies are sums.
double NLogN(int64_t n) {
  const auto x = static_cast<double>(n);
  return n == 0 ? 0 : x * std::log2(x);
}

// Sums over the positions of one ply.
struct PlySums {
  int64_t games = 0;
  int64_t positions = 0;
  int64_t most = 0;  // games in the most common position
  double positions_n_log_n = 0;
  double moves_n_log_n = 0;
  int64_t common_moves = 0;  // games that play the most common move
};

// Of one position and ply: games by move.
using MovesOfPly = std::map<int, std::map<int64_t, int64_t>>;

void AddPosition(const MovesOfPly& position, std::map<int, PlySums>* plies) {
  for (const auto& [ply, moves] : position) {
    PlySums& sums = (*plies)[ply];
    int64_t games = 0;
    int64_t most = 0;
    for (const auto& [move, count] : moves) {
      games += count;
      most = std::max(most, count);
      sums.moves_n_log_n += NLogN(count);
    }
    sums.games += games;
    ++sums.positions;
    sums.most = std::max(sums.most, games);
    sums.positions_n_log_n += NLogN(games);
    sums.common_moves += most;
  }
}

OpeningPly PlyFrom(int ply, const PlySums& sums, int64_t all_games) {
  const auto games = static_cast<double>(sums.games);
  const auto all = static_cast<double>(all_games);
  OpeningPly of;
  of.ply = ply;
  of.games = sums.games;
  of.positions = sums.positions;
  of.all_games = all_games;
  // -sum p log p with p = n / N; positions of one game add nothing to sum n log n. Rounding may
  // leave a little below 0.
  of.position_entropy = std::max(0.0, std::log2(all) - sums.positions_n_log_n / all);
  of.move_entropy = std::max(0.0, (sums.positions_n_log_n - sums.moves_n_log_n) / games);
  of.common_position = ShareOf(sums.most, all_games);
  of.common_move = ShareOf(sums.common_moves, sums.games);
  return of;
}

}  // namespace

absl::StatusOr<std::unique_ptr<OpeningTree>> OpeningTree::OpenFile(const std::string& path,
                                                                   const Rules* rules) {
  absl::StatusOr<std::unique_ptr<Database>> database =
      Database::Open(path, Database::Mode::kReadOnly, kReadTimeout);
  if (!database.ok()) return database.status();
  absl::StatusOr<std::unique_ptr<OpeningTree>> tree = Open(database->get(), rules);
  if (tree.ok()) (*tree)->owned_ = *std::move(database);
  return tree;
}

absl::StatusOr<std::unique_ptr<OpeningTree>> OpeningTree::Open(Database* database,
                                                               const Rules* rules) {
  std::unique_ptr<OpeningTree> tree(new OpeningTree(database, rules));
  if (absl::Status status = tree->Prepare(); !status.ok()) return status;
  return tree;
}

absl::Status OpeningTree::Prepare() {
  if (absl::Status status = State().status(); !status.ok()) return status;
  absl::StatusOr<Statement> moves = database_->Prepare(kMovesOf);
  if (!moves.ok()) return moves.status();
  moves_ = *std::move(moves);
  return absl::OkStatus();
}

absl::StatusOr<OpeningState> OpeningTree::State() {
  return ReadOpeningState(classes_.rules(), database_);
}

absl::StatusOr<std::vector<OpeningTree::Row>> OpeningTree::RowsOf(uint64_t key) {
  std::vector<Row> rows;
  moves_.Bind(0, static_cast<int64_t>(key));
  while (true) {
    const absl::StatusOr<bool> row = moves_.Step();
    if (!row.ok()) return row.status();
    if (!*row) break;
    rows.push_back({Move::FromRaw(static_cast<uint16_t>(moves_.Int(0))), moves_.Int(1),
                    static_cast<int>(moves_.Int(2)), ReadCounts(moves_, 3)});
  }
  moves_.Reset();
  return rows;
}

absl::StatusOr<OpeningPosition> OpeningTree::At(const Position& position,
                                                const OpeningQuery& query) {
  const PositionClass of = classes_.ClassOf(position);
  const absl::StatusOr<std::vector<Row>> rows = RowsOf(of.key);
  if (!rows.ok()) return rows.status();
  OpeningPosition at;
  at.fen = FormatFen(position);
  at.side_to_move = position.side_to_move();
  std::map<int64_t, int64_t> games;  // by checkpoint
  for (const Row& row : *rows) games[row.checkpoint] += row.counts.games;

  std::map<Move, OpeningMove> moves;
  std::map<std::pair<Move, int64_t>, int64_t> by_checkpoint;
  for (const Row& row : *rows) {
    by_checkpoint[{row.move, row.checkpoint}] += row.counts.games;
    at.ply = std::min(at.ply.value_or(row.ply), row.ply);
    if (!Holds(query.checkpoints, row.checkpoint)) continue;
    at.counts.Add(row.counts);
    moves[row.move].counts.Add(row.counts);
  }
  for (const auto& [key, count] : by_checkpoint) {
    const auto& [move, checkpoint] = key;
    if (checkpoint == kNoCheckpoint || moves.count(move) == 0) continue;
    if (ShareOf(count, games[checkpoint]) < query.popular_share) continue;
    OpeningMove& popular = moves[move];
    if (!popular.first_popular) popular.first_popular = checkpoint;
    popular.last_popular = checkpoint;
  }
  at.score = ScoreOf(at.counts, at.side_to_move);
  for (auto& [image, move] : moves) {
    if (move.counts.games < query.min_games) continue;
    move.move = classes_.FromImage(of, image);
    move.text = FormatMove(rules(), move.move);
    move.score = ScoreOf(move.counts, at.side_to_move);
    move.share = ShareOf(move.counts.games, at.counts.games);
    at.moves.push_back(std::move(move));
  }
  std::sort(at.moves.begin(), at.moves.end(), [](const OpeningMove& a, const OpeningMove& b) {
    if (a.counts.games != b.counts.games) return a.counts.games > b.counts.games;
    return a.text < b.text;
  });
  return at;
}

absl::StatusOr<std::vector<std::pair<int64_t, OpeningCounts>>> OpeningTree::ByCheckpoint(
    const Position& position) {
  const absl::StatusOr<std::vector<Row>> rows = RowsOf(classes_.ClassOf(position).key);
  if (!rows.ok()) return rows.status();
  std::map<int64_t, OpeningCounts> counts;
  for (const Row& row : *rows) counts[row.checkpoint].Add(row.counts);
  return std::vector<std::pair<int64_t, OpeningCounts>>(counts.begin(), counts.end());
}

absl::StatusOr<std::vector<OpeningPly>> OpeningTree::Diversity(const CheckpointRange& checkpoints) {
  absl::StatusOr<Statement> select = database_->Prepare(kAllMoves);
  if (!select.ok()) return select.status();
  select->Bind(0, checkpoints.first);
  select->Bind(1, checkpoints.last);
  std::map<int, PlySums> sums;
  MovesOfPly position;
  int64_t key = 0;
  while (true) {
    const absl::StatusOr<bool> row = select->Step();
    if (!row.ok()) return row.status();
    if (!*row || select->Int(0) != key) {
      AddPosition(position, &sums);
      position.clear();
    }
    if (!*row) break;
    key = select->Int(0);
    position[static_cast<int>(select->Int(1))][select->Int(2)] += select->Int(3);
  }
  std::vector<OpeningPly> plies;
  int64_t all_games = 0;
  for (const auto& [ply, of] : sums) {
    all_games = std::max(all_games, of.games);
    plies.push_back(PlyFrom(ply, of, all_games));
  }
  return plies;
}

}  // namespace crossriver
