#include "tests/tools/engine_helpers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/mcts/search_helpers.h"
#include "tests/test_data.h"
#include "tools/engine_variants.h"

namespace crossriver::testing {
namespace {

constexpr std::chrono::minutes kPatience(4);

[[noreturn]] void GiveUp(const std::string& what) {
  std::fprintf(stderr, "nothing has happened for minutes: %s\n", what.c_str());
  std::abort();
}

const VariantNames& Names(Protocol protocol) {
  static const auto& uci = *new VariantNames(Protocol::kUci);
  static const auto& usi = *new VariantNames(Protocol::kUsi);
  return protocol == Protocol::kUci ? uci : usi;
}

}  // namespace

void Send(EngineSession* session, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) EXPECT_TRUE(session->Handle(line)) << line;
}

void Lines::Add(absl::string_view line) {
  MutexLock lock(&mutex_);
  lines_.emplace_back(line);
  added_.NotifyAll();
}

std::vector<std::string> Lines::all() const {
  MutexLock lock(&mutex_);
  return lines_;
}

int Lines::Count(absl::string_view prefix) const {
  MutexLock lock(&mutex_);
  return static_cast<int>(
      std::count_if(lines_.begin(), lines_.end(),
                    [prefix](const std::string& line) { return absl::StartsWith(line, prefix); }));
}

std::string Lines::WaitFor(absl::string_view prefix, int count) const {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  MutexLock lock(&mutex_);
  for (;;) {
    int found = 0;
    for (const std::string& line : lines_) {
      if (absl::StartsWith(line, prefix) && ++found == count) return line;
    }
    if (std::chrono::steady_clock::now() >= deadline) GiveUp(std::string(prefix));
    added_.WaitFor(&mutex_, std::chrono::seconds(1));
  }
}

Watchdog::Watchdog() : thread_([this] { Watch(); }) {}

Watchdog::~Watchdog() {
  {
    MutexLock lock(&mutex_);
    ended_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

void Watchdog::Pet(const std::string& what) {
  MutexLock lock(&mutex_);
  what_ = what;
  ++pets_;
  changed_.NotifyAll();
}

void Watchdog::Watch() {
  MutexLock lock(&mutex_);
  uint64_t seen = pets_;
  auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!ended_) {
    changed_.WaitFor(&mutex_, std::chrono::seconds(1));
    const auto now = std::chrono::steady_clock::now();
    if (std::exchange(seen, pets_) != pets_) {
      deadline = now + kPatience;
    } else if (now >= deadline) {
      GiveUp(what_);
    }
  }
}

absl::Status HookedEvaluator::Evaluate(std::span<const EvaluationRequest> requests,
                                       std::span<Evaluation> results) {
  if (absl::Status status = before_(); !status.ok()) return status;
  for (size_t i = 0; i < requests.size(); ++i) {
    const Wdl& wdl = kFirstPlayers;
    const bool first = requests[i].position->side_to_move() == Side::kFirst;
    results[i] = ValueOnly(requests[i], first ? wdl : Wdl{wdl.loss, wdl.draw, wdl.win});
  }
  return absl::OkStatus();
}

EngineParts MakeParts(Protocol protocol, Lines* lines,
                      const std::function<absl::Status()>& before) {
  EngineParts parts;
  parts.protocol = protocol;
  parts.name = "crossriver";
  parts.variants = Names(protocol).names();
  parts.load_rules =
      [protocol](const EngineOptions& options) -> absl::StatusOr<std::shared_ptr<const Rules>> {
    const absl::StatusOr<std::string> id = Names(protocol).IdOf(options.variant);
    if (!id.ok()) return id.status();
    return SharedRulesOf(*id);
  };
  parts.make_evaluator =
      [before](const EngineOptions& options,
               const std::shared_ptr<const Rules>&) -> absl::StatusOr<ChosenEvaluator> {
    if (!options.evaluator.net.empty()) return absl::NotFoundError("no such network");
    return ChosenEvaluator{std::make_unique<HookedEvaluator>(before), true, 2};
  };
  parts.write = [lines](absl::string_view line) { lines->Add(line); };
  return parts;
}

std::unique_ptr<EngineSession> MakeSession(const EngineParts& parts, const std::string& variant) {
  EngineOptions options;
  options.variant = variant;
  options.hash_mb = 1;
  options.mate_nodes = 50;
  auto session = EngineSession::Create(parts, options);
  EXPECT_TRUE(session.ok()) << session.status();
  return *std::move(session);
}

std::unique_ptr<EngineSession> MakeSession(Protocol protocol, const std::string& variant,
                                           Lines* lines,
                                           const std::function<absl::Status()>& before) {
  return MakeSession(MakeParts(protocol, lines, before), variant);
}

}  // namespace crossriver::testing
