// crossriver games: the games of a run, to look at and to take along.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/notation.h"
#include "selfplay/game_import.h"
#include "selfplay/game_text.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_store.h"
#include "tools/board_drawing.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/run_folder.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

constexpr size_t kMaxImportBytes = size_t{1} << 30;

struct GamesFlags {
  std::vector<std::string> words;  // RUN [list | show N | export] or import RUN FILE
  int number = 20;
  std::string out;
  bool json = false;
};

absl::Status Usage() {
  return absl::InvalidArgumentError(
      "expected RUN, RUN show N, RUN export, or import RUN FILE (crossriver games --help)");
}

struct OpenedGames {
  RunDirectory run;
  VariantGroup variants;
  std::unique_ptr<RunReader> reader;
};

absl::StatusOr<OpenedGames> OpenGames(const std::string& folder) {
  absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(folder);
  if (!run.ok()) return run.status();
  const absl::StatusOr<VariantGroup> variants = VariantsOfRun(*run);
  if (!variants.ok()) return variants.status();
  absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(*run, [](const BadGame& bad) {
    std::fprintf(stderr, "game %llu can't be read: %s\n", static_cast<unsigned long long>(bad.id),
                 bad.why.c_str());
  });
  if (absl::IsNotFound(reader.status())) {
    return absl::NotFoundError(absl::StrCat(folder, ": the run has no games yet"));
  }
  if (!reader.ok()) return reader.status();
  return OpenedGames{*std::move(run), *variants, *std::move(reader)};
}

// How a game ended, of a row or a record.
template <typename Game>
std::string EndOf(const Game& game) {
  if (game.truncated) return "cut short";
  if (game.resigned) return "resigned";
  if (game.reason == Reason::kNone) return "agreed";
  return std::string(ToString(game.reason));
}

absl::Status List(const GamesFlags& flags) {
  const absl::StatusOr<OpenedGames> games = OpenGames(flags.words[0]);
  if (!games.ok()) return games.status();
  const absl::StatusOr<std::vector<GameRow>> rows = games->reader->ListNewest(flags.number);
  if (!rows.ok()) return rows.status();
  // Imported games have long numbers.
  size_t width = 10;
  for (const GameRow& row : *rows) width = std::max(width, absl::StrCat(row.id).size());
  const bool several = games->variants.size() > 1;
  std::printf("%*s %10s %6s %-7s %-14s %-12s %5s  %s%s\n", static_cast<int>(width), "game",
              "generation", "plies", "won by", "end", "start", "full", "time",
              several ? "                 variant" : "");
  for (const GameRow& row : *rows) {
    std::printf("%*llu %10lld %6d %-7s %-14s %-12s %5d  %s%s\n", static_cast<int>(width),
                static_cast<unsigned long long>(row.id), static_cast<long long>(row.generation),
                row.plies, std::string(ResultText(row.result)).c_str(), EndOf(row).c_str(),
                std::string(StartKindText(row.start_kind)).c_str(), row.rows,
                LocalTime(row.time).c_str(), several ? ("  " + row.variant).c_str() : "");
  }
  return absl::OkStatus();
}

// What the search thought of the move that is played next.
void PrintOpinion(const Rules& rules, const RecordedMove& move) {
  std::printf("plays %s", FormatMove(rules, move.move).c_str());
  if (move.visits == 0) {
    std::printf(" (without a search)\n\n");
    return;
  }
  const auto percent = [](float share) { return 100 * static_cast<double>(share); };
  std::printf(
      " after %u visits (%s search): win %.0f %%, draw %.0f %%, loss %.0f %%; the network "
      "alone %.0f, %.0f, %.0f\n",
      move.visits, move.full ? "full" : "cheap", percent(move.root.win), percent(move.root.draw),
      percent(move.root.loss), percent(move.raw.win), percent(move.raw.draw),
      percent(move.raw.loss));
  std::string line = "target";
  for (size_t i = 0; i < move.policy.entries.size() && i < 6; ++i) {
    const SparsePolicy::Entry& entry = move.policy.entries[i];
    absl::StrAppend(&line, "  ", FormatMove(rules, entry.move), " ", 100 * int{entry.share} / 65535,
                    " %");
  }
  if (move.full) std::printf("%s\n", line.c_str());
  std::printf("\n");
}

absl::Status Show(const GamesFlags& flags) {
  uint64_t id = 0;
  if (!absl::SimpleAtoi(flags.words[2], &id)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", flags.words[2], "': expected the number of a game"));
  }
  const absl::StatusOr<OpenedGames> games = OpenGames(flags.words[0]);
  if (!games.ok()) return games.status();
  const absl::StatusOr<GameRecord> record = games->reader->ReadGame(id);
  if (!record.ok()) return record.status();
  const Rules& rules = games->variants.FindOrFirst(record->rules_hash);
  if (flags.json) {
    const absl::StatusOr<std::string> line = FormatGameJson(rules, *record);
    if (!line.ok()) return line.status();
    std::printf("%s\n", line->c_str());
    return absl::OkStatus();
  }
  if (games->variants.size() > 1) std::printf("%s\n", rules.definition().name.c_str());
  const bool colour = MayColour(STDOUT_FILENO);
  absl::Status replayed =
      ReplayRecord(rules, *record,
                   [&](int ply, const Position& position, const History&, std::span<const Move>) {
                     std::printf("ply %d\n%s", ply, DrawPosition(position, colour).c_str());
                     if (ply < static_cast<int>(record->moves.size())) {
                       PrintOpinion(rules, record->moves[static_cast<size_t>(ply)]);
                     }
                     return true;
                   });
  if (!replayed.ok()) return replayed;
  const std::string score(ResultScore(record->result));
  std::printf("%s, %s\n", score.c_str(), EndOf(*record).c_str());
  return absl::OkStatus();
}

absl::Status Export(const GamesFlags& flags) {
  const absl::StatusOr<OpenedGames> games = OpenGames(flags.words[0]);
  if (!games.ok()) return games.status();
  std::FILE* file = flags.out.empty() ? stdout : std::fopen(flags.out.c_str(), "wb");
  if (file == nullptr) return absl::UnavailableError(flags.out + ": can't be written");
  absl::Status bad;
  int64_t written = 0;
  absl::Status read = games->reader->ReadGames(
      0, std::numeric_limits<int64_t>::max(), [&](const GameRow& row, const GameRecord& record) {
        const Rules& rules = games->variants.FindOrFirst(record.rules_hash);
        const absl::StatusOr<std::string> text =
            flags.json ? FormatGameJson(rules, record) : FormatGameText(rules, record);
        if (!text.ok()) {
          std::fprintf(stderr, "game %llu is left out: %s\n",
                       static_cast<unsigned long long>(row.id),
                       std::string(text.status().message()).c_str());
          return true;
        }
        ++written;
        return std::fprintf(file, "%s\n", text->c_str()) >= 0;
      });
  const bool failed = std::fflush(file) != 0 || std::ferror(file) != 0;
  if (file != stdout) std::fclose(file);
  if (!read.ok()) return read;
  if (failed) return absl::UnavailableError("the games can't be written");
  if (!flags.out.empty()) {
    std::printf("%s: %lld games\n", flags.out.c_str(), static_cast<long long>(written));
  }
  return absl::OkStatus();
}

absl::Status Import(const GamesFlags& flags) {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenForWriting(flags.words[1]);
  if (!run.ok()) return run.status();
  const absl::StatusOr<VariantGroup> variants = VariantsOfRun(*run);
  if (!variants.ok()) return variants.status();
  const absl::StatusOr<std::string> text = ReadFile(flags.words[2], kMaxImportBytes);
  if (!text.ok()) return text.status();
  const absl::StatusOr<std::unique_ptr<RunStore>> store = RunStore::Open(*run);
  if (!store.ok()) return store.status();
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(*run);
  if (!reader.ok()) return reader.status();
  const absl::StatusOr<uint64_t> next = (*reader)->NextImportedId();
  if (!next.ok()) return next.status();
  ImportOptions options;
  options.first_id = *next;
  const absl::StatusOr<ImportReport> report =
      ImportGames(variants->pointers(), *text, options,
                  [&](const GameRecord& record) { return (*store)->Put(record); });
  if (!report.ok()) return report.status();
  if (absl::Status status = (*store)->Flush(); !status.ok()) return status;
  for (const std::string& message : report->messages) {
    std::fprintf(stderr, "%s: %s\n", flags.words[2].c_str(), message.c_str());
  }
  std::printf("%d games imported, %d skipped\n", report->imported, report->skipped);
  return absl::OkStatus();
}

absl::Status RunGames(const GamesFlags& flags) {
  const std::vector<std::string>& words = flags.words;
  if (words.size() == 3 && words[0] == "import") return Import(flags);
  if (words.size() == 1 || (words.size() == 2 && words[1] == "list")) return List(flags);
  if (words.size() == 3 && words[1] == "show") return Show(flags);
  if (words.size() == 2 && words[1] == "export") return Export(flags);
  return Usage();
}

}  // namespace

void AddGamesCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<GamesFlags>();
  CLI::App* command = app->add_subcommand("games", "List, show, export and import games of a run");
  command
      ->add_option("words", flags->words,
                   "RUN lists the newest; RUN show N draws one, board by board; RUN export writes "
                   "all; import RUN FILE reads PGN-like text or lines of moves")
      ->required()
      ->expected(1, 3);
  command->add_option("--number", flags->number, "Games to list, default 20")
      ->check(CLI::Range(1, 1000000000));
  command->add_option("--out", flags->out, "File to export to, instead of standard output");
  command->add_flag("--json", flags->json, "Export or show as JSON, one object a line");
  command->footer(
      "Examples:\n"
      "  crossriver games runs/mine\n"
      "  crossriver games runs/mine show 12\n"
      "  crossriver games runs/mine export --json --out games.jsonl\n"
      "  crossriver games import runs/mine others.pgn");
  SetAction(command, flags, action, RunGames);
}

}  // namespace crossriver
