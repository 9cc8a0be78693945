#include "selfplay/openings/book_look.h"

#include <algorithm>
#include <map>
#include <utility>

#include "mcts/batch_driver.h"

namespace crossriver {
namespace {

// Of one search: enough for some 20,000 visits; longer ones let go of what they visited least.
constexpr size_t kSearchBytes = size_t{16} << 20;
// A move's results are taken together with so many made-up games of the position's mean, so that
// two lucky ones are no proof.
constexpr double kMadeUpGames = 10;

double ExpectedScore(const Wdl& wdl) {
  return static_cast<double>(wdl.win) + static_cast<double>(wdl.draw) / 2;
}

double PointsOf(const OpeningCounts& counts, Side side) {
  const int64_t wins = side == Side::kFirst ? counts.first_wins : counts.second_wins;
  return static_cast<double>(wins) + static_cast<double>(counts.draws) / 2;
}

BookLook LookAtGames(const OpeningPosition& at) {
  BookLook look;
  look.games = at.counts.games;
  look.value = at.score.score.value_or(at.score.search_value.value_or(look.value));
  for (const OpeningMove& of : at.moves) {
    BookMove move;
    move.move = of.move;
    move.games = of.counts.games;
    move.score = (PointsOf(of.counts, at.side_to_move) + kMadeUpGames * look.value) /
                 (static_cast<double>(of.counts.decided()) + kMadeUpGames);
    look.moves.push_back(move);
  }
  return look;
}

// One more result of a search into a move; `is_first`: the first of those that are equal.
void AddResult(const MoveResult& found, bool is_first, BookMove* move) {
  const bool proven = found.proof.result != Result::kNone && !found.proof.depends_on_path;
  if (proven && !move->proven) {
    move->proven = true;
    move->score = ExpectedScore(found.wdl);
  } else if (!move->proven && (is_first || found.visits > 0)) {
    const double share = is_first ? 1
                                  : static_cast<double>(found.visits) /
                                        static_cast<double>(move->visits + found.visits);
    move->score += share * (static_cast<double>(found.score) - move->score);
  }
  move->share_of_policy += static_cast<double>(found.target);
  move->visits += found.visits;
}

// Adds what the games say to what the search says. Moves that a symmetry of the position maps onto
// each other are one, the least of them, as they are in a tree.
void TakeSearch(const SearchResult& result, const PositionClass& of, const PositionClasses& classes,
                BookLook* look) {
  const auto least = [&](Move move) { return classes.FromImage(of, classes.ToImage(of, move)); };
  std::map<Move, BookMove> moves;
  for (const MoveResult& found : result.moves) {
    const auto [at, is_first] = moves.try_emplace(least(found.move));
    at->second.move = at->first;
    AddResult(found, is_first, &at->second);
  }
  for (const BookMove& played : look->moves) {
    const auto at = moves.find(played.move);
    if (at != moves.end()) at->second.games = played.games;
  }
  look->moves.clear();
  look->searched = true;
  look->value = ExpectedScore(result.wdl);
  const Move best = result.moves.empty() ? result.best : least(result.best);
  for (const auto& [move, found] : moves) {
    if (found.visits == 0 && found.games == 0 && !found.proven && move != best) continue;
    look->moves.push_back(found);
  }
}

}  // namespace

BookLooker::BookLooker(const Position& start, const std::vector<Move>& moves,
                       const BookOptions& options, OpeningTree* tree,
                       const PositionClasses& classes, Evaluator* evaluator)
    : start_(start),
      moves_(moves),
      options_(options),
      tree_(tree),
      classes_(classes),
      evaluator_(evaluator),
      beginning_([&] {
        Position position = start;
        for (const Move move : moves) position.Do(move);
        return position;
      }()) {}

Position BookLooker::After(const std::vector<Move>& line) const {
  Position position = beginning_;
  for (const Move move : line) position.Do(move);
  return position;
}

absl::StatusOr<std::optional<OpeningPosition>> BookLooker::GamesAt(const Position& position) {
  if (tree_ == nullptr) return std::optional<OpeningPosition>();
  absl::StatusOr<OpeningPosition> at = tree_->At(position, {.checkpoints = options_.checkpoints});
  if (!at.ok()) return at.status();
  return std::make_optional(*std::move(at));
}

absl::StatusOr<std::vector<BookLook>> BookLooker::Look(
    const std::vector<std::vector<Move>>& lines) {
  std::vector<BookLook> looks(lines.size());
  std::vector<size_t> thin;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto games = GamesAt(After(lines[i]));
    if (!games.ok()) return games.status();
    if (games->has_value()) looks[i] = LookAtGames(**games);
    if (looks[i].games < options_.thick_games) thin.push_back(i);
  }
  if (absl::Status status = SearchAll(lines, thin, &looks); !status.ok()) return status;
  return looks;
}

absl::Status BookLooker::SearchAll(const std::vector<std::vector<Move>>& lines,
                                   const std::vector<size_t>& numbers,
                                   std::vector<BookLook>* looks) {
  SearchOptions search_options;
  search_options.tree_bytes = kSearchBytes;
  search_options.seed = options_.seed;
  SearchLimits limits;
  limits.visits = options_.visits;
  BatchDriver driver(evaluator_);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i == searches_.size()) {
      searches_.push_back(std::make_unique<Search>(search_options, start_));
    }
    std::vector<Move> game = moves_;
    const std::vector<Move>& line = lines[numbers[i]];
    game.insert(game.end(), line.begin(), line.end());
    Search& search = *searches_[i];
    if (absl::Status status = search.SetGame(start_, game); !status.ok()) return status;
    search.Forget();
    search.SetOptions(search_options);
    search.Begin(limits);
    driver.Add(&search);
  }
  if (absl::Status status = driver.Run(); !status.ok()) return status;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const PositionClass of = classes_.ClassOf(After(lines[numbers[i]]));
    TakeSearch(searches_[i]->Result(), of, classes_, &(*looks)[numbers[i]]);
  }
  return absl::OkStatus();
}

}  // namespace crossriver
