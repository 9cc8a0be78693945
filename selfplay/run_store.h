// What a run writes into its database.
#ifndef CROSSRIVER_SELFPLAY_RUN_STORE_H_
#define CROSSRIVER_SELFPLAY_RUN_STORE_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/mutex.h"
#include "selfplay/database.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_rows.h"
#include "selfplay/seams.h"

namespace crossriver {

struct RunStoreOptions {
  size_t queue_size = 256;    // games and sets of metrics that wait; Put waits where it is full
  size_t batch_size = 64;     // at most so many of them in one transaction
  int compression_level = 3;  // of zstd
  std::chrono::milliseconds busy_timeout = std::chrono::seconds(10);
};

// The one writer of a run. Games and metrics are queued, and a thread of its own commits what has
// gathered, in one transaction each time; the rest happens at once, after what was queued before.
// What is committed survives a kill, and a loss of power.
//
// When a transaction fails (disk full, …), nothing of it is stored and nothing of it is lost: it
// waits, Put and PutMetrics take no more and return the error, until Flush tries again.
//
// All member functions may be called by several threads at once.
class RunStore final : public GameSink {
 public:
  // Makes the database where there is none. `run` must be open for writing and outlive the store.
  static absl::StatusOr<std::unique_ptr<RunStore>> Open(const RunDirectory& run,
                                                        const RunStoreOptions& options = {});
  // Tries to commit what is queued; call Flush before to learn whether that works.
  ~RunStore() override;

  // Queues a game; compresses it on the calling thread. One whose id is stored already is dropped.
  // Errors: an id of more than 63 bits, an error of the writer.
  absl::Status Put(const GameRecord& record) override;
  absl::Status PutMetrics(std::vector<Metric> metrics);
  // Returns when all that was queued before is committed, or with what keeps it from being.
  absl::Status Flush();
  // Under which games are stored from now on.
  void SetGeneration(int64_t generation) { generation_ = generation; }

  // Each of these returns when it is committed.

  // Errors: a number that is there already.
  absl::Status AddCheckpoint(const CheckpointRow& row);
  // Forgets the checkpoints with larger numbers and the metrics of later generations, in one
  // transaction: for a run that goes on from an older checkpoint, because the newer ones are
  // damaged. Their files stay, and are replaced when these numbers come again.
  absl::Status DropCheckpointsAfter(int64_t number);
  // Says that the files are gone.
  absl::Status MarkDeleted(int64_t checkpoint);
  // Runs `work` on the database in one transaction, after what was queued before; for tables that
  // follow from the games. An error undoes it and comes back.
  absl::Status Update(absl::FunctionRef<absl::Status(Database* database)> work);
  // Moves a game out of the way, into the table `quarantine`. Nothing happens where it is gone.
  absl::Status Quarantine(const BadGame& game);

  // Keeps the log (WAL) from growing; to be called now and then.
  absl::Status TruncateLog();
  // A copy as of now; see Database::CopyTo.
  absl::Status CopyTo(const std::string& path);

 private:
  struct Game {
    GameRow row;
    std::string record;  // packed
  };
  using Job = std::variant<Game, std::vector<Metric>>;

  RunStore(std::unique_ptr<Database> database, const RunStoreOptions& options)
      : options_(options), database_(std::move(database)) {}
  absl::Status Prepare();
  absl::Status Enqueue(Job job);
  // Flushes, then runs `work` in a transaction of its own.
  absl::Status WriteNow(absl::FunctionRef<absl::Status()> work);

  // The writer's thread.
  void WriteLoop();
  bool TakeBatch(std::vector<Job>* batch);
  void FinishBatch(std::vector<Job>* batch, const absl::Status& status);
  absl::Status WriteBatch(const std::vector<Job>& batch);
  absl::Status WriteGame(const Game& game) ABSL_EXCLUSIVE_LOCKS_REQUIRED(database_mutex_);
  absl::Status WriteMetric(const Metric& metric) ABSL_EXCLUSIVE_LOCKS_REQUIRED(database_mutex_);

  const RunStoreOptions options_;
  std::atomic<int64_t> generation_ = 0;

  // Never taken while the other is held.
  Mutex database_mutex_;
  const std::unique_ptr<Database> database_ ABSL_PT_GUARDED_BY(database_mutex_);
  Statement insert_game_ ABSL_GUARDED_BY(database_mutex_);
  Statement insert_metric_ ABSL_GUARDED_BY(database_mutex_);
  int64_t next_sequence_ ABSL_GUARDED_BY(database_mutex_) = 1;

  Mutex queue_mutex_;
  CondVar changed_;  // anything below
  std::deque<Job> queue_ ABSL_GUARDED_BY(queue_mutex_);
  uint64_t num_queued_ ABSL_GUARDED_BY(queue_mutex_) = 0;  // ever
  uint64_t num_written_ ABSL_GUARDED_BY(queue_mutex_) = 0;
  absl::Status error_ ABSL_GUARDED_BY(queue_mutex_);
  bool stopping_ ABSL_GUARDED_BY(queue_mutex_) = false;

  std::thread writer_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RUN_STORE_H_
