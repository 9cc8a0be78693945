#include "selfplay/game_text.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "core/notation.h"
#include "selfplay/json_text.h"
#include "selfplay/run_rows.h"

namespace crossriver {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLineWidth = 100;

void AddHeader(absl::string_view name, absl::string_view value, std::string* text) {
  absl::StrAppend(text, "[", name, " \"");
  for (const char letter : value) {
    if (letter == '"' || letter == '\\') text->push_back('\\');
    text->push_back(static_cast<unsigned char>(letter) < ' ' ? ' ' : letter);
  }
  absl::StrAppend(text, "\"]\n");
}

std::string Termination(const GameRecord& record) {
  if (record.truncated) return "truncated";
  if (record.resigned) return "resigned";
  if (record.reason == Reason::kNone) return "agreed";
  return std::string(ToString(record.reason));
}

// The text, or the other where it is empty.
std::string Or(const std::string& text, const std::string& otherwise) {
  return text.empty() ? otherwise : text;
}

std::string Headers(const GameRecord& record, const GameTextOptions& options) {
  std::string text;
  const bool imported = record.start_kind == StartKind::kImported;
  AddHeader("Event", Or(options.event, imported ? "imported" : "self-play"), &text);
  AddHeader("Round", absl::StrCat(record.id), &text);
  if (!options.first.empty()) AddHeader("White", options.first, &text);
  if (!options.second.empty()) AddHeader("Black", options.second, &text);
  AddHeader("Variant", record.variant, &text);
  AddHeader("Result", ResultScore(options.result.value_or(record.result)), &text);
  AddHeader("Termination", Or(options.termination, Termination(record)), &text);
  AddHeader("Start", StartKindText(record.start_kind), &text);
  AddHeader("SetUp", "1", &text);
  AddHeader("FEN", record.start_fen, &text);
  AddHeader("PlyCount", absl::StrCat(record.moves.size()), &text);
  AddHeader("Seed", absl::StrCat(record.seed), &text);
  if (record.resign_ply) AddHeader("ResignPly", absl::StrCat(*record.resign_ply), &text);
  return text;
}

std::string Opinion(const RecordedMove& move) {
  return absl::StrFormat("{%.3f %.3f %.3f, %u visits%s}", move.root.win, move.root.draw,
                         move.root.loss, move.visits, move.full ? ", full" : "");
}

// Adds words to lines of limited width.
class LineWriter {
 public:
  explicit LineWriter(std::string* text) : text_(text) {}

  void Add(absl::string_view words) {
    for (const absl::string_view word : absl::StrSplit(words, ' ')) {
      if (width_ > 0 && width_ + 1 + word.size() > kLineWidth) End();
      absl::StrAppend(text_, width_ > 0 ? " " : "", word);
      width_ += word.size() + (width_ > 0 ? 1 : 0);
    }
  }
  void End() {
    text_->push_back('\n');
    width_ = 0;
  }

 private:
  std::string* text_;
  size_t width_ = 0;
};

Json ToJson(const Wdl& wdl) {
  // Enough digits for what a record keeps.
  const auto round = [](float part) { return std::round(part * 1e5) / 1e5; };
  return {round(wdl.win), round(wdl.draw), round(wdl.loss)};
}

Json ToJson(const Rules& rules, const RecordedMove& move, std::span<const Move> legal) {
  Json json = {{"move", FormatMove(rules, move.move)}};
  if (move.visits > 0) {
    json["visits"] = move.visits;
    json["full"] = move.full;
    json["wdl"] = ToJson(move.root);
    json["raw"] = ToJson(move.raw);
  }
  if (move.checkpoint != kNoCheckpoint) json["checkpoint"] = move.checkpoint;
  if (!move.full) return json;
  json["surprise"] = move.surprise;
  Json policy = Json::object();
  for (const SparsePolicy::Entry& entry : move.policy.entries) {
    if (std::find(legal.begin(), legal.end(), entry.move) == legal.end()) continue;
    policy[FormatMove(rules, entry.move)] = entry.share;
  }
  json["policy"] = std::move(policy);
  return json;
}

}  // namespace

absl::string_view ResultScore(Result result) {
  switch (result) {
    case Result::kNone:
      return "*";
    case Result::kWin:
      return "1-0";
    case Result::kLoss:
      return "0-1";
    case Result::kDraw:
      return "1/2-1/2";
  }
  return "*";
}

absl::StatusOr<std::string> FormatGameText(const Rules& rules, const GameRecord& record,
                                           const GameTextOptions& options) {
  std::string text = Headers(record, options);
  text.push_back('\n');
  LineWriter line(&text);
  bool number_next = true;  // the second player's move gets a number too after a comment
  const absl::Status status = ReplayRecord(
      rules, record, [&](int ply, const Position& position, const History&, std::span<const Move>) {
        if (ply == static_cast<int>(record.moves.size())) return true;
        const RecordedMove& move = record.moves[static_cast<size_t>(ply)];
        const bool is_first = position.side_to_move() == Side::kFirst;
        if (is_first || number_next) {
          line.Add(absl::StrCat(position.move_number(), is_first ? "." : "..."));
        }
        line.Add(FormatMove(rules, move.move));
        number_next = options.opinions && move.visits > 0;
        if (number_next) line.Add(Opinion(move));
        return true;
      });
  if (!status.ok()) return status;
  line.Add(ResultScore(options.result.value_or(record.result)));
  line.End();
  text.push_back('\n');
  return text;
}

absl::StatusOr<std::string> FormatGameJson(const Rules& rules, const GameRecord& record) {
  Json moves = Json::array();
  const absl::Status status = ReplayRecord(
      rules, record, [&](int ply, const Position&, const History&, std::span<const Move> legal) {
        if (ply < static_cast<int>(record.moves.size())) {
          moves.push_back(ToJson(rules, record.moves[static_cast<size_t>(ply)], legal));
        }
        return true;
      });
  if (!status.ok()) return status;
  Json json = {
      {"id", record.id},
      {"variant", record.variant},
      {"rules_hash", absl::StrCat(absl::Hex(record.rules_hash, absl::kZeroPad16))},
      {"seed", record.seed},
      {"start", std::string(StartKindText(record.start_kind))},
      {"fen", record.start_fen},
      {"max_plies", record.max_plies},
      {"no_progress_limit", record.no_progress_limit},
      {"result", std::string(ResultText(record.result))},
      {"reason", Termination(record)},
  };
  if (record.resign_ply) json["resign_ply"] = *record.resign_ply;
  json["moves"] = std::move(moves);
  return JsonText(json);
}

}  // namespace crossriver
