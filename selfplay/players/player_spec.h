// Players named by a line of text:
//
//   KIND[:TARGET][?name=value&name=value…]
//
//   net:runs/switchback@latest?visits=200&policy=gumbel
//   uci:fairy-stockfish?nodes=1000&Hash=16
//
// In TARGET, names and values, %XX stands for the byte of that hexadecimal number, so that
// everything can be written: %3F is ?, %26 is &, %3D is =, %25 is % itself.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_PLAYER_SPEC_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_PLAYER_SPEC_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace crossriver {

// What follows the colon.
enum class TargetType : uint8_t {
  kNone,     // nothing
  kCount,    // the value of the option SpecKind::target_option, at least 1
  kNetwork,  // a network's file, or a run and a checkpoint of it
  kCommand,  // a program with its arguments: see command_words.h
};

enum class OptionType : uint8_t { kCount, kReal, kSwitch, kWord };

// An option that specifications may have.
struct SpecOption {
  std::string name;
  OptionType type = OptionType::kCount;
  double least = 0;                // of numbers
  double most = 0;                 // of numbers
  std::vector<std::string> words;  // of kWord
  std::string otherwise;           // the value where it is not given
  std::string help;
};

// A kind of players.
struct SpecKind {
  std::string name;
  TargetType target = TargetType::kNone;
  std::string form;  // "net:FILE"
  std::string help;
  std::vector<std::string> options;  // names of SpecOptions()
  std::string target_option;         // see TargetType::kCount
  bool passes_options = false;       // options of other names are for the program
};

// The tables that all of this follows from (player_kinds.cc). A further kind is a row there and one
// in open_player.cc.
const std::vector<SpecOption>& SpecOptions();
const std::vector<SpecKind>& SpecKinds();
// Null where there is none of this name.
const SpecKind* FindSpecKind(absl::string_view name);

// A checked specification, unescaped.
struct PlayerSpec {
  std::string text;  // as it was given
  std::string kind;  // of SpecKinds()
  std::string target;
  std::vector<std::pair<std::string, std::string>> options;  // as given, in this order

  // Whether it is given, as an option or as the target.
  bool Has(absl::string_view option) const;
  // The value of an option that the kind has: as given, or what SpecOption says otherwise.
  int64_t Count(absl::string_view option) const;
  double Real(absl::string_view option) const;
  bool Switch(absl::string_view option) const;
  std::string Word(absl::string_view option) const;
  // The options that are for the program alone.
  std::vector<std::pair<std::string, std::string>> PassedOptions() const;
};

// Reads no files and starts nothing. Errors name what was expected and the nearest valid spelling:
// unknown kinds and options, values out of range, options given twice or without effect, an engine
// without a limit, control characters.
absl::StatusOr<PlayerSpec> ParsePlayerSpec(absl::string_view text);

// A name as it stands in a specification's TARGET, from which it is read back as it is.
std::string EscapedTarget(absl::string_view name);

// All forms and their options with ranges and defaults, a line each, for people.
std::string PlayerSpecHelp();

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_PLAYER_SPEC_H_
