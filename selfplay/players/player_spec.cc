#include "selfplay/players/player_spec.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "core/check.h"
#include "core/spelling.h"
#include "selfplay/players/command_words.h"

namespace crossriver {
namespace {

constexpr size_t kQuotedBytes = 200;  // of a text in a message

absl::Status Wrong(absl::string_view what) { return absl::InvalidArgumentError(what); }

std::string Quoted(absl::string_view text) {
  const bool whole = text.size() <= kQuotedBytes;
  return absl::StrCat("'", Printable(text.substr(0, kQuotedBytes)), whole ? "'" : "…'");
}

// Each %XX as its byte. Lines to programs and their arguments can hold no control characters.
absl::StatusOr<std::string> Unescape(absl::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    const absl::string_view digits = text.substr(i + 1, 2);
    if (digits.size() != 2 || !absl::ascii_isxdigit(static_cast<unsigned char>(digits[0])) ||
        !absl::ascii_isxdigit(static_cast<unsigned char>(digits[1]))) {
      return Wrong(
          absl::StrCat(Quoted(text), ": expected two hexadecimal digits after %; % itself is %25"));
    }
    plain += absl::HexStringToBytes(digits);
    i += 2;
  }
  for (const char c : plain) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) {
      return Wrong(absl::StrCat(Quoted(plain), ": expected no control characters"));
    }
  }
  return plain;
}

bool HasOption(const SpecKind& kind, absl::string_view name) {
  return std::any_of(kind.options.begin(), kind.options.end(),
                     [name](const std::string& own) { return name == absl::string_view(own); });
}

const SpecOption& OptionNamed(absl::string_view name) {
  const auto& options = SpecOptions();
  const auto found = std::find_if(options.begin(), options.end(), [name](const SpecOption& option) {
    return name == absl::string_view(option.name);
  });
  CR_CHECK(found != options.end());
  return *found;
}

absl::Status CheckNumber(const SpecOption& option, absl::string_view value, double least) {
  double number = 0;
  bool is_number = false;
  if (option.type == OptionType::kCount) {
    int64_t count = 0;
    is_number = absl::SimpleAtoi(value, &count);
    number = static_cast<double>(count);
  } else {
    is_number = absl::SimpleAtod(value, &number);
  }
  if (is_number && number >= least && number <= option.most) return absl::OkStatus();
  const auto limit = [&option](double at) {
    return option.type == OptionType::kCount ? absl::StrCat(static_cast<int64_t>(at))
                                             : absl::StrCat(at);
  };
  return Wrong(absl::StrCat(option.name, ": expected a ",
                            option.type == OptionType::kCount ? "whole " : "", "number from ",
                            limit(least), " to ", limit(option.most), ", got ", Quoted(value)));
}

absl::Status CheckValue(const SpecOption& option, const std::string& value) {
  if (option.type == OptionType::kCount || option.type == OptionType::kReal) {
    return CheckNumber(option, value, option.least);
  }
  if (std::count(option.words.begin(), option.words.end(), value) != 0) return absl::OkStatus();
  return Wrong(absl::StrCat(option.name, ": expected ", absl::StrJoin(option.words, " or "),
                            ", got ", Quoted(value), Suggestion(value, option.words)));
}

absl::Status CheckTarget(const SpecKind& kind, const std::string& target, bool has_colon) {
  if (kind.target == TargetType::kNone) {
    return has_colon ? Wrong(absl::StrCat("expected nothing after '", kind.name, "'"))
                     : absl::OkStatus();
  }
  if (target.empty()) return Wrong(absl::StrCat("expected ", kind.form));
  if (kind.target == TargetType::kCommand) return SplitCommand(target).status();
  if (kind.target != TargetType::kCount) return absl::OkStatus();
  const SpecOption& option = OptionNamed(kind.target_option);
  return CheckNumber(option, target, std::max(option.least, 1.0));
}

absl::Status AddOption(const SpecKind& kind, absl::string_view text, PlayerSpec* spec) {
  const size_t equals = text.find('=');
  absl::StatusOr<std::string> name = Unescape(text.substr(0, equals));
  if (!name.ok()) return name.status();
  const bool is_own = HasOption(kind, *name);
  if (!is_own && !kind.passes_options) {
    if (kind.options.empty()) return Wrong(absl::StrCat("'", kind.name, "' has no options"));
    return Wrong(absl::StrCat("unknown option ", Quoted(*name), Suggestion(*name, kind.options)));
  }
  if (name->empty()) return Wrong("expected name=value after ? and &");
  if (spec->Has(*name)) return Wrong(absl::StrCat("option '", *name, "' is given twice"));
  // A button of another program has no value.
  if (equals == absl::string_view::npos && is_own) {
    return Wrong(absl::StrCat("expected '", *name, "=value'"));
  }
  absl::StatusOr<std::string> value =
      equals == absl::string_view::npos ? "" : Unescape(text.substr(equals + 1));
  if (!value.ok()) return value.status();
  if (is_own) {
    if (absl::Status status = CheckValue(OptionNamed(*name), *value); !status.ok()) return status;
  }
  spec->options.emplace_back(*std::move(name), *std::move(value));
  return absl::OkStatus();
}

absl::Status WithoutEffect(absl::string_view option, absl::string_view where) {
  return Wrong(absl::StrCat("option '", option, "' has an effect ", where));
}

// Options that contradict each other, of a player that searches.
absl::Status CheckSearch(const PlayerSpec& spec) {
  const bool gumbel = spec.Word("policy") == "gumbel";
  if (spec.Has("sampled_moves") && !gumbel) {
    return WithoutEffect("sampled_moves", "with policy=gumbel alone");
  }
  if (spec.Has("reuse") && gumbel) return WithoutEffect("reuse", "with policy=puct alone");
  if (spec.Has("temperature_plies") && spec.Real("temperature") == 0) {
    return WithoutEffect("temperature_plies", "with a temperature above 0 alone");
  }
  if (spec.Count("visits") > 0) return absl::OkStatus();
  for (const char* const option : {"nodes", "policy", "draw_score", "tree_mb", "reuse"}) {
    if (spec.Has(option)) return WithoutEffect(option, "with visits above 0 alone");
  }
  return absl::OkStatus();
}

// … and of another program.
absl::Status CheckEngine(const PlayerSpec& spec) {
  if (!spec.Has("nodes") && !spec.Has("movetime") && !spec.Has("depth")) {
    return Wrong(absl::StrCat("expected a limit: nodes, movetime or depth, as in '", spec.kind,
                              ":COMMAND?nodes=1000'"));
  }
  if (static_cast<double>(spec.Count("movetime")) / 1000 >= spec.Real("timeout")) {
    return Wrong(absl::StrCat("expected a movetime shorter than the timeout of ",
                              spec.Real("timeout"), " s"));
  }
  return absl::OkStatus();
}

absl::Status Parse(absl::string_view text, PlayerSpec* spec) {
  const size_t question = text.find('?');
  const absl::string_view head = text.substr(0, question);
  const size_t colon = head.find(':');
  const SpecKind* const kind = FindSpecKind(head.substr(0, colon));
  if (kind == nullptr) {
    std::vector<std::string> names;
    for (const SpecKind& known : SpecKinds()) names.push_back(known.name);
    const std::string name(head.substr(0, colon));
    return Wrong(absl::StrCat("unknown kind ", Quoted(name), Suggestion(name, names)));
  }
  spec->kind = kind->name;
  const bool has_colon = colon != absl::string_view::npos;
  absl::StatusOr<std::string> target = has_colon ? Unescape(head.substr(colon + 1)) : "";
  if (!target.ok()) return target.status();
  if (absl::Status status = CheckTarget(*kind, *target, has_colon); !status.ok()) return status;
  spec->target = *std::move(target);
  if (question != absl::string_view::npos) {
    for (const absl::string_view option : absl::StrSplit(text.substr(question + 1), '&')) {
      if (absl::Status status = AddOption(*kind, option, spec); !status.ok()) return status;
    }
  }
  if (HasOption(*kind, "policy")) return CheckSearch(*spec);
  if (kind->target == TargetType::kCommand) return CheckEngine(*spec);
  return absl::OkStatus();
}

}  // namespace

bool PlayerSpec::Has(absl::string_view option) const {
  const SpecKind* const own_kind = FindSpecKind(kind);
  CR_CHECK(own_kind != nullptr);
  if (!option.empty() && option == absl::string_view(own_kind->target_option)) return true;
  return std::any_of(options.begin(), options.end(), [option](const auto& given) {
    return option == absl::string_view(given.first);
  });
}

std::string PlayerSpec::Word(absl::string_view option) const {
  const SpecKind* const own_kind = FindSpecKind(kind);
  CR_CHECK(own_kind != nullptr);
  if (!option.empty() && option == absl::string_view(own_kind->target_option)) return target;
  CR_CHECK(HasOption(*own_kind, option));
  for (const auto& [name, value] : options) {
    if (option == absl::string_view(name)) return value;
  }
  return OptionNamed(option).otherwise;
}

int64_t PlayerSpec::Count(absl::string_view option) const {
  const std::string value = Word(option);
  int64_t count = 0;
  CR_CHECK(value.empty() || absl::SimpleAtoi(value, &count));
  return count;
}

double PlayerSpec::Real(absl::string_view option) const {
  double number = 0;
  CR_CHECK(absl::SimpleAtod(Word(option), &number));
  return number;
}

bool PlayerSpec::Switch(absl::string_view option) const { return Word(option) == "true"; }

std::vector<std::pair<std::string, std::string>> PlayerSpec::PassedOptions() const {
  const SpecKind* const own_kind = FindSpecKind(kind);
  CR_CHECK(own_kind != nullptr);
  std::vector<std::pair<std::string, std::string>> passed;
  for (const auto& option : options) {
    if (!HasOption(*own_kind, option.first)) passed.push_back(option);
  }
  return passed;
}

std::string EscapedTarget(absl::string_view name) {
  return absl::StrReplaceAll(name, {{"%", "%25"}, {"?", "%3F"}});
}

absl::StatusOr<PlayerSpec> ParsePlayerSpec(absl::string_view text) {
  PlayerSpec spec;
  spec.text = std::string(text);
  if (absl::Status status = Parse(text, &spec); !status.ok()) {
    // Of several, some may have been meant to be part of the command.
    const bool command = text.find(':') < text.find('?');
    const bool several = std::count(text.begin(), text.end(), '?') > 1;
    return Wrong(absl::StrCat("player ", Quoted(text), ": ", status.message(),
                              command && several ? "; a ? before the options is written %3F" : ""));
  }
  return spec;
}

}  // namespace crossriver
