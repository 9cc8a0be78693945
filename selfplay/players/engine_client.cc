#include "selfplay/players/engine_client.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

// Of one answer. A program that says more than this will not come to an end.
constexpr size_t kMaxAnswerBytes = size_t{16} << 20;
constexpr absl::Duration kQuitGrace = absl::Milliseconds(300);
constexpr size_t kMaxOptions = 10000;
constexpr std::array<const char*, 2> kVariantOptions = {"UCI_Variant", "USI_Variant"};
constexpr char kShowWdlOption[] = "UCI_ShowWDL";

absl::string_view FirstWord(absl::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == absl::string_view::npos) return "";
  return line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

}  // namespace

absl::StatusOr<std::unique_ptr<EngineClient>> EngineClient::Start(const EngineSettings& settings,
                                                                  const Rules& rules) {
  const VariantDefinition& definition = rules.definition();
  if (settings.protocol == EngineProtocol::kUsi && definition.sfen_hand_order.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the variant '", definition.id, "' has no SFEN, which USI needs; try uci instead"));
  }
  absl::StatusOr<std::unique_ptr<EngineProcess>> process = EngineProcess::Start(settings.command);
  if (!process.ok()) return process.status();
  std::unique_ptr<EngineClient> client(new EngineClient(settings, rules));
  client->process_ = *std::move(process);
  if (absl::Status status = client->SetUp(); !status.ok()) return status;
  return client;
}

EngineClient::~EngineClient() {
  if (is_healthy_) process_->Quit(kQuitGrace);
}

absl::Status EngineClient::Error(const absl::Status& status) const {
  std::string text = absl::StrCat(Printable(settings_.command[0]), ": ", status.message());
  if (!asked_.empty()) absl::StrAppend(&text, "; it was told ", QuotedFromEngine(asked_));
  if (said_.empty()) {
    absl::StrAppend(&text, " and has said nothing");
  } else {
    absl::StrAppend(&text, " and last said ", QuotedFromEngine(said_));
  }
  return absl::Status(status.code(), text);
}

absl::Status EngineClient::Send(const std::string& line) {
  asked_ = line;
  const absl::Status status = process_->Send(line);
  is_healthy_ &= status.ok();
  return status.ok() ? status : Error(status);
}

absl::StatusOr<std::string> EngineClient::Ask(const std::string& question, absl::string_view answer,
                                              const LineVisitor& visit) {
  if (absl::Status status = Send(question); !status.ok()) return status;
  is_healthy_ = false;  // until it has answered
  const absl::Time deadline = absl::Now() + settings_.timeout;
  for (size_t bytes = 0; bytes < kMaxAnswerBytes;) {
    absl::StatusOr<std::string> line = process_->ReadLine(deadline - absl::Now());
    if (absl::IsDeadlineExceeded(line.status())) {
      return Error(absl::DeadlineExceededError(
          absl::StrCat("no '", answer, "' within ", absl::FormatDuration(settings_.timeout))));
    }
    if (!line.ok()) return Error(line.status());
    bytes += line->size() + 1;
    if (!FirstWord(*line).empty()) said_ = *line;
    if (FirstWord(*line) == answer) {
      is_healthy_ = true;
      return line;
    }
    if (visit) visit(*line);
  }
  return Error(
      absl::UnavailableError(absl::StrCat("it writes without end, and no '", answer, "' comes")));
}

absl::Status EngineClient::SetUp() {
  absl::Status status = Greet();
  if (!status.ok()) return status;
  for (const auto& [name, value] : settings_.options) {
    if (status = SetOption(name, value); !status.ok()) return status;
  }
  if (Declared(kShowWdlOption) != nullptr && !IsGiven(kShowWdlOption)) {
    if (status = SetOption(kShowWdlOption, "true"); !status.ok()) return status;
  }
  if (status = ChooseVariant(); !status.ok()) return status;
  if (status = Ask("isready", "readyok").status(); !status.ok()) return status;
  return VariantOption().empty() ? TryOneMove() : absl::OkStatus();
}

absl::Status EngineClient::Greet() {
  const ProtocolWords& words = WordsOf(settings_.protocol);
  declared_.clear();
  return Ask(words.hello, words.hello_ok,
             [this](absl::string_view line) {
               std::optional<EngineOption> option = ParseOptionLine(line);
               if (!option.has_value() || declared_.size() == kMaxOptions) return;
               declared_.push_back(*std::move(option));
             })
      .status();
}

absl::Status EngineClient::SetOption(const std::string& name, const std::string& value) {
  const auto set = [&]() -> absl::Status {
    const absl::StatusOr<std::string> line =
        SetOptionLine(declared_, name, value, settings_.other_options);
    if (!line.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(Printable(settings_.command[0]), ": ", line.status().message()));
    }
    return Send(*line);
  };
  absl::Status status = set();
  // What may be chosen can depend on options set before, such as a file of further variants.
  const EngineOption* const option = Declared(name);
  if (!absl::IsInvalidArgument(status) || option == nullptr || option->words.empty()) return status;
  if (status = Greet(); !status.ok()) return status;
  return set();
}

const EngineOption* EngineClient::Declared(absl::string_view name) const {
  const auto found = std::find_if(
      declared_.begin(), declared_.end(),
      [name](const EngineOption& option) { return name == absl::string_view(option.name); });
  return found == declared_.end() ? nullptr : &*found;
}

std::string EngineClient::VariantOption() const {
  for (const char* const name : kVariantOptions) {
    if (Declared(name) != nullptr) return name;
  }
  return "";
}

bool EngineClient::IsGiven(absl::string_view name) const {
  return std::any_of(settings_.options.begin(), settings_.options.end(),
                     [name](const auto& given) { return name == absl::string_view(given.first); });
}

absl::Status EngineClient::ChooseVariant() {
  const std::string option = VariantOption();
  if (option.empty() || IsGiven(option)) return absl::OkStatus();
  const VariantDefinition& definition = rules_.definition();
  const std::string& name = definition.reference.uci_variant;
  if (name.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        Printable(settings_.command[0]), ": the variant '", definition.id,
        "' has no name for engines (uci_variant of [reference] in its definition); where the ",
        "program plays it, give its name there with ", option, "=NAME"));
  }
  return SetOption(option, name);
}

absl::Status EngineClient::TryOneMove() {
  const Position start = StartPosition(rules_);
  const History history(start);
  std::vector<Move> legal;
  GenerateLegalMoves(start, &legal);
  if (legal.empty()) return absl::OkStatus();
  if (absl::Status status = NewGame(); !status.ok()) return status;
  const Turn turn = {&start, {}, &start, &history, legal};
  absl::Status status = GoFor(turn, "depth 1").status();
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(status.message(), "; does it play ",
                                                  rules_.definition().name, "?"));
}

absl::Status EngineClient::NewGame() {
  if (absl::Status status = Send(WordsOf(settings_.protocol).new_game); !status.ok()) return status;
  return Ask("isready", "readyok").status();
}

absl::StatusOr<Choice> EngineClient::Go(const Turn& turn) {
  std::string limits;
  const auto add = [&limits](const char* word, int64_t limit) {
    if (limit > 0) absl::StrAppend(&limits, limits.empty() ? "" : " ", word, " ", limit);
  };
  add("nodes", settings_.nodes);
  add("movetime", settings_.milliseconds);
  add("depth", settings_.depth);
  CR_CHECK(!limits.empty());
  return GoFor(turn, limits);
}

absl::StatusOr<Choice> EngineClient::GoFor(const Turn& turn, const std::string& limits) {
  const absl::StatusOr<std::string> position =
      PositionLine(settings_.protocol, *turn.start, turn.moves);
  if (!position.ok()) return position.status();
  if (absl::Status status = Send(*position); !status.ok()) return status;
  EngineInfo info;
  const absl::StatusOr<std::string> line =
      Ask(absl::StrCat("go ", limits), "bestmove",
          [&info](absl::string_view said) { ReadInfoLine(said, &info); });
  if (!line.ok()) return line.status();
  return ReadChoice(turn, ParseBestMoveLine(*line).value_or(""), info);
}

absl::StatusOr<Choice> EngineClient::ReadChoice(const Turn& turn, const std::string& text,
                                                const EngineInfo& info) const {
  const std::string program = Printable(settings_.command[0]);
  const Position& position = *turn.position;
  if (text == "resign") return absl::AbortedError(absl::StrCat(program, ": resigns"));
  const bool usi = settings_.protocol == EngineProtocol::kUsi;
  const absl::StatusOr<Move> move = usi ? ParseUsiMove(position, text) : ParseMove(position, text);
  if (move.ok()) return Choice{*move, info.wdl, info.nodes};
  std::string what = absl::StrCat("plays ", QuotedFromEngine(text), ", which is no legal move");
  if (text == "win") what = "claims to have won by the rules, which is not so";
  if (text.empty() || text == "(none)" || text == "0000" || text == "none") {
    what = absl::StrCat("has no move (", QuotedFromEngine(text), "), but there are ",
                        turn.legal.size());
  }
  return absl::InvalidArgumentError(absl::StrCat(program, ": ", what, " in ", FormatFen(position)));
}

}  // namespace crossriver
