#include "tools/play_session.h"

#include <fstream>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/notation.h"
#include "core/spelling.h"
#include "selfplay/players/take_turn.h"
#include "tools/play_moves.h"
#include "tools/play_text.h"

namespace crossriver {
namespace {

constexpr size_t kMaxLine = 4096;  // the longest path of a file

// Without a digit a text is no move: then it was to be a command.
bool LooksLikeMove(absl::string_view word) {
  return word.find_first_of("0123456789") != absl::string_view::npos;
}

// A sentence of an error, which may end with the question what was meant.
std::string Refusal(const absl::Status& status) {
  return absl::StrCat("No: ", status.message(), absl::EndsWith(status.message(), "?") ? "" : ".");
}

}  // namespace

const std::vector<PlaySession::Command>& PlaySession::Commands() {
  static const auto& commands = *new std::vector<Command>{
      {"board", "", "draws the board again", &PlaySession::ShowBoard},
      {"moves", "[PIECE]", "lists your legal moves, or those of a piece: moves b1, moves N",
       &PlaySession::ShowMoves},
      {"hint", "", "shows what a search would play", &PlaySession::ShowHint},
      {"undo", "", "takes your last move back", &PlaySession::Undo},
      {"new", "", "begins another game", &PlaySession::NewGame},
      {"side", "[first|second]", "you play the other side from here on", &PlaySession::ChangeSide},
      {"flip", "", "turns the board round", &PlaySession::Flip},
      {"fen", "", "prints the position as FEN", &PlaySession::ShowFen},
      {"save", "FILE", "adds the game to a file", &PlaySession::Save},
      {"resign", "", "gives the game up", &PlaySession::Resign},
      {"help", "", "prints this", &PlaySession::ShowHelp},
      {"quit", "", "ends", &PlaySession::Quit},
  };
  return commands;
}

PlaySession::PlaySession(const PlayOptions& options, PlayIo io, Player* opponent, Adviser adviser)
    : options_(options),
      io_(std::move(io)),
      opponent_(*opponent),
      adviser_(std::move(adviser)),
      seat_(opponent->NewSeat()),
      flipped_(options.person == Side::kSecond) {}

PlaySession::~PlaySession() = default;

absl::Status PlaySession::Run() {
  BeginGame();
  std::string line;
  while (!quit_) {
    if (io_.interrupted()) break;
    if (!game_->is_over() && !IsPersonsTurn()) {
      OpponentMoves();
      continue;
    }
    if (!board_shown_) ShowBoard("");
    io_.write(game_->is_over() ? "(over) > " : "> ");
    if (!io_.read(&line)) {
      Say("");
      break;
    }
    Answer(line);
  }
  if (!io_.interrupted()) return absl::OkStatus();
  // What it takes to go on with the game.
  return absl::CancelledError(absl::StrCat("interrupted at ", FormatFen(game_->position())));
}

void PlaySession::BeginGame() {
  game_ = std::make_unique<PlayedGame>(options_.start);
  forfeited_ = false;
  persons_side_ = options_.person;
  board_shown_ = false;
  Say(absl::StrCat(options_.start.rules().definition().name, ": you play ",
                   SideText(options_.person), " against ", opponent_.name(),
                   "; 'help' lists what you can say."));
  StartSeat();
}

// The seat takes any position as one of a new game: also after moves were taken back.
void PlaySession::StartSeat() {
  const absl::Status started = seat_->NewGame(options_.seed + games_++);
  if (!started.ok()) Lose(started);
}

void PlaySession::OpponentMoves() {
  const absl::StatusOr<Choice> choice =
      TakeTurn(seat_.get(), opponent_.evaluator(), game_->AsTurn(), io_.interrupted);
  if (absl::IsCancelled(choice.status()) && io_.interrupted()) return;
  if (!choice.ok()) {
    Lose(choice.status());
    return;
  }
  std::string text = absl::StrCat("It plays ", DescribeMove(game_->position(), choice->move));
  if (choice->wdl.has_value()) {
    absl::StrAppend(&text, "; it thinks: ", ChancesText(*choice->wdl));
  }
  Say(absl::StrCat(text, "."));
  Play(choice->move);
}

// A seat that has failed loses; so does one that plays what is not legal. To resign is no failure.
void PlaySession::Lose(const absl::Status& why) {
  Say(absl::StrCat(opponent_.name(), " can't go on: ", why.message()));
  forfeited_ = !absl::IsAborted(why);
  game_->GiveUp(Other(options_.person));
  Announce();
}

void PlaySession::Play(Move move) {
  game_->Play(move);
  board_shown_ = false;
  if (game_->is_over()) {
    Announce();
  } else if (game_->in_check() && !IsPersonsTurn()) {
    Say("Check!");  // the board says it to the person
  }
}

void PlaySession::Announce() {
  ShowBoard("");
  Say(absl::StrCat(EndText(*game_, options_.person), " 'new' begins another game."));
}

void PlaySession::Answer(const std::string& line) {
  const absl::string_view text = absl::StripAsciiWhitespace(line);
  if (text.empty()) return;
  if (text.size() > kMaxLine) {
    Say("That is too long for a move or a command.");
    return;
  }
  const size_t space = text.find_first_of(" \t");
  const std::string word = absl::AsciiStrToLower(text.substr(0, space));
  const absl::string_view argument =
      space == absl::string_view::npos ? "" : absl::StripAsciiWhitespace(text.substr(space));
  std::vector<std::string> names;
  for (const Command& command : Commands()) {
    if (word == command.name) {
      if (*command.arguments == '\0' && !argument.empty()) {
        Say(absl::StrCat("'", word, "' stands alone; what is '", Printable(argument), "'?"));
      } else {
        (this->*command.run)(argument);
      }
      return;
    }
    names.emplace_back(command.name);
  }
  if (LooksLikeMove(text)) {
    TryMove(text);
  } else {
    Say(absl::StrCat("'", Printable(word), "' is no command and no move", Suggestion(word, names)));
  }
}

void PlaySession::TryMove(absl::string_view text) {
  if (game_->is_over()) {
    Say("The game is over: 'new' begins another, 'undo' goes back.");
    return;
  }
  const absl::StatusOr<Move> move = ReadTypedMove(game_->position(), game_->legal(), text);
  if (!move.ok()) {
    Say(Refusal(move.status()));
    return;
  }
  Say(absl::StrCat("You play ", DescribeMove(game_->position(), *move), "."));
  Play(*move);
}

void PlaySession::ShowBoard(absl::string_view) {
  Say(absl::StrCat("\n", BoardText(*game_, options_.person, flipped_, io_.coloured)));
  board_shown_ = true;
}

void PlaySession::ShowFen(absl::string_view) { Say(FormatFen(game_->position())); }

void PlaySession::ShowHelp(absl::string_view) {
  std::string text =
      "Type a move, such as b1c3, or as much of it as is clear: c3, or a piece's letter and c3.\n"
      "A + behind it promotes; P@e5 puts a piece from the hand on the board. Or one of:\n";
  for (const Command& command : Commands()) {
    absl::StrAppendFormat(&text, "  %-20s %s\n", absl::StrCat(command.name, " ", command.arguments),
                          command.help);
  }
  io_.write(text);
}

void PlaySession::ShowHint(absl::string_view) {
  if (!adviser_ || game_->is_over()) {
    Say(game_->is_over() ? "The game is over." : "There is nobody to ask.");
    return;
  }
  const absl::StatusOr<SearchResult> advice = adviser_(game_->AsTurn());
  if (!advice.ok()) {
    Say(absl::StrCat("No hint: ", advice.status().message()));
    return;
  }
  io_.write(HintText(game_->position(), *advice, options_.hints));
}

void PlaySession::ShowMoves(absl::string_view filter) {
  if (game_->is_over()) {
    Say("The game is over.");
    return;
  }
  const absl::StatusOr<std::string> list = ListMoves(game_->position(), game_->legal(), filter);
  io_.write(list.ok() ? *list : absl::StrCat(Refusal(list.status()), "\n"));
}

void PlaySession::NewGame(absl::string_view) { BeginGame(); }

void PlaySession::Undo(absl::string_view) {
  // Back to a position in which the person had the move, if there was one. After giving up that is
  // the present one.
  int to_take = IsPersonsTurn() ? 2 : 1;
  if (game_->given_up() == options_.person) to_take = 0;
  if (game_->plies() < to_take) {
    Say("You have no move to take back.");
    return;
  }
  game_->GoOn();
  forfeited_ = false;
  persons_side_ = options_.person;
  for (int i = 0; i < to_take; ++i) game_->TakeBack();
  Say("Taken back.");
  board_shown_ = false;
  StartSeat();
}

void PlaySession::ChangeSide(absl::string_view side) {
  const std::string wanted = absl::AsciiStrToLower(side);
  if (wanted == "first") {
    options_.person = Side::kFirst;
  } else if (wanted == "second") {
    options_.person = Side::kSecond;
  } else if (wanted.empty()) {
    options_.person = Other(options_.person);
  } else {
    Say(absl::StrCat("'", Printable(side), "' is no side",
                     Suggestion(wanted, {"first", "second"})));
    return;
  }
  if (!game_->is_over()) persons_side_ = options_.person;
  flipped_ = options_.person == Side::kSecond;
  board_shown_ = false;
  Say(absl::StrCat("You play ", SideText(options_.person), "."));
}

void PlaySession::Flip(absl::string_view) {
  flipped_ = !flipped_;
  ShowBoard("");
}

void PlaySession::Resign(absl::string_view) {
  if (game_->is_over()) {
    Say("The game is over.");
    return;
  }
  game_->GiveUp(options_.person);
  Announce();
}

void PlaySession::Save(absl::string_view file) {
  if (file.empty()) {
    Say("Expected the name of a file: save FILE");
    return;
  }
  // Nobody could read a game without moves again.
  if (game_->moves().empty()) {
    Say("There are no moves to save yet.");
    return;
  }
  const absl::StatusOr<std::string> text =
      SavedText(*game_, persons_side_, opponent_.name(), forfeited_);
  if (!text.ok()) {
    Say(absl::StrCat("The game can't be written: ", text.status().message()));
    return;
  }
  std::ofstream out(std::string(file), std::ios::app);
  out << *text << std::flush;
  Say(absl::StrCat(Printable(file), out ? ": the game was added." : ": can't be written."));
}

void PlaySession::Quit(absl::string_view) { quit_ = true; }

void PlaySession::Say(absl::string_view text) { io_.write(absl::StrCat(text, "\n")); }

}  // namespace crossriver
