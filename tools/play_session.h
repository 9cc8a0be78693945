// A person's game at the terminal, as a conversation: lines in, text out.
#ifndef CROSSRIVER_TOOLS_PLAY_SESSION_H_
#define CROSSRIVER_TOOLS_PLAY_SESSION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/position.h"
#include "core/rules.h"
#include "mcts/result.h"
#include "selfplay/players/player.h"
#include "tools/play_game.h"

namespace crossriver {

// How the session hears and speaks.
struct PlayIo {
  std::function<bool(std::string*)> read;  // the next line; false at the end of the input
  std::function<void(absl::string_view)> write;
  std::function<bool()> interrupted;  // asked while the opponent or the adviser thinks; not empty
  bool coloured = false;              // boards in colours
};

// What a search thinks of a position, for hints: moves best first, as in SearchResult.
using Adviser = std::function<absl::StatusOr<SearchResult>(const Turn& turn)>;

struct PlayOptions {
  // Where games begin; its rules must outlive the session. The game must not be over there.
  Position start;
  Side person = Side::kFirst;
  uint64_t seed = 1;  // of the opponent's first game; the others follow from it
  int hints = 3;      // moves that `hint` shows, at most
};

// Plays one game after the other until the input ends, the person quits, or an interrupt. Not
// synchronised.
class PlaySession {
 public:
  // `opponent` must outlive the session; `adviser` may be empty.
  PlaySession(const PlayOptions& options, PlayIo io, Player* opponent, Adviser adviser);
  ~PlaySession();

  // OK at the end of the input and after `quit`; Cancelled after an interrupt. An opponent that
  // fails has lost the game, and is no error.
  absl::Status Run();

 private:
  struct Command {
    const char* name;
    const char* arguments;
    const char* help;
    void (PlaySession::*run)(absl::string_view argument);
  };
  static const std::vector<Command>& Commands();

  // The stages of a turn.
  void BeginGame();
  void OpponentMoves();
  void Answer(const std::string& line);
  void TryMove(absl::string_view text);
  void Play(Move move);
  void Lose(const absl::Status& why);

  void ShowBoard(absl::string_view);
  void ShowFen(absl::string_view);
  void ShowHelp(absl::string_view);
  void ShowHint(absl::string_view);
  void ShowMoves(absl::string_view filter);
  void NewGame(absl::string_view);
  void Undo(absl::string_view);
  void ChangeSide(absl::string_view side);
  void Flip(absl::string_view);
  void Resign(absl::string_view);
  void Save(absl::string_view file);
  void Quit(absl::string_view);

  bool IsPersonsTurn() const { return game_->mover() == options_.person; }
  void StartSeat();
  void Announce();
  void Say(absl::string_view text);

  PlayOptions options_;
  const PlayIo io_;
  Player& opponent_;
  const Adviser adviser_;
  std::unique_ptr<Seat> seat_;
  std::unique_ptr<PlayedGame> game_;
  uint64_t games_ = 0;  // begun by the seat
  bool flipped_ = false;
  bool board_shown_ = false;          // of the present position
  Side persons_side_ = Side::kFirst;  // of the game as it stands, or as it ended
  bool forfeited_ = false;            // it has ended by a failure of the opponent
  bool quit_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_PLAY_SESSION_H_
