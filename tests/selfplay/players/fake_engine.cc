// A program that speaks UCI and USI, and misbehaves as its first argument says:
//
//   fake_engine BEHAVIOUR [ARGUMENT]
//
// It plays the first legal move, in alphabetical order, of the built-in variants that have a name
// for engines. What does not misbehave in itself:
//
//   play            …
//   log FILE        appends every line that it reads to the file
//   wdl             gives win, draw and loss
//   one_game ID     has no option for variants and plays the built-in one of that id
//   learn           knows minishogi only once the option VariantPath is set
//   chatty          writes a megabyte to standard error before each move
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"

namespace crossriver {
namespace {

using Words = std::vector<std::string>;

void Say(const std::string& text) { std::cout << text << std::endl; }

[[noreturn]] void SleepForever() {
  for (;;) pause();
}

// A built-in variant by its name for engines, which most often is its own.
std::shared_ptr<const Rules> LoadByName(const std::string& name) {
  std::vector<std::string> ids = BuiltinVariantIds();
  std::stable_partition(ids.begin(), ids.end(), [&](const std::string& id) { return id == name; });
  for (const std::string& id : ids) {
    std::shared_ptr<const Rules> rules = *LoadBuiltin(id);
    if (rules->definition().reference.uci_variant == name) return rules;
  }
  return nullptr;
}

class FakeEngine {
 public:
  FakeEngine(std::string behaviour, std::string argument)
      : behaviour_(std::move(behaviour)), argument_(std::move(argument)) {}

  void Run() {
    MisbehaveAtStart();
    for (std::string line; std::getline(std::cin, line);) {
      if (behaviour_ == "log") std::ofstream(argument_, std::ios::app) << line << "\n";
      const Words words = absl::StrSplit(line, ' ', absl::SkipEmpty());
      if (words.empty()) continue;
      if (words[0] == "quit" && behaviour_ != "deaf") return;
      Answer(words, line);
    }
    if (behaviour_ == "deaf") SleepForever();
  }

 private:
  void MisbehaveAtStart() {
    if (behaviour_ == "exit_at_start") std::exit(3);
    if (behaviour_ == "crash_at_start") raise(SIGKILL);
    if (behaviour_ == "hang_at_start") SleepForever();
    if (behaviour_ == "endless_line") {
      for (;;) std::cout << "never a line's end ";
    }
    if (behaviour_ != "child") return;
    // A child that holds our pipes and outlives us.
    const pid_t child = fork();
    if (child == 0) SleepForever();
    std::ofstream(argument_) << child << "\n";
  }

  void Answer(const Words& words, const std::string& line) {
    if (words[0] == "uci" || words[0] == "usi") return Greet(words[0]);
    if (words[0] == "isready") return Ready();
    if (words[0] == "setoption") return SetOption(words);
    if (words[0] == "position") return SetPosition(words, line);
    if (words[0] == "go") return Go();
  }

  void Greet(const std::string& protocol) {
    usi_ = protocol == "usi";
    if (behaviour_ == "slow") usleep(200'000);
    Say("id name Fake");
    Say("option name Hash type spin default 16 min 1 max 1024");
    Say("option name Skill Level type spin default 20 min 0 max 20");
    Say("option name Ponder type check default false");
    Say("option name Style type combo default Solid var Solid var Very Risky");
    Say("option name Clear Hash type button");
    Say("option name VariantPath type string default <empty>");
    Say("option");
    if (behaviour_ == "wdl") Say("option name UCI_ShowWDL type check default false");
    if (behaviour_ == "no_variant") {
      Say("option name UCI_Variant type combo default chess var chess var crazyhouse");
    } else if (behaviour_ != "one_game") {
      const bool all = behaviour_ != "learn" || knows_path_;
      Say(absl::StrCat("option name ", usi_ ? "USI" : "UCI", "_Variant type combo default chess ",
                       "var chess var xiangqi var shogi", all ? " var minishogi" : ""));
    }
    Say(protocol + "ok");
  }

  void Ready() {
    if (behaviour_ == "slow") usleep(200'000);
    Say("readyok");
  }

  void SetOption(const Words& words) {
    if (words[2] == "VariantPath") knows_path_ = true;
    if (words[2] == "UCI_Variant" || words[2] == "USI_Variant") rules_ = LoadByName(words[4]);
    if (words[2] == "UCI_ShowWDL") shows_wdl_ = words[4] == "true";
  }

  void SetPosition(const Words& words, const std::string& line) {
    if (behaviour_ == "one_game" && rules_ == nullptr) rules_ = *LoadBuiltin(argument_);
    const auto moves = std::find(words.begin(), words.end(), "moves");
    const std::string text = absl::StrJoin(words.begin() + 2, moves, " ");
    absl::StatusOr<Position> position =
        words[1] == "sfen" ? ParseSfen(*rules_, text) : ParseFen(*rules_, text);
    for (auto word = moves; position.ok() && word != words.end(); ++word) {
      if (word == moves) continue;
      const absl::StatusOr<Move> move =
          usi_ ? ParseUsiMove(*position, *word) : ParseMove(*position, *word);
      if (!move.ok()) {
        position = move.status();
      } else {
        position->Do(*move);
      }
    }
    position_ = std::make_unique<absl::StatusOr<Position>>(std::move(position));
    if (!position_->ok()) Say(absl::StrCat("info string ", line));
  }

  // The misbehaviour of a move, if there is one.
  bool Misbehave() {
    if (behaviour_ == "hang") SleepForever();
    if (behaviour_ == "exit") std::exit(4);
    if (behaviour_ == "crash") raise(SIGKILL);
    if (behaviour_ == "crash_once" && access(argument_.c_str(), F_OK) != 0) {
      std::ofstream(argument_) << "crashed\n";
      raise(SIGKILL);
    }
    if (behaviour_ == "close") {
      close(STDOUT_FILENO);
      SleepForever();
    }
    if (behaviour_ == "garbage") {
      Say(std::string("\x01\xff\x1b[31m\0 best move", 18));
      std::exit(4);
    }
    if (behaviour_ == "endless") {
      for (;;) std::cout << "info depth 1 nodes 1 string on and on and on and on and on\n";
    }
    if (behaviour_ == "chatty") std::cerr << std::string(1 << 20, '!') << std::endl;
    const std::vector<std::pair<std::string, std::string>> answers = {
        {"illegal", "bestmove a1a9 ponder a2a3"},
        {"none", "bestmove (none)"},
        {"null", "bestmove 0000"},
        {"empty", "bestmove"},
        {"resign", "bestmove resign"},
        {"win", "bestmove win"},
        {"escape", "bestmove \x1b[2J\xc3"},
    };
    for (const auto& [name, answer] : answers) {
      if (behaviour_ != name) continue;
      Say(answer);
      return true;
    }
    return false;
  }

  void Go() {
    if (Misbehave()) return;
    if (position_ == nullptr || !position_->ok()) return Say("bestmove badposition");
    const Position& position = **position_;
    std::vector<Move> legal;
    GenerateLegalMoves(position, &legal);
    std::vector<std::string> texts;
    for (const Move move : legal) {
      texts.push_back(usi_ ? FormatUsiMove(*rules_, move) : FormatMove(*rules_, move));
    }
    const std::string best = *std::min_element(texts.begin(), texts.end());
    Say(absl::StrCat("info depth 1 score cp 100", shows_wdl_ ? " wdl 600 300 100" : "",
                     " nodes 77 pv ", best));
    Say(absl::StrCat("bestmove ", best, " ponder ", best));
  }

  const std::string behaviour_;
  const std::string argument_;
  bool usi_ = false;
  bool knows_path_ = false;
  bool shows_wdl_ = false;
  std::shared_ptr<const Rules> rules_;
  std::unique_ptr<absl::StatusOr<Position>> position_;
};

}  // namespace
}  // namespace crossriver

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: fake_engine BEHAVIOUR [ARGUMENT]\n";
    return 2;
  }
  crossriver::FakeEngine(argv[1], argc > 2 ? argv[2] : "").Run();
  return 0;
}
