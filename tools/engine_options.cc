#include "tools/engine_options.h"

#include <algorithm>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

// Half a terabyte: the blocks of a tree are numbered in 32 bits.
constexpr int kMostHashMb = 1 << 19;

struct Spin {
  int* (*value)(EngineOptions* options);
  int min;
  int max;
};
struct Check {
  bool* (*value)(EngineOptions* options);
};
struct Text {
  std::string* (*value)(EngineOptions* options);
};
struct Combo {
  std::string* (*value)(EngineOptions* options);
  std::vector<std::string> choices;  // empty: the variants, which somebody else checks
};

struct Option {
  std::string uci_name;
  std::string usi_name;
  Affects affects;
  std::variant<Spin, Check, Text, Combo> type;

  const std::string& name(Protocol protocol) const {
    return protocol == Protocol::kUci ? uci_name : usi_name;
  }
};

#define CR_FIELD(field) [](EngineOptions* options) { return &options->field; }

const std::vector<Option>& Options() {
  static const auto& list = *new std::vector<Option>{
      {"UCI_Variant", "USI_Variant", Affects::kVariant, Combo{CR_FIELD(variant), {}}},
      {"VariantFile", "VariantFile", Affects::kVariant, Text{CR_FIELD(variant_file)}},
      {"Net", "Net", Affects::kEvaluator, Text{CR_FIELD(evaluator.net)}},
      {"Device", "Device", Affects::kEvaluator, Text{CR_FIELD(evaluator.device)}},
      {"Evaluator", "Evaluator", Affects::kEvaluator,
       Combo{CR_FIELD(evaluator.evaluator), {"auto", "uniform", "rollout"}}},
      {"Rollouts", "Rollouts", Affects::kEvaluator, Spin{CR_FIELD(evaluator.rollouts), 1, 100'000}},
      {"Threads", "Threads", Affects::kEvaluator, Spin{CR_FIELD(threads), 1, 64}},
      {"Batch", "Batch", Affects::kSearch, Spin{CR_FIELD(batch), 0, 1024}},
      {"Hash", "USI_Hash", Affects::kSearch, Spin{CR_FIELD(hash_mb), 1, kMostHashMb}},
      {"MultiPV", "MultiPV", Affects::kNothing, Spin{CR_FIELD(multi_pv), 1, 500}},
      {"UCI_ShowWDL", "USI_ShowWDL", Affects::kNothing, Check{CR_FIELD(show_wdl)}},
      {"Ponder", "USI_Ponder", Affects::kNothing, Check{CR_FIELD(ponder)}},
      {"MoveOverhead", "MoveOverhead", Affects::kNothing,
       Spin{CR_FIELD(move_overhead_ms), 0, 10'000}},
      {"MateNodes", "MateNodes", Affects::kNothing, Spin{CR_FIELD(mate_nodes), 0, 1'000'000'000}},
      {"DrawScore", "DrawScore", Affects::kNothing, Spin{CR_FIELD(draw_score), 0, 100}},
  };
  return list;
}

#undef CR_FIELD

// Protocols have no empty text.
std::string TextOrEmpty(const std::string& text) { return text.empty() ? "<empty>" : text; }

// What an option is and what it is set to.
struct Declaration {
  EngineOptions options;
  const std::vector<std::string>& variants;

  std::string operator()(const Spin& spin) {
    return absl::StrCat("spin default ", *spin.value(&options), " min ", spin.min, " max ",
                        spin.max);
  }
  std::string operator()(const Check& check) {
    return absl::StrCat("check default ", *check.value(&options) ? "true" : "false");
  }
  std::string operator()(const Text& text) {
    return absl::StrCat("string default ", TextOrEmpty(*text.value(&options)));
  }
  std::string operator()(const Combo& combo) {
    const auto& choices = combo.choices.empty() ? variants : combo.choices;
    return absl::StrCat("combo default ", *combo.value(&options), " var ",
                        absl::StrJoin(choices, " var "));
  }
};

// Sets an option to a value as text.
struct Setter {
  const std::string& name;
  const std::string& text;
  EngineOptions* options;

  absl::Status Expected(absl::string_view what) const {
    return absl::InvalidArgumentError(
        absl::StrCat("option ", name, ": expected ", what, ", found ", Quoted(text)));
  }
  absl::Status operator()(const Spin& spin) const {
    int number = 0;
    if (!absl::SimpleAtoi(text, &number) || number < spin.min || number > spin.max) {
      return Expected(absl::StrCat("a number from ", spin.min, " to ", spin.max));
    }
    *spin.value(options) = number;
    return absl::OkStatus();
  }
  absl::Status operator()(const Check& check) const {
    const std::string word = absl::AsciiStrToLower(text);
    if (word != "true" && word != "false") return Expected("true or false");
    *check.value(options) = word == "true";
    return absl::OkStatus();
  }
  absl::Status operator()(const Text& string) const {
    *string.value(options) = text;
    return absl::OkStatus();
  }
  absl::Status operator()(const Combo& combo) const {
    const auto same = [this](const std::string& choice) {
      return absl::EqualsIgnoreCase(choice, text);
    };
    const auto found = std::find_if(combo.choices.begin(), combo.choices.end(), same);
    if (!combo.choices.empty() && found == combo.choices.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "option ", name, ": unknown value ", Quoted(text), Suggestion(text, combo.choices)));
    }
    *combo.value(options) = combo.choices.empty() ? text : *found;
    // Of a variant and a file the one named last counts.
    if (combo.choices.empty()) options->variant_file.clear();
    return absl::OkStatus();
  }
};

// What counts of a name.
std::string Core(absl::string_view name) {
  std::string core;
  for (const char c : absl::AsciiStrToLower(name)) {
    if (!absl::ascii_isspace(static_cast<unsigned char>(c))) core += c;
  }
  for (const absl::string_view prefix : {"uci_", "usi_"}) {
    if (absl::StartsWith(core, prefix)) return core.substr(prefix.size());
  }
  return core;
}

}  // namespace

std::vector<std::string> DeclareOptions(Protocol protocol, const EngineOptions& options,
                                        const std::vector<std::string>& variants) {
  std::vector<std::string> lines;
  for (const Option& option : Options()) {
    lines.push_back(absl::StrCat("option name ", option.name(protocol), " type ",
                                 std::visit(Declaration{options, variants}, option.type)));
  }
  return lines;
}

absl::StatusOr<Affects> SetOption(Protocol protocol, const OptionSetting& setting,
                                  EngineOptions* options) {
  std::vector<std::string> names;
  for (const Option& option : Options()) {
    const std::string& name = option.name(protocol);
    if (Core(name) == Core(setting.name)) {
      const absl::Status status = std::visit(Setter{name, setting.value, options}, option.type);
      if (!status.ok()) return status;
      return option.affects;
    }
    names.push_back(name);
  }
  return absl::NotFoundError(
      absl::StrCat("unknown option ", Quoted(setting.name), Suggestion(setting.name, names)));
}

}  // namespace crossriver
