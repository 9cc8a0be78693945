// crossriver book: positions that good play comes to, for matches and self-play to begin from.
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/durable_file.h"
#include "core/notation.h"
#include "selfplay/json_text.h"
#include "selfplay/openings/book.h"
#include "tools/command.h"
#include "tools/evaluator_choice.h"
#include "tools/interrupt.h"
#include "tools/openings_source.h"
#include "tools/progress.h"

namespace crossriver {
namespace {

using nlohmann::ordered_json;

struct BookFlags {
  OpeningSourceFlags source;
  EvaluatorFlags evaluator;
  BookOptions book;
  std::string from;
  std::string checkpoints;
  std::string out;
  int min_ply = 0;
  double max_lead = 0.5;
};

double FourDigits(double value) { return std::round(value * 1e4) / 1e4; }

ordered_json MovesJson(const Rules& rules, const BookPosition& position) {
  ordered_json array = ordered_json::array();
  for (const BookMove& move : position.moves) {
    array.push_back({{"move", FormatMove(rules, move.move)},
                     {"score", FourDigits(move.score)},
                     {"share", FourDigits(move.share)},
                     {"games", move.games},
                     {"visits", move.visits},
                     {"cost", FourDigits(move.cost)},
                     {"in_book", move.in_book}});
  }
  return array;
}

// `fen` and `moves` are what a match reads of it.
std::string BookLineJson(const OpeningPlace& place, const BookPosition& position) {
  const Rules& rules = place.start.rules();
  ordered_json moves = ordered_json::array();
  for (const Move move : place.moves) moves.push_back(FormatMove(rules, move));
  for (const Move move : position.line) moves.push_back(FormatMove(rules, move));
  const ordered_json object = {{"fen", FormatFen(place.start)},
                               {"moves", std::move(moves)},
                               {"position", FormatFen(position.position)},
                               {"ply", position.line.size()},
                               {"cost", FourDigits(position.cost)},
                               {"value", FourDigits(position.value)},
                               {"games", position.games},
                               {"searched", position.searched},
                               {"book", MovesJson(rules, position)}};
  return absl::StrCat(JsonText(object), "\n");
}

absl::StatusOr<BookOptions> BookOptionsOf(const BookFlags& flags) {
  BookOptions options = flags.book;
  options.seed = static_cast<uint64_t>(flags.evaluator.seed);
  if (!flags.checkpoints.empty()) {
    const absl::StatusOr<CheckpointRange> range = ParseCheckpoints(flags.checkpoints);
    if (!range.ok()) return range.status();
    options.checkpoints = *range;
  }
  if (absl::Status valid = Validate(options); !valid.ok()) return valid;
  return options;
}

absl::StatusOr<std::vector<BookPosition>> BuildOf(BookOptions options, const OpeningPlace& place,
                                                  OpeningTree* tree, Evaluator* evaluator) {
  Progress progress("positions", options.positions);
  options.progress = [&progress](int64_t positions) {
    progress.Update(positions);
    return !Interrupted();
  };
  return BuildBook(place.start, place.moves, options, tree, tree->classes(), evaluator);
}

absl::Status RunBook(const BookFlags& flags) {
  const absl::StatusOr<BookOptions> options = BookOptionsOf(flags);
  if (!options.ok()) return options.status();
  // Another program may take over for a network.
  if (MayBeNetwork(flags.evaluator)) (void)CanOpenNetworks();
  const absl::StatusOr<OpenedOpenings> opened = OpenOpenings(flags.source);
  if (!opened.ok()) return opened.status();
  for (const std::string& message : opened->messages) {
    std::fprintf(stderr, "%s\n", message.c_str());
  }
  const absl::StatusOr<OpeningPlace> place = ParseOpeningPlace(*opened->rules, flags.from);
  if (!place.ok()) return place.status();
  EvaluatorFlags evaluator_flags = flags.evaluator;
  evaluator_flags.many_searches = true;
  const absl::StatusOr<ChosenEvaluator> evaluator =
      ChooseEvaluator(evaluator_flags, opened->rules, /*threads=*/1);
  if (!evaluator.ok()) return evaluator.status();
  const absl::StatusOr<std::vector<BookPosition>> book =
      BuildOf(*options, *place, opened->tree.get(), evaluator->evaluator.get());
  if (!book.ok()) return book.status();
  std::string text;
  size_t written = 0;
  for (const BookPosition& position : *book) {
    if (position.line.size() < static_cast<size_t>(flags.min_ply)) continue;
    if (position.moves.empty() || std::abs(position.value - 0.5) > flags.max_lead) continue;
    text += BookLineJson(*place, position);
    ++written;
  }
  if (flags.out.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return absl::OkStatus();
  }
  if (absl::Status status = WriteFileDurably(flags.out, text); !status.ok()) return status;
  std::printf("%s: %zu of %zu positions\n", flags.out.c_str(), written, book->size());
  return absl::OkStatus();
}

void AddCostFlags(CLI::App* command, BookFlags* flags) {
  const auto cost = [command](const char* name, double* value, const char* help) {
    command->add_option(name, *value, help)->check(CLI::Range(0.0, 1e6));
  };
  cost("--ply-cost", &flags->book.ply_cost, "Of a move, default 0.25");
  cost("--loss-cost", &flags->book.loss_cost,
       "Of a whole point that a move gives away against the best one, default 20");
  cost("--surprise-cost", &flags->book.surprise_cost,
       "Of a move that is e times less likely, default 0.5");
}

}  // namespace

void AddBookCommand(CLI::App* app, Action* action) {
  CLI::App* book = app->add_subcommand("book", "Books of openings, from games and searches");
  book->require_subcommand(1);
  auto flags = std::make_shared<BookFlags>();
  CLI::App* command =
      book->add_subcommand("build", "A book that grows where good play is likely to come");
  AddOpeningSourceFlags(command, &flags->source);
  AddEvaluatorFlags(command, &flags->evaluator);
  command->add_option("--seed", flags->evaluator.seed, "Of searches, default 1");
  command->add_option("--positions", flags->book.positions, "In the book, default 1000")
      ->check(CLI::Range(int64_t{1}, int64_t{10'000'000}));
  command->add_option("--visits", flags->book.visits, "Of a search, default 200")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  command
      ->add_option("--enough-games", flags->book.thick_games,
                   "Positions of so many games are not searched, default 500")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  command->add_option("--checkpoints", flags->checkpoints,
                      "A..B: count games of the networks A to B alone; default all");
  command->add_option("--max-ply", flags->book.max_ply, "Depth of the book, default 24")
      ->check(CLI::Range(1, 1000));
  command->add_option("--at-a-time", flags->book.at_a_time, "Searches side by side, default 32")
      ->check(CLI::Range(1, 4096));
  AddCostFlags(command, flags.get());
  command->add_option("--from", flags->from,
                      "Where it begins: moves from the array, a FEN, or FEN moves m1 m2 …");
  command->add_option("--min-ply", flags->min_ply, "Write positions from this depth on, default 0")
      ->check(CLI::Range(0, 1000));
  command
      ->add_option("--max-lead", flags->max_lead,
                   "Write positions with a value within this of one half, default 0.5 (all)")
      ->check(CLI::Range(0.0, 0.5));
  command->add_option("--out", flags->out, "The file; default standard output");
  command->footer(
      "Writes JSON lines, the cheapest positions first: selfplay/openings/README.md has the costs. "
      "Ctrl-C\nwrites what there is by then. Matches and self-play begin from such a file. "
      "Examples:\n"
      "  crossriver book build runs/mine --net runs/mine --out book.jsonl\n"
      "  crossriver book build runs/mine --net runs/mine --min-ply 4 --max-lead 0.15 --out "
      "starts.jsonl\n"
      "  crossriver match net:runs/mine random --variant switchback --openings starts.jsonl");
  SetAction(command, flags, action, RunBook);
}

}  // namespace crossriver
