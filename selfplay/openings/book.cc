#include "selfplay/openings/book.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/adjudicator.h"
#include "core/history.h"
#include "core/movegen.h"
#include "selfplay/openings/book_look.h"

namespace crossriver {
namespace {

constexpr double kNoCost = std::numeric_limits<double>::infinity();
// Of the visits (games) of the move that has most, for a move's score to count as the position's.
constexpr double kTrustedShare = 0.15;
// Of one position's value, while one other's is carried back.
constexpr int kMostUpdates = 50;

// A move of a position in the book.
struct BookEdge {
  BookMove move;
  uint64_t leads_to = 0;  // class
  bool trusted = false;   // whether its own score is to be believed
};

struct BookNode {
  std::vector<Move> line;
  uint64_t key = 0;  // class
  BookLook look;     // without its moves
  std::vector<BookEdge> edges;
  double value = 0;
  double cost = 0;
};

class BookBuilder {
 public:
  BookBuilder(const Position& start, const std::vector<Move>& moves, const BookOptions& options,
              OpeningTree* tree, const PositionClasses& classes, Evaluator* evaluator)
      : options_(options),
        classes_(classes),
        looker_(start, moves, options, tree, classes, evaluator) {}

  absl::StatusOr<std::vector<BookPosition>> Run() {
    std::vector<Candidate> next = {{0, {}, classes_.ClassOf(looker_.beginning()).key}};
    while (!next.empty()) {
      if (absl::Status status = Expand(next); !status.ok()) return status;
      if (options_.progress && !options_.progress(static_cast<int64_t>(nodes_.size()))) break;
      FindCosts();
      next = Cheapest();
    }
    FindCosts();
    return Collect();
  }

 private:
  // A position that may come into the book.
  struct Candidate {
    double cost = 0;
    std::vector<Move> line;
    uint64_t key = 0;
  };
  // By number: a node, and a move of it.
  using EdgeNumber = std::pair<size_t, size_t>;

  absl::Status Expand(const std::vector<Candidate>& candidates) {
    std::vector<std::vector<Move>> lines;
    for (const Candidate& candidate : candidates) lines.push_back(candidate.line);
    absl::StatusOr<std::vector<BookLook>> looks = looker_.Look(lines);
    if (!looks.ok()) return looks.status();
    for (size_t i = 0; i < candidates.size(); ++i) {
      AddNode(candidates[i], std::move((*looks)[i]));
    }
    return absl::OkStatus();
  }

  void AddNode(const Candidate& candidate, BookLook look) {
    const size_t number = nodes_.size();
    BookNode& node = nodes_.emplace_back();
    node.line = candidate.line;
    node.key = candidate.key;
    const auto weight = [&look](const BookMove& move) {
      return static_cast<double>(look.searched ? move.visits : move.games);
    };
    double most = 0;
    for (const BookMove& move : look.moves) most = std::max(most, weight(move));
    Position position = looker_.After(candidate.line);
    for (const BookMove& move : look.moves) {
      BookEdge edge;
      edge.move = move;
      edge.trusted = move.proven || weight(move) >= kTrustedShare * most;
      const UndoRecord undo = position.Do(move.move);
      edge.leads_to = classes_.ClassOf(position).key;
      edge.move.ends_game =
          Adjudicate(position, History(position), HasLegalMove(position)).is_over();
      position.Undo(move.move, undo);
      leading_to_[edge.leads_to].push_back({number, node.edges.size()});
      node.edges.push_back(edge);
    }
    look.moves.clear();
    node.look = std::move(look);
    by_class_[candidate.key] = number;
    for (BookEdge& edge : node.edges) {
      const auto known = by_class_.find(edge.leads_to);
      if (known != by_class_.end() && known->second != number) Enter(known->second, &edge);
    }
    node.value = ValueOf(node);
    SpreadFrom(candidate.key);
  }

  // What the move leads to is in the book.
  void Enter(size_t to, BookEdge* edge) {
    edge->move.in_book = edge->trusted = true;
    edge->move.score = 1 - nodes_[to].value;
  }

  static double ValueOf(const BookNode& node) {
    double best = -1;
    for (const BookEdge& edge : node.edges) {
      if (edge.trusted) best = std::max(best, edge.move.score);
    }
    return best < 0 ? node.look.value : best;
  }

  // Carries a position's new value to those before it, so often at most, because ways may be
  // circles.
  void SpreadFrom(uint64_t key) {
    std::unordered_map<size_t, int> updates;
    std::queue<std::pair<uint64_t, size_t>> changed;
    changed.push({key, by_class_[key]});
    while (!changed.empty()) {
      const auto [leads_to, to] = changed.front();
      changed.pop();
      for (const auto& [from, index] : leading_to_[leads_to]) {
        if (from == to) continue;
        BookNode& node = nodes_[from];
        Enter(to, &node.edges[index]);
        const double before = std::exchange(node.value, ValueOf(node));
        if (node.value == before || ++updates[from] > kMostUpdates) continue;
        changed.push({node.key, from});
      }
    }
  }

  // Of each position the cheapest way (Dijkstra 1959).
  void FindCosts() {
    for (BookNode& node : nodes_) {
      node.cost = kNoCost;
      PriceMoves(&node);
    }
    using Entry = std::pair<double, size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    nodes_.front().cost = 0;
    open.push({0, 0});
    while (!open.empty()) {
      const auto [cost, number] = open.top();
      open.pop();
      if (cost > nodes_[number].cost) continue;
      for (const BookEdge& edge : nodes_[number].edges) {
        const auto to = by_class_.find(edge.leads_to);
        if (to == by_class_.end()) continue;
        const double sum = cost + edge.move.cost;
        if (sum >= nodes_[to->second].cost) continue;
        nodes_[to->second].cost = sum;
        open.push({sum, to->second});
      }
    }
  }

  void PriceMoves(BookNode* node) const {
    const double games = static_cast<double>(node->look.games);
    double best = 0;
    for (const BookEdge& edge : node->edges) {
      if (edge.trusted) best = std::max(best, edge.move.score);
    }
    constexpr double kLeastShare = 1e-6;
    for (BookEdge& edge : node->edges) {
      const double weight = node->look.searched ? options_.policy_games : 0;
      edge.move.share =
          (weight * edge.move.share_of_policy + static_cast<double>(edge.move.games)) /
          std::max(1.0, weight + games);
      edge.move.cost =
          options_.ply_cost + options_.loss_cost * std::max(0.0, best - edge.move.score) -
          options_.surprise_cost * std::log(std::clamp(edge.move.share, kLeastShare, 1.0));
    }
  }

  // The next to look at, as many as go side by side.
  std::vector<Candidate> Cheapest() const {
    std::unordered_map<uint64_t, std::pair<double, EdgeNumber>> found;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const BookNode& node = nodes_[i];
      if (node.line.size() >= static_cast<size_t>(options_.max_ply)) continue;
      for (size_t j = 0; j < node.edges.size(); ++j) {
        const BookEdge& edge = node.edges[j];
        if (edge.move.ends_game || by_class_.count(edge.leads_to) != 0) continue;
        const std::pair<double, EdgeNumber> way = {node.cost + edge.move.cost, {i, j}};
        const auto [at, is_new] = found.try_emplace(edge.leads_to, way);
        if (!is_new) at->second = std::min(at->second, way);
      }
    }
    std::vector<std::pair<std::pair<double, EdgeNumber>, uint64_t>> ways;
    for (const auto& [key, way] : found) ways.push_back({way, key});
    const auto left = options_.positions - static_cast<int64_t>(nodes_.size());
    const size_t most = static_cast<size_t>(std::clamp<int64_t>(
        left, 0, std::min<int64_t>(options_.at_a_time, static_cast<int64_t>(ways.size()))));
    std::partial_sort(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(most), ways.end());
    std::vector<Candidate> candidates;
    for (size_t i = 0; i < most; ++i) {
      const auto& [way, key] = ways[i];
      const BookNode& node = nodes_[way.second.first];
      Candidate candidate = {way.first, node.line, key};
      candidate.line.push_back(node.edges[way.second.second].move.move);
      candidates.push_back(std::move(candidate));
    }
    return candidates;
  }

  std::vector<BookPosition> Collect() const {
    std::vector<BookPosition> book;
    for (const BookNode& node : nodes_) {
      BookPosition position = {node.line,       looker_.After(node.line), node.cost, node.value,
                               node.look.games, node.look.searched,       {}};
      for (const BookEdge& edge : node.edges) {
        position.moves.push_back(edge.move);
        position.moves.back().cost += node.cost;
      }
      std::stable_sort(position.moves.begin(), position.moves.end(),
                       [](const BookMove& a, const BookMove& b) { return a.cost < b.cost; });
      book.push_back(std::move(position));
    }
    std::stable_sort(book.begin(), book.end(),
                     [](const BookPosition& a, const BookPosition& b) { return a.cost < b.cost; });
    return book;
  }

  const BookOptions& options_;
  const PositionClasses& classes_;
  BookLooker looker_;
  std::vector<BookNode> nodes_;  // the beginning first
  std::unordered_map<uint64_t, size_t> by_class_;
  std::unordered_map<uint64_t, std::vector<EdgeNumber>> leading_to_;
};

absl::Status NotPositive(absl::string_view name, double value) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": expected at least 1, got ", value));
}

}  // namespace

absl::Status Validate(const BookOptions& options) {
  for (const auto& [name, value] :
       {std::pair("positions", options.positions),
        std::pair("max_ply", static_cast<int64_t>(options.max_ply)),
        std::pair("visits", options.visits), std::pair("thick_games", options.thick_games),
        std::pair("at_a_time", static_cast<int64_t>(options.at_a_time))}) {
    if (value < 1) return NotPositive(name, static_cast<double>(value));
  }
  for (const auto& [name, value] :
       {std::pair("ply_cost", options.ply_cost), std::pair("loss_cost", options.loss_cost),
        std::pair("surprise_cost", options.surprise_cost),
        std::pair("policy_games", options.policy_games)}) {
    if (!(value >= 0)) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": expected a number from 0, got ", value));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<BookPosition>> BuildBook(const Position& start,
                                                    const std::vector<Move>& moves,
                                                    const BookOptions& options, OpeningTree* tree,
                                                    const PositionClasses& classes,
                                                    Evaluator* evaluator) {
  if (absl::Status valid = Validate(options); !valid.ok()) return valid;
  return BookBuilder(start, moves, options, tree, classes, evaluator).Run();
}

}  // namespace crossriver
