// Helpers shared by the tests of self-play's files.
#ifndef CROSSRIVER_TESTS_SELFPLAY_RECORD_HELPERS_H_
#define CROSSRIVER_TESTS_SELFPLAY_RECORD_HELPERS_H_

#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/status/status.h"
#include "core/rules.h"
#include "selfplay/record.h"
#include "selfplay/run_directory.h"

namespace crossriver::testing {

// A random game of at most `plies` moves with made-up opinions, as a worker might record it: ended
// by the rules, truncated or resigned. ReplayRecord accepts it. The same for the same id.
GameRecord RandomRecord(const Rules& rules, uint64_t id, int plies);

// Replays it; OK or what is wrong.
absl::Status Replay(const Rules& rules, const GameRecord& record);

// Fails the running test where the message has not all of the words.
void ExpectError(const absl::Status& status, std::initializer_list<const char*> words);

// A new run; aborts on errors.
RunDirectory NewRun(const std::string& path);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SELFPLAY_RECORD_HELPERS_H_
