#include "tests/tools/play_helpers.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_split.h"
#include "core/check.h"
#include "core/notation.h"
#include "tests/test_data.h"

namespace crossriver::testing {

class ScriptedPlayer::ScriptedSeat : public SimpleSeat {
 public:
  explicit ScriptedSeat(ScriptedPlayer* player) : player_(*player) {}

  absl::Status NewGame(uint64_t) override {
    ++player_.games;
    return player_.cannot_begin ? absl::UnavailableError("it does not start") : absl::OkStatus();
  }

 protected:
  absl::StatusOr<Choice> Choose(const Turn& turn) override {
    const size_t turns = turn.moves.size() / 2;
    if (turns < player_.moves_.size()) return ByScript(turn, player_.moves_[turns]);
    const auto by_name = [&turn](Move a, Move b) {
      return FormatMove(turn.position->rules(), a) < FormatMove(turn.position->rules(), b);
    };
    return Choice{*std::min_element(turn.legal.begin(), turn.legal.end(), by_name), {}, 0};
  }

 private:
  static absl::StatusOr<Choice> ByScript(const Turn& turn, const std::string& word) {
    if (word == "fail") return absl::UnavailableError("the engine has gone");
    if (word == "resign") return absl::AbortedError("it resigns");
    if (word == "illegal") return Choice{Move::Board(0, 0, false), {}, 0};
    const absl::StatusOr<Move> move = ParseMove(*turn.position, word);
    CR_CHECK_OK(move.status());
    return Choice{*move, Wdl{0.5F, 0.25F, 0.25F}, 0};
  }

  ScriptedPlayer& player_;
};

std::unique_ptr<Seat> ScriptedPlayer::NewSeat() { return std::make_unique<ScriptedSeat>(this); }

Talk Converse(const Setting& setting, Player* opponent, const std::string& lines) {
  const Rules& rules = RulesOf(setting.variant);
  const Position start = setting.fen.empty() ? StartPosition(rules) : *ParseFen(rules, setting.fen);
  const std::vector<std::string> input = absl::StrSplit(lines, ';');
  Talk talk;
  size_t next = 0;
  PlayIo io;
  io.read = [&](std::string* line) {
    if (next == input.size()) return false;
    *line = input[next++];
    return true;
  };
  io.write = [&talk](absl::string_view text) { talk.text.append(text.data(), text.size()); };
  io.interrupted = [] { return false; };
  PlaySession session({start, setting.person}, std::move(io), opponent, setting.adviser);
  talk.status = session.Run();
  return talk;
}

}  // namespace crossriver::testing
