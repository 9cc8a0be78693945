// What the tests of games at the terminal share: an opponent by script, conversations.
#ifndef CROSSRIVER_TESTS_TOOLS_PLAY_HELPERS_H_
#define CROSSRIVER_TESTS_TOOLS_PLAY_HELPERS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/types.h"
#include "selfplay/players/player.h"
#include "tools/play_session.h"

namespace crossriver::testing {

// Plays the given moves, then the first legal one by name. "fail" is a failure of its program,
// "illegal" an illegal move, "resign" what it says.
class ScriptedPlayer : public Player {
 public:
  explicit ScriptedPlayer(std::vector<std::string> moves = {}) : moves_(std::move(moves)) {}

  const std::string& name() const override { return name_; }
  std::unique_ptr<Seat> NewSeat() override;

  int games = 0;  // begun
  bool cannot_begin = false;

 private:
  class ScriptedSeat;

  const std::string name_ = "the script";
  const std::vector<std::string> moves_;
};

struct Setting {
  std::string variant = "xiangqi";
  std::string fen = {};  // of the start; empty: the array
  Side person = Side::kFirst;
  Adviser adviser = {};
};

struct Talk {
  std::string text;
  absl::Status status;
};

// A session in which the person says `lines`, separated by semicolons.
Talk Converse(const Setting& setting, Player* opponent, const std::string& lines);

// A mate in one by a2d2 in xiangqi.
inline constexpr char kMateInOne[] = "3k5/9/9/9/9/9/8p/9/R8/4K4 w 0 1";

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_TOOLS_PLAY_HELPERS_H_
