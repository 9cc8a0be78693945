// The games of a MatchStore: their rows, and what is believed of them.
#include <utility>

#include "absl/strings/str_cat.h"
#include "selfplay/match_store.h"
#include "selfplay/run_rows.h"

namespace crossriver {
namespace {

constexpr char kSelect[] =
    "SELECT pair, half, result, reason, fault, plies, opening_plies, record FROM games "
    "WHERE (player_first = ?1 AND player_second = ?2 AND half = 0) "
    "OR (player_first = ?2 AND player_second = ?1 AND half = 1) ORDER BY pair, half";
constexpr char kSelectPairings[] =
    "SELECT DISTINCT CASE half WHEN 0 THEN player_first ELSE player_second END, "
    "CASE half WHEN 0 THEN player_second ELSE player_first END FROM games ORDER BY 1, 2";

// A result of A's as the first player's, and back.
Result Turned(Result result, int half) {
  return ForFirst(result, half == 0 ? Side::kFirst : Side::kSecond);
}

Result ResultOf(absl::string_view text) {
  for (const Result result : {Result::kWin, Result::kLoss, Result::kDraw}) {
    if (text == ResultText(result)) return result;
  }
  return Result::kNone;
}

absl::StatusOr<MatchGameRecord> GameOf(const Statement& row) {
  absl::StatusOr<GameRecord> record = DecodeRecord(row.Bytes(7));
  if (!record.ok()) return record.status();
  MatchGameResult result;
  result.pair = row.Int(0);
  result.half = static_cast<int>(row.Int(1));
  const Result of_first = ResultOf(row.Bytes(2));
  result.result = Turned(of_first, result.half);
  result.end = row.Text(3);
  result.fault = row.Text(4);
  result.plies = static_cast<int>(row.Int(5));
  result.opening_plies = static_cast<int>(row.Int(6));
  const Result recorded = record->truncated ? Result::kDraw : record->result;
  if (result.pair < 0 || of_first == Result::kNone || of_first != recorded ||
      row.Int(5) != static_cast<int64_t>(record->moves.size()) || result.opening_plies < 0 ||
      result.opening_plies > result.plies) {
    return absl::DataLossError("what is stored beside the record contradicts it");
  }
  return MatchGameRecord{std::move(result), *std::move(record)};
}

// The columns (player_first, player_second, pair, half).
std::array<int64_t, 4> KeyOf(const StoredPairing& pairing, int64_t pair, int64_t half) {
  const bool a_first = half == 0;
  return {a_first ? pairing.a : pairing.b, a_first ? pairing.b : pairing.a, pair, half};
}

}  // namespace

absl::Status MatchStore::Put(const StoredPairing& pairing, const MatchGameRecord& game) {
  const Key key = KeyOf(pairing, game.result.pair, game.result.half);
  if (damaged_.count(key) == 0) return Insert(key, game);
  absl::Status status = database_->Transaction([&]() -> absl::Status {
    absl::StatusOr<Statement> remove = database_->Prepare(
        "DELETE FROM games WHERE player_first = ? AND player_second = ? AND pair = ? AND half = ?");
    if (!remove.ok()) return remove.status();
    for (size_t i = 0; i < key.size(); ++i) remove->Bind(static_cast<int>(i), key[i]);
    if (absl::Status removed = remove->Run(); !removed.ok()) return removed;
    return Insert(key, game);
  });
  if (status.ok()) damaged_.erase(key);
  return status;
}

absl::Status MatchStore::Insert(const Key& key, const MatchGameRecord& game) {
  const MatchGameResult& result = game.result;
  const std::string record = EncodeRecord(game.record);
  const absl::string_view text = ResultText(Turned(result.result, result.half));
  int column = 0;
  for (const int64_t part : key) insert_.Bind(column++, part);
  insert_.BindText(column++, text);
  insert_.BindText(column++, result.end);
  insert_.BindText(column++, result.fault);
  insert_.Bind(column++, static_cast<int64_t>(result.plies));
  insert_.Bind(column++, static_cast<int64_t>(result.opening_plies));
  insert_.Bind(column++, NowMilliseconds());
  insert_.BindBlob(column++, record);
  return insert_.Run();
}

absl::StatusOr<std::vector<std::string>> MatchStore::ReadGames(const StoredPairing& pairing,
                                                               GameTaker take) {
  absl::StatusOr<Statement> query = database_->Prepare(kSelect);
  if (!query.ok()) return query.status();
  query->Bind(0, pairing.a);
  query->Bind(1, pairing.b);
  std::vector<std::string> damaged;
  for (;;) {
    const absl::StatusOr<bool> row = query->Step();
    if (!row.ok()) return row.status();
    if (!*row) return damaged;
    absl::StatusOr<MatchGameRecord> game = GameOf(*query);
    if (!game.ok()) {
      const int64_t pair = query->Int(0), half = query->Int(1);
      damaged_.insert(KeyOf(pairing, pair, half));
      damaged.push_back(absl::StrCat(database_->path(), ": a damaged game is left out: players ",
                                     pairing.a, " and ", pairing.b, ", pair ", pair, ", half ",
                                     half, ": ", game.status().message()));
      continue;
    }
    if (absl::Status status = take(*std::move(game)); !status.ok()) return status;
  }
}

absl::StatusOr<std::vector<StoredPairing>> MatchStore::Pairings() {
  absl::StatusOr<Statement> query = database_->Prepare(kSelectPairings);
  if (!query.ok()) return query.status();
  std::vector<StoredPairing> pairings;
  for (;;) {
    const absl::StatusOr<bool> row = query->Step();
    if (!row.ok()) return row.status();
    if (!*row) return pairings;
    pairings.push_back({query->Int(0), query->Int(1)});
  }
}

absl::Status MatchStore::CheckOpening(const MatchGameRecord& game,
                                      const MatchOpening& opening) const {
  if (HasOpening(game, opening)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(database_->path(),
                   ": another version of this program chose other openings; play to the end with "
                   "that one, or use another file"));
}

}  // namespace crossriver
