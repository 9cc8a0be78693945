#include "tools/engine_info.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

constexpr double kMostCentipawns = 10'000;
constexpr int kThousand = 1000;

std::string FormatPv(const Rules& rules, Protocol protocol, const std::vector<Move>& line) {
  std::string text;
  for (const Move move : line) {
    absl::StrAppend(&text, " ", FormatMove(rules, NotationOf(protocol), move));
  }
  return text;
}

bool IsKnown(const Wdl& wdl) { return wdl.win + wdl.draw + wdl.loss > 0; }

std::string FormatCounts(const InfoContext& context, size_t tree_bytes) {
  const int64_t milliseconds = absl::ToInt64Milliseconds(context.time);
  const double seconds = std::max(absl::ToDoubleSeconds(context.time), 1e-3);
  const auto per_second = static_cast<int64_t>(static_cast<double>(context.visits) / seconds);
  std::string text = absl::StrCat(" nodes ", context.visits, " nps ", per_second);
  if (context.tree_limit > 0) {
    absl::StrAppend(&text, " hashfull ",
                    std::min<size_t>(kThousand * tree_bytes / context.tree_limit, kThousand));
  }
  return absl::StrCat(text, " time ", milliseconds);
}

}  // namespace

int Centipawns(double expected_score) {
  if (!(expected_score > 0)) return static_cast<int>(-kMostCentipawns);
  if (expected_score >= 1) return static_cast<int>(kMostCentipawns);
  const double centipawns = 400 * std::log10(expected_score / (1 - expected_score));
  return static_cast<int>(std::lround(std::clamp(centipawns, -kMostCentipawns, kMostCentipawns)));
}

// Rounded down, and what is then missing goes to those that lost most (largest remainders).
std::string FormatWdl(const Wdl& wdl) {
  const double sum = double{wdl.win} + double{wdl.draw} + double{wdl.loss};
  std::array<double, 3> rest = {wdl.win * kThousand / sum, wdl.draw * kThousand / sum,
                                wdl.loss * kThousand / sum};
  std::array<int, 3> counts;
  int missing = kThousand;
  for (size_t i = 0; i < counts.size(); ++i) {
    counts[i] = static_cast<int>(rest[i]);
    rest[i] -= counts[i];
    missing -= counts[i];
  }
  for (; missing > 0; --missing) {
    const auto most =
        static_cast<size_t>(std::max_element(rest.begin(), rest.end()) - rest.begin());
    ++counts[most];
    rest[most] = -1;
  }
  return absl::StrCat("wdl ", counts[0], " ", counts[1], " ", counts[2]);
}

std::string FormatScore(Protocol protocol, const Wdl& wdl, const Proof& proof) {
  const bool decided = proof.result == Result::kWin || proof.result == Result::kLoss;
  const char* const sign = proof.result == Result::kLoss ? "-" : "";
  if (decided && proof.distance >= 0) {
    if (protocol == Protocol::kUsi) return absl::StrCat("score mate ", sign, proof.distance);
    const int moves = (proof.distance + 1) / 2;
    return absl::StrCat("score mate ", moves == 0 ? "" : sign, moves);
  }
  if (decided && protocol == Protocol::kUsi) {
    return proof.result == Result::kWin ? "score mate +" : "score mate -";
  }
  return absl::StrCat("score cp ", Centipawns(double{wdl.win} + double{wdl.draw} / 2));
}

std::vector<std::string> FormatInfo(const Rules& rules, const SearchResult& result,
                                    const InfoContext& context) {
  std::vector<std::string> lines;
  if (result.outcome.is_over()) {
    lines.push_back(
        absl::StrCat("info depth 0 ", FormatScore(context.protocol, result.wdl, result.proof)));
  }
  for (const MoveResult& move : result.moves) {
    if (static_cast<int>(lines.size()) == context.multi_pv) break;
    const bool looked_at = move.visits > 0 || move.proof.result != Result::kNone;
    if (!looked_at || !IsKnown(move.wdl)) continue;
    lines.push_back(absl::StrCat("info depth ", move.pv.size(), " multipv ", lines.size() + 1, " ",
                                 FormatScore(context.protocol, move.wdl, move.proof),
                                 context.show_wdl ? absl::StrCat(" ", FormatWdl(move.wdl)) : "",
                                 FormatCounts(context, result.tree_bytes), " pv",
                                 FormatPv(rules, context.protocol, move.pv)));
  }
  return lines;
}

std::string FormatMateInfo(const Rules& rules, const MateResult& mate, const InfoContext& context) {
  const Wdl win{1, 0, 0};
  return absl::StrCat("info depth ", mate.plies, " multipv 1 ",
                      FormatScore(context.protocol, win, {Result::kWin, mate.plies, false}),
                      context.show_wdl ? absl::StrCat(" ", FormatWdl(win)) : "",
                      FormatCounts(context, 0), " pv",
                      FormatPv(rules, context.protocol, mate.line));
}

std::string FormatBestMove(Protocol protocol, const Rules& rules, const std::vector<Move>& line) {
  if (line.empty()) {
    return protocol == Protocol::kUci ? "bestmove (none)" : "bestmove resign";
  }
  const Notation notation = NotationOf(protocol);
  std::string text = absl::StrCat("bestmove ", FormatMove(rules, notation, line[0]));
  if (line.size() > 1) absl::StrAppend(&text, " ponder ", FormatMove(rules, notation, line[1]));
  return text;
}

std::string FormatBestMove(Protocol protocol, const Rules& rules, const SearchResult& result) {
  return FormatBestMove(protocol, rules,
                        result.moves.empty() ? std::vector<Move>() : result.moves.front().pv);
}

}  // namespace crossriver
