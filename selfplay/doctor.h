// Whether a run is sound.
#ifndef CROSSRIVER_SELFPLAY_DOCTOR_H_
#define CROSSRIVER_SELFPLAY_DOCTOR_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/rules.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_rows.h"
#include "selfplay/run_store.h"

namespace crossriver {

struct DoctorOptions {
  // The rules of a variant of the run, with the run's own overrides; asked once a variant.
  std::function<absl::StatusOr<std::shared_ptr<const Rules>>(absl::string_view variant)> rules;
  // Called now and then with the number of games looked at.
  std::function<void(int64_t games)> progress;
};

struct DoctorReport {
  int64_t games = 0;        // that can be read and replayed
  int64_t checkpoints = 0;  // that are whole
  std::vector<BadGame> bad_games;
  bool bad_games_set_aside = false;   // they are in the table `quarantine` now
  std::vector<std::string> problems;  // others; with what to do
  std::vector<std::string> notes;     // no harm: orphans, games set aside before

  bool is_sound() const { return bad_games.empty() && problems.empty(); }
  // Lines for people.
  std::string Text() const;
};

// Checks the database file, decodes and replays every game, compares every checkpoint with its
// checksums and looks for files that belong to nothing. With `store`, the run's open one, bad games
// are set aside; without, nothing is written. A database that is too damaged to be opened is a
// problem of the report. Errors: none yet, or that of another program or version.
absl::StatusOr<DoctorReport> ExamineRun(const RunDirectory& run, RunStore* store,
                                        const DoctorOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_DOCTOR_H_
