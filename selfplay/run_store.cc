#include "selfplay/run_store.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "absl/strings/str_cat.h"
#include "selfplay/run_schema.h"

namespace crossriver {
namespace {

constexpr char kInsertGame[] =
    "INSERT INTO games (id, sequence, checkpoint, generation, variant, start_kind, start_fen, "
    "plies, result, reason, truncated, resigned, resign_ply, seed, rows, moves_hash, time, record) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING";
constexpr char kInsertMetric[] =
    "INSERT INTO metrics (generation, step, name, value, time) VALUES (?, ?, ?, ?, ?)";
constexpr char kInsertCheckpoint[] =
    "INSERT INTO checkpoints (number, step, generation, network_file, optimizer_file, "
    "network_checksum, optimizer_checksum, network_bytes, optimizer_bytes, games, rows, time, "
    "kept) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

int64_t Bits(uint64_t value) { return static_cast<int64_t>(value); }

}  // namespace

absl::StatusOr<std::unique_ptr<RunStore>> RunStore::Open(const RunDirectory& run,
                                                         const RunStoreOptions& options) {
  if (!run.is_writable()) {
    return absl::FailedPreconditionError(absl::StrCat(run.path(), ": is open for reading only"));
  }
  absl::StatusOr<std::unique_ptr<Database>> database =
      Database::Open(run.database_path(), Database::Mode::kCreate, options.busy_timeout);
  if (!database.ok()) return database.status();
  std::unique_ptr<RunStore> store(new RunStore(*std::move(database), options));
  if (absl::Status status = store->Prepare(); !status.ok()) return status;
  store->writer_ = std::thread([raw = store.get()] { raw->WriteLoop(); });
  return store;
}

absl::Status RunStore::Prepare() {
  MutexLock lock(&database_mutex_);
  // FULL: a commit is on the disk, not only with the system.
  absl::Status status = database_->Execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  if (status.ok()) status = PrepareRunSchema(database_.get());
  if (!status.ok()) return status;
  absl::StatusOr<int64_t> last =
      database_->QueryInt("SELECT coalesce(max(sequence), 0) FROM games");
  if (!last.ok()) return last.status();
  next_sequence_ = *last + 1;
  absl::StatusOr<Statement> game = database_->Prepare(kInsertGame);
  if (!game.ok()) return game.status();
  insert_game_ = *std::move(game);
  absl::StatusOr<Statement> metric = database_->Prepare(kInsertMetric);
  if (!metric.ok()) return metric.status();
  insert_metric_ = *std::move(metric);
  return absl::OkStatus();
}

RunStore::~RunStore() {
  {
    MutexLock lock(&queue_mutex_);
    stopping_ = true;
    error_ = absl::OkStatus();
    changed_.NotifyAll();
  }
  if (writer_.joinable()) writer_.join();
}

absl::Status RunStore::Put(const GameRecord& record) {
  if (record.id > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return absl::InvalidArgumentError(
        absl::StrCat("game ", record.id, ": the database takes ids of 63 bits"));
  }
  Game game = {DescribeGame(record), PackRecord(record, options_.compression_level)};
  game.row.generation = generation_;
  game.row.time = NowMilliseconds();
  return Enqueue(std::move(game));
}

absl::Status RunStore::PutMetrics(std::vector<Metric> metrics) {
  const int64_t now = NowMilliseconds();
  for (Metric& metric : metrics) {
    if (metric.time == 0) metric.time = now;
  }
  return Enqueue(std::move(metrics));
}

absl::Status RunStore::Enqueue(Job job) {
  MutexLock lock(&queue_mutex_);
  while (error_.ok() && queue_.size() >= options_.queue_size) changed_.Wait(&queue_mutex_);
  if (!error_.ok()) return error_;
  queue_.push_back(std::move(job));
  ++num_queued_;
  changed_.NotifyAll();
  return absl::OkStatus();
}

absl::Status RunStore::Flush() {
  MutexLock lock(&queue_mutex_);
  error_ = absl::OkStatus();
  changed_.NotifyAll();
  const uint64_t last = num_queued_;
  while (error_.ok() && num_written_ < last) changed_.Wait(&queue_mutex_);
  return error_;
}

void RunStore::WriteLoop() {
  std::vector<Job> batch;
  while (TakeBatch(&batch)) {
    const absl::Status status = WriteBatch(batch);
    FinishBatch(&batch, status);
  }
}

bool RunStore::TakeBatch(std::vector<Job>* batch) {
  MutexLock lock(&queue_mutex_);
  while (!stopping_ && (queue_.empty() || !error_.ok())) changed_.Wait(&queue_mutex_);
  // An error while stopping was the last try.
  if (queue_.empty() || !error_.ok()) return false;
  const auto end =
      queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), options_.batch_size));
  batch->assign(std::make_move_iterator(queue_.begin()), std::make_move_iterator(end));
  queue_.erase(queue_.begin(), end);
  changed_.NotifyAll();
  return true;
}

void RunStore::FinishBatch(std::vector<Job>* batch, const absl::Status& status) {
  MutexLock lock(&queue_mutex_);
  if (status.ok()) {
    num_written_ += batch->size();
  } else {
    error_ = status;
    queue_.insert(queue_.begin(), std::make_move_iterator(batch->begin()),
                  std::make_move_iterator(batch->end()));
  }
  batch->clear();
  changed_.NotifyAll();
}

absl::Status RunStore::WriteBatch(const std::vector<Job>& batch) {
  MutexLock lock(&database_mutex_);
  const int64_t sequence_before = next_sequence_;
  absl::Status status = database_->Transaction([&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    for (const Job& job : batch) {
      if (const Game* game = std::get_if<Game>(&job)) {
        if (absl::Status s = WriteGame(*game); !s.ok()) return s;
        continue;
      }
      for (const Metric& metric : std::get<std::vector<Metric>>(job)) {
        if (absl::Status s = WriteMetric(metric); !s.ok()) return s;
      }
    }
    return absl::OkStatus();
  });
  if (!status.ok()) next_sequence_ = sequence_before;
  return status;
}

absl::Status RunStore::WriteGame(const Game& game) {
  const GameRow& row = game.row;
  Statement& insert = insert_game_;
  insert.Bind(0, Bits(row.id));
  insert.Bind(1, next_sequence_);
  insert.Bind(2, row.checkpoint);
  insert.Bind(3, row.generation);
  insert.BindText(4, row.variant);
  insert.Bind(5, static_cast<int64_t>(row.start_kind));
  insert.BindText(6, row.start_fen);
  insert.Bind(7, int64_t{row.plies});
  insert.BindText(8, ResultText(row.result));
  insert.Bind(9, static_cast<int64_t>(row.reason));
  insert.Bind(10, int64_t{row.truncated});
  insert.Bind(11, int64_t{row.resigned});
  if (row.resign_ply) {
    insert.Bind(12, int64_t{*row.resign_ply});
  } else {
    insert.BindNull(12);
  }
  insert.Bind(13, Bits(row.seed));
  insert.Bind(14, int64_t{row.rows});
  insert.Bind(15, Bits(row.moves_hash));
  insert.Bind(16, row.time);
  insert.BindBlob(17, game.record);
  absl::Status status = insert.Run();
  if (status.ok()) next_sequence_ += database_->changes();
  return status;
}

absl::Status RunStore::WriteMetric(const Metric& metric) {
  insert_metric_.Bind(0, metric.generation);
  insert_metric_.Bind(1, metric.step);
  insert_metric_.BindText(2, metric.name);
  insert_metric_.Bind(3, metric.value);
  insert_metric_.Bind(4, metric.time);
  return insert_metric_.Run();
}

absl::Status RunStore::WriteNow(absl::FunctionRef<absl::Status()> work) {
  if (absl::Status status = Flush(); !status.ok()) return status;
  MutexLock lock(&database_mutex_);
  return database_->Transaction(work);
}

absl::Status RunStore::Update(absl::FunctionRef<absl::Status(Database*)> work) {
  return WriteNow([&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return work(database_.get()); });
}

absl::Status RunStore::AddCheckpoint(const CheckpointRow& row) {
  return WriteNow([&]() ABSL_NO_THREAD_SAFETY_ANALYSIS -> absl::Status {
    absl::StatusOr<Statement> insert = database_->Prepare(kInsertCheckpoint);
    if (!insert.ok()) return insert.status();
    insert->Bind(0, row.number);
    insert->Bind(1, row.step);
    insert->Bind(2, row.generation);
    insert->BindText(3, row.network_file);
    insert->BindText(4, row.optimizer_file);
    insert->Bind(5, Bits(row.network_checksum));
    insert->Bind(6, Bits(row.optimizer_checksum));
    insert->Bind(7, row.network_bytes);
    insert->Bind(8, row.optimizer_bytes);
    insert->Bind(9, row.games);
    insert->Bind(10, row.rows);
    insert->Bind(11, row.time != 0 ? row.time : NowMilliseconds());
    insert->Bind(12, int64_t{row.kept});
    return insert->Run();
  });
}

absl::Status RunStore::DropCheckpointsAfter(int64_t number) {
  return WriteNow([&]() ABSL_NO_THREAD_SAFETY_ANALYSIS -> absl::Status {
    return database_->Execute(absl::StrCat("DELETE FROM checkpoints WHERE number > ", number,
                                           "; DELETE FROM metrics WHERE generation > ", number));
  });
}

absl::Status RunStore::MarkDeleted(int64_t checkpoint) {
  return WriteNow([&]() ABSL_NO_THREAD_SAFETY_ANALYSIS -> absl::Status {
    return database_->Execute(
        absl::StrCat("UPDATE checkpoints SET kept = 0 WHERE number = ", checkpoint));
  });
}

absl::Status RunStore::Quarantine(const BadGame& game) {
  return WriteNow([&]() ABSL_NO_THREAD_SAFETY_ANALYSIS -> absl::Status {
    absl::StatusOr<Statement> copy = database_->Prepare(
        "INSERT INTO quarantine (id, why, time, record) "
        "SELECT id, ?, ?, record FROM games WHERE id = ?");
    if (!copy.ok()) return copy.status();
    copy->BindText(0, game.why);
    copy->Bind(1, NowMilliseconds());
    copy->Bind(2, Bits(game.id));
    if (absl::Status status = copy->Run(); !status.ok()) return status;
    return database_->Execute(absl::StrCat("DELETE FROM games WHERE id = ", Bits(game.id)));
  });
}

absl::Status RunStore::TruncateLog() {
  if (absl::Status status = Flush(); !status.ok()) return status;
  MutexLock lock(&database_mutex_);
  return database_->TruncateLog();
}

absl::Status RunStore::CopyTo(const std::string& path) {
  if (absl::Status status = Flush(); !status.ok()) return status;
  MutexLock lock(&database_mutex_);
  return database_->CopyTo(path);
}

}  // namespace crossriver
