#include "selfplay/openings/opening_builder.h"

#include <algorithm>
#include <unordered_set>

#include "absl/strings/str_cat.h"
#include "core/notation.h"
#include "selfplay/openings/opening_schema.h"

namespace crossriver {
namespace {

int64_t KeyBits(uint64_t key) { return static_cast<int64_t>(key); }

constexpr char kUpsertMove[] =
    "INSERT INTO opening_moves (key, move, checkpoint, ply, games, first_wins, draws, "
    "second_wins, opinions, value_sum, searches, search_value_sum, visits_sum) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (key, move, checkpoint, ply) DO UPDATE SET games = games + excluded.games, "
    "first_wins = first_wins + excluded.first_wins, draws = draws + excluded.draws, "
    "second_wins = second_wins + excluded.second_wins, opinions = opinions + excluded.opinions, "
    "value_sum = value_sum + excluded.value_sum, searches = searches + excluded.searches, "
    "search_value_sum = search_value_sum + excluded.search_value_sum, "
    "visits_sum = visits_sum + excluded.visits_sum";

}  // namespace

Position OpeningBuilder::StartPositionOf(const PositionClasses& classes) {
  return StartPosition(classes.rules());
}

absl::StatusOr<std::unique_ptr<OpeningBuilder>> OpeningBuilder::Create(
    Database* database, const PositionClasses* classes, const OpeningSettings& settings) {
  if (settings.min_games < 1 || settings.max_ply < 1) {
    return absl::InvalidArgumentError(absl::StrCat("a tree of openings of ", settings.max_ply,
                                                   " plies and positions of ", settings.min_games,
                                                   " games: expected at least 1 of each"));
  }
  std::unique_ptr<OpeningBuilder> builder(new OpeningBuilder(database, classes));
  if (absl::Status status = builder->Prepare(settings); !status.ok()) return status;
  return builder;
}

absl::Status OpeningBuilder::Prepare(const OpeningSettings& settings) {
  absl::Status status = PrepareOpeningTables(classes_.rules(), settings, database_);
  if (!status.ok()) return status;
  absl::StatusOr<OpeningState> state = ReadOpeningState(classes_.rules(), database_);
  if (!state.ok()) return state.status();
  state_ = *state;
  for (const auto& [statement, sql] :
       {std::pair(&find_position_, "SELECT 1 FROM opening_positions WHERE key = ?"),
        std::pair(&find_waiting_, "SELECT game FROM opening_waiting WHERE key = ? ORDER BY game"),
        std::pair(&find_path_, "SELECT path FROM opening_paths WHERE game = ?")}) {
    absl::StatusOr<Statement> prepared = database_->Prepare(sql);
    if (!prepared.ok()) return prepared.status();
    *statement = *std::move(prepared);
  }
  return absl::OkStatus();
}

absl::Status OpeningBuilder::Add(const GameRecord& record, int opening_plies) {
  const int64_t game = ++state_.games;
  const absl::StatusOr<OpeningPath> path =
      MakeOpeningPath(classes_.rules(), record, opening_plies, state_.settings.max_ply);
  // An illegal move would be found half-way only.
  const auto on = [](size_t, const Position&) { return true; };
  if (!path.ok() || !ReplayOpeningPath(classes_.rules(), *path, on).ok()) {
    ++state_.skipped;
    return absl::OkStatus();
  }
  if (absl::Status status = Advance(game, *path, nullptr); !status.ok()) return status;
  while (!awakened_.empty()) {
    const Awakened next = awakened_.back();
    awakened_.pop_back();
    const absl::StatusOr<OpeningPath> waiting = FindPath(next.game);
    if (!waiting.ok()) return waiting.status();
    if (absl::Status status = Advance(next.game, *waiting, &next); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<OpeningBuilder::Node*> OpeningBuilder::FindNode(uint64_t key) {
  const auto [at, is_new] = nodes_.try_emplace(key);
  Node* node = &at->second;
  if (!is_new) return node;
  find_position_.Bind(0, KeyBits(key));
  const absl::StatusOr<bool> kept = find_position_.Step();
  find_position_.Reset();
  if (!kept.ok()) return kept.status();
  node->kept = *kept;
  if (node->kept) return node;
  find_waiting_.Bind(0, KeyBits(key));
  while (true) {
    const absl::StatusOr<bool> row = find_waiting_.Step();
    if (!row.ok()) return row.status();
    if (!*row) break;
    node->waiting.push_back(find_waiting_.Int(0));
  }
  find_waiting_.Reset();
  node->num_stored = node->waiting.size();
  return node;
}

absl::StatusOr<OpeningPath> OpeningBuilder::FindPath(int64_t game) {
  const auto found = paths_.find(game);
  if (found != paths_.end()) return DecodeOpeningPath(found->second);
  find_path_.Bind(0, game);
  const absl::StatusOr<bool> row = find_path_.Step();
  if (!row.ok()) return row.status();
  if (!*row) {
    return absl::DataLossError(
        absl::StrCat(database_->path(), ": the beginning of a game is missing"));
  }
  absl::StatusOr<OpeningPath> path = DecodeOpeningPath(find_path_.Bytes(0));
  find_path_.Reset();
  return path;
}

absl::Status OpeningBuilder::Advance(int64_t game, const OpeningPath& path, const Awakened* from) {
  std::unordered_set<uint64_t> seen;
  bool counting = from == nullptr;
  bool waits = false;
  absl::Status error;
  absl::Status replayed =
      ReplayOpeningPath(classes_.rules(), path, [&](size_t step, const Position& position) {
        if (step < static_cast<size_t>(path.first)) return true;
        const PositionClass of = classes_.ClassOf(position);
        if (!seen.insert(of.key).second) return true;
        counting = counting || of.key == from->key;
        if (!counting) return true;
        const absl::StatusOr<Node*> node = FindNode(of.key);
        error = node.status();
        if (!error.ok()) return false;
        if ((*node)->kept) {
          Count(of, position, path, step);
          return true;
        }
        waits = true;
        Wait(game, of.key, position, *node);
        return false;
      });
  if (!replayed.ok()) return replayed;
  if (!error.ok()) return error;
  if (!waits) {
    paths_[game].clear();
  } else if (from == nullptr) {
    paths_[game] = EncodeOpeningPath(path);
  }
  return absl::OkStatus();
}

void OpeningBuilder::Wait(int64_t game, uint64_t key, const Position& position, Node* node) {
  node->waiting.push_back(game);
  if (node->waiting.size() < static_cast<size_t>(state_.settings.min_games)) return;
  node->kept = node->newly_kept = true;
  node->fen = FormatFen(classes_.Image(position));
  for (const int64_t waiting : node->waiting) awakened_.push_back({waiting, key});
  node->waiting.clear();
}

void OpeningBuilder::Count(const PositionClass& of, const Position& position,
                           const OpeningPath& path, size_t step) {
  const OpeningStep& played = path.steps[step];
  const Move move = classes_.ToImage(of, played.move);
  const MoveKey key = {KeyBits(of.key), move.raw(), played.checkpoint, PlyOf(position, array_)};
  OpeningCounts counts;
  counts.games = 1;
  counts.first_wins = path.result == Result::kWin ? 1 : 0;
  counts.draws = path.result == Result::kDraw ? 1 : 0;
  counts.second_wins = path.result == Result::kLoss ? 1 : 0;
  counts.opinions = played.value ? 1 : 0;
  counts.value_sum = played.value.value_or(0);
  counts.searches = played.search_value ? 1 : 0;
  counts.search_value_sum = played.search_value.value_or(0);
  counts.visits_sum = played.visits;
  moves_[key].Add(counts);
}

absl::Status OpeningBuilder::Write() {
  for (const auto& write :
       {&OpeningBuilder::WriteNodes, &OpeningBuilder::WriteMoves, &OpeningBuilder::WritePaths}) {
    if (absl::Status status = (this->*write)(); !status.ok()) return status;
  }
  nodes_.clear();
  moves_.clear();
  paths_.clear();
  return WriteOpeningState(state_, database_);
}

// In the order of keys, in which the tables are.
absl::Status OpeningBuilder::WriteNodes() {
  absl::StatusOr<Statement> keep =
      database_->Prepare("INSERT INTO opening_positions (key, fen) VALUES (?, ?)");
  absl::StatusOr<Statement> wake = database_->Prepare("DELETE FROM opening_waiting WHERE key = ?");
  absl::StatusOr<Statement> wait =
      database_->Prepare("INSERT INTO opening_waiting (key, game) VALUES (?, ?)");
  for (const auto* statement : {&keep, &wake, &wait}) {
    if (!statement->ok()) return statement->status();
  }
  std::vector<int64_t> keys;
  for (const auto& [key, node] : nodes_) keys.push_back(KeyBits(key));
  std::sort(keys.begin(), keys.end());
  for (const int64_t key : keys) {
    const Node& node = nodes_[static_cast<uint64_t>(key)];
    absl::Status status;
    if (node.newly_kept) {
      keep->Bind(0, key);
      keep->BindText(1, node.fen);
      status = keep->Run();
      wake->Bind(0, key);
      if (status.ok() && node.num_stored > 0) status = wake->Run();
    }
    for (size_t i = node.num_stored; status.ok() && i < node.waiting.size(); ++i) {
      wait->Bind(0, key);
      wait->Bind(1, node.waiting[i]);
      status = wait->Run();
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status OpeningBuilder::WriteMoves() {
  absl::StatusOr<Statement> upsert = database_->Prepare(kUpsertMove);
  if (!upsert.ok()) return upsert.status();
  for (const auto& [key, counts] : moves_) {
    int column = 0;
    for (const int64_t part : key) upsert->Bind(column++, part);
    for (const int64_t count :
         {counts.games, counts.first_wins, counts.draws, counts.second_wins, counts.opinions,
          counts.value_sum, counts.searches, counts.search_value_sum, counts.visits_sum}) {
      upsert->Bind(column++, count);
    }
    if (absl::Status status = upsert->Run(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status OpeningBuilder::WritePaths() {
  absl::StatusOr<Statement> insert =
      database_->Prepare("INSERT OR REPLACE INTO opening_paths (game, path) VALUES (?, ?)");
  absl::StatusOr<Statement> remove = database_->Prepare("DELETE FROM opening_paths WHERE game = ?");
  for (const auto* statement : {&insert, &remove}) {
    if (!statement->ok()) return statement->status();
  }
  std::vector<int64_t> games;
  for (const auto& [game, path] : paths_) games.push_back(game);
  std::sort(games.begin(), games.end());
  for (const int64_t game : games) {
    const std::string& path = paths_[game];
    Statement& statement = path.empty() ? *remove : *insert;
    statement.Bind(0, game);
    if (!path.empty()) statement.BindBlob(1, path);
    if (absl::Status status = statement.Run(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace crossriver
