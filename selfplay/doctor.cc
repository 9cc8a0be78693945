#include "selfplay/doctor.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/run_reader.h"

namespace crossriver {
namespace {

constexpr int64_t kProgressEvery = 500;
constexpr char kDatabaseAdvice[] =
    "Go back to a backup, or copy what is readable with `sqlite3 run.db .recover`";

class Examination {
 public:
  Examination(const RunDirectory& run, const DoctorOptions& options)
      : run_(run), options_(options) {}

  absl::StatusOr<DoctorReport> Run(RunStore* store) {
    absl::StatusOr<std::unique_ptr<RunReader>> reader =
        RunReader::Open(run_, [this](const BadGame& game) { report_.bad_games.push_back(game); });
    if (absl::IsDataLoss(reader.status())) {
      AddProblem(
          absl::StrCat(run_.database_path(), ": is too damaged to be opened. ", kDatabaseAdvice));
      return std::move(report_);
    }
    if (!reader.ok()) return reader.status();
    reader_ = *std::move(reader);
    ExamineDatabase();
    ExamineGames();
    ExamineCheckpoints();
    if (store != nullptr) SetAside(store);
    return std::move(report_);
  }

 private:
  void AddProblem(absl::string_view what) { report_.problems.emplace_back(what); }

  void ExamineDatabase() {
    const absl::StatusOr<std::vector<std::string>> faults = reader_->CheckIntegrity();
    if (absl::IsDataLoss(faults.status())) {
      AddProblem(absl::StrCat(run_.database_path(), ": is damaged. ", kDatabaseAdvice));
    } else if (!faults.ok()) {
      AddProblem(faults.status().message());
    }
    if (!faults.ok() || faults->empty()) return;
    AddProblem(absl::StrCat(run_.database_path(), ": SQLite finds ", faults->size(),
                            " faults, the first: ", faults->front(), ". ", kDatabaseAdvice));
  }

  // The rules of a variant; null where there are none.
  const Rules* RulesOf(const std::string& variant) {
    const auto known = rules_.find(variant);
    if (known != rules_.end()) return known->second.get();
    absl::StatusOr<std::shared_ptr<const Rules>> rules = options_.rules(variant);
    if (!rules.ok()) {
      AddProblem(
          absl::StrCat("games of '", variant, "' are not replayed: ", rules.status().message()));
    }
    return rules_.emplace(variant, rules.ok() ? *std::move(rules) : nullptr).first->second.get();
  }

  // Counts the game where it is sound; an error where it is to be set aside.
  absl::Status ExamineGame(const GameRow& row, const GameRecord& record) {
    if (row.moves_hash != DescribeGame(record).moves_hash) {
      return absl::DataLossError("the record holds other moves than its row says");
    }
    const Rules* rules = RulesOf(record.variant);
    if (rules == nullptr) return absl::OkStatus();
    if (record.rules_hash != rules->hash()) {
      ++other_rules_[record.variant];
      return absl::OkStatus();
    }
    absl::Status status = ReplayRecord(
        *rules, record,
        [](int, const Position&, const History&, std::span<const Move>) { return true; });
    if (status.ok()) ++report_.games;
    return status;
  }

  // Such games are as they were: it is the variant that has changed.
  void AddOtherRules(const std::string& variant, int64_t games) {
    AddProblem(absl::StrCat(games, " games were played under other rules of '", variant,
                            "' than it has now, and can't be replayed. Go on with the file of the "
                            "variant that they were played with, or begin a new run"));
  }

  void ExamineGames() {
    int64_t seen = 0;
    const absl::Status status =
        reader_->ReadGamesAfter(0, [&](const GameRow& row, const GameRecord& record) {
          const absl::Status game = ExamineGame(row, record);
          if (!game.ok()) {
            report_.bad_games.push_back({row.id, std::string(game.message())});
          }
          if (++seen % kProgressEvery == 0 && options_.progress) options_.progress(seen);
          return true;
        });
    if (!status.ok()) AddProblem(status.message());
    for (const auto& [variant, games] : other_rules_) AddOtherRules(variant, games);
    const absl::StatusOr<std::vector<BadGame>> before = reader_->ListQuarantine();
    if (!before.ok()) return;
    for (const BadGame& game : *before) {
      report_.notes.push_back(absl::StrCat("game ", game.id, " was set aside before: ", game.why));
    }
  }

  void ExamineCheckpoints() {
    const absl::StatusOr<std::vector<CheckpointRow>> rows = reader_->ListCheckpoints();
    if (!rows.ok()) AddProblem(rows.status().message());
    if (!rows.ok()) return;
    for (const CheckpointRow& row : *rows) {
      if (!row.kept) continue;
      const absl::Status status = VerifyCheckpoint(run_, row);
      if (status.ok()) ++report_.checkpoints;
      if (!status.ok()) {
        AddProblem(absl::StrCat("checkpoint ", row.number, ": ", status.message(),
                                ". Training goes on from the newest that is whole"));
      }
    }
    const absl::StatusOr<std::vector<std::string>> orphans = ListOrphans(run_, reader_.get());
    if (!orphans.ok()) AddProblem(orphans.status().message());
    if (!orphans.ok()) return;
    for (const std::string& name : *orphans) {
      report_.notes.push_back(
          absl::StrCat("checkpoints/", name, " belongs to no checkpoint and can be deleted"));
    }
  }

  void SetAside(RunStore* store) {
    for (const BadGame& game : report_.bad_games) {
      const absl::Status status = store->Quarantine(game);
      if (!status.ok()) return AddProblem(status.message());
    }
    report_.bad_games_set_aside = true;
  }

  const RunDirectory& run_;
  const DoctorOptions& options_;
  std::unique_ptr<RunReader> reader_;
  std::map<std::string, std::shared_ptr<const Rules>> rules_;
  std::map<std::string, int64_t> other_rules_;  // games of a variant under rules that it had once
  DoctorReport report_;
};

}  // namespace

std::string DoctorReport::Text() const {
  std::string text = absl::StrCat(games, " games can be read and replayed, ", checkpoints,
                                  " checkpoints are whole\n");
  for (const BadGame& game : bad_games) {
    absl::StrAppend(&text, "game ", game.id,
                    bad_games_set_aside ? " set aside: " : " is bad: ", game.why, "\n");
  }
  for (const std::string& problem : problems) absl::StrAppend(&text, "problem: ", problem, "\n");
  for (const std::string& note : notes) absl::StrAppend(&text, "note: ", note, "\n");
  absl::StrAppend(&text, is_sound() ? "the run is sound\n" : "the run has faults\n");
  return text;
}

absl::StatusOr<DoctorReport> ExamineRun(const RunDirectory& run, RunStore* store,
                                        const DoctorOptions& options) {
  return Examination(run, options).Run(store);
}

}  // namespace crossriver
