#include "tools/search_bench.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "core/adjudicator.h"
#include "core/median.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/batch_driver.h"
#include "mcts/parallel_search.h"
#include "mcts/random.h"
#include "mcts/uniform_evaluator.h"
#include "tools/progress.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

constexpr int kMiddleGamePlies = 40;
constexpr int kLongGamePlies = 400;
constexpr int64_t kSharedTreeVisits = 100'000;
constexpr int kSharedTreePositions = 5;

int HandSize(const Position& position) {
  int size = 0;
  for (const Kind kind : position.rules().hand_kinds()) {
    for (const Side side : kSides) size += position.hand(side, kind);
  }
  return size;
}

// Plays random moves and calls visit(position) after each, until the game or its plies are over.
template <typename Visit>
void PlayRandomly(const Rules& rules, int plies, RandomStream* random, Visit visit) {
  Position position = StartPosition(rules);
  History history(position);
  std::vector<Move> moves;
  for (int ply = 0; ply < plies; ++ply) {
    GenerateLegalMoves(position, &moves);
    if (Adjudicate(position, history, !moves.empty()).is_over()) return;
    const UndoRecord undo = position.Do(moves[random->Below(moves.size())]);
    history.Push(position, undo);
    visit(position, history.plies());
  }
}

bool IsPlayable(const Position& position) {
  const History history(position);
  return !Adjudicate(position, history, HasLegalMove(position)).is_over();
}

std::vector<Position> MiddleGame(const Rules& rules, const SearchBenchOptions& options) {
  std::vector<Position> positions;
  RandomStream random(options.seed);
  while (positions.size() < static_cast<size_t>(options.positions)) {
    PlayRandomly(rules, kMiddleGamePlies, &random, [&](const Position& position, int ply) {
      if (ply == kMiddleGamePlies && IsPlayable(position)) positions.push_back(position);
    });
  }
  return positions;
}

// From each game the position with the fullest hands.
std::vector<Position> FullHand(const Rules& rules, const SearchBenchOptions& options) {
  std::vector<Position> positions;
  RandomStream random(options.seed);
  while (positions.size() < static_cast<size_t>(options.positions)) {
    Position fullest = StartPosition(rules);
    PlayRandomly(rules, kLongGamePlies, &random, [&](const Position& position, int) {
      if (HandSize(position) > HandSize(fullest) && IsPlayable(position)) fullest = position;
    });
    if (HandSize(fullest) > 0) positions.push_back(fullest);
  }
  return positions;
}

// Visits a second of one search.
double Rate(Search* search, ParallelSearch* driver, const Position& position, int64_t visits) {
  CR_CHECK_OK(search->SetGame(position, {}));
  search->Forget();
  SearchLimits limits;
  limits.visits = visits;
  const auto begin = std::chrono::steady_clock::now();
  const absl::StatusOr<SearchResult> result = driver->Run(limits);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  CR_CHECK_OK(result.status());
  return static_cast<double>(result->visits) / spent.count();
}

SearchOptions OptionsFor(const SearchBenchOptions& options, bool concurrent) {
  SearchOptions search;
  search.root_policy = options.policy;
  search.concurrent = concurrent;
  search.tree_bytes = size_t{256} << 20;
  return search;
}

double TwoThreadRatio(const std::vector<Position>& positions, const SearchBenchOptions& options) {
  UniformEvaluator evaluator;
  Search one(OptionsFor(options, false), positions[0]);
  Search two(OptionsFor(options, true), positions[0]);
  ParallelOptions parallel;
  parallel.evaluator_is_thread_safe = true;
  parallel.batch = 1;
  ParallelSearch one_driver(&one, &evaluator, parallel);
  parallel.threads = 2;
  parallel.batch = 16;
  ParallelSearch two_driver(&two, &evaluator, parallel);
  std::vector<double> ratios;
  for (int i = 0; i < std::min(options.positions, kSharedTreePositions); ++i) {
    const Position& position = positions[static_cast<size_t>(i)];
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
      const double single = Rate(&one, &one_driver, position, kSharedTreeVisits);
      ratios.push_back(Rate(&two, &two_driver, position, kSharedTreeVisits) / single);
    }
  }
  return Median(ratios);
}

SearchBenchRow BenchPositions(const Rules& rules, const std::string& name,
                              const std::vector<Position>& positions,
                              const SearchBenchOptions& options) {
  SearchBenchRow row;
  row.variant = rules.definition().id;
  row.positions = name;
  UniformEvaluator evaluator;
  Search search(OptionsFor(options, false), positions[0]);
  ParallelSearch driver(&search, &evaluator, {});
  std::vector<double> rates;
  double bytes = 0;
  double nodes = 0;
  for (const Position& position : positions) {
    row.legal_moves += static_cast<double>(CountLegalMoves(position));
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
      rates.push_back(Rate(&search, &driver, position, options.visits));
    }
    bytes += static_cast<double>(search.tree_bytes());
    nodes += static_cast<double>(search.CountNodes());
  }
  row.legal_moves /= static_cast<double>(positions.size());
  row.visits_per_second = Median(rates);
  row.bytes_per_node = bytes / nodes;
  row.two_thread_ratio = TwoThreadRatio(positions, options);
  return row;
}

}  // namespace

absl::StatusOr<std::vector<SearchBenchRow>> RunSearchBench(const SearchBenchOptions& options) {
  std::vector<SearchBenchRow> rows;
  Progress progress("variants", static_cast<int64_t>(options.variants.size()));
  int64_t done = 0;
  for (const std::string& variant : options.variants) {
    const auto rules = LoadVariantArgument(variant);
    if (!rules.ok()) return rules.status();
    rows.push_back(BenchPositions(**rules, "middle game", MiddleGame(**rules, options), options));
    if ((*rules)->has_drops()) {
      rows.push_back(BenchPositions(**rules, "full hand", FullHand(**rules, options), options));
    }
    progress.Update(++done);
  }
  return rows;
}

}  // namespace crossriver
