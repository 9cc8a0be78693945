// Variants and positions as the page gets them. Nothing here knows a variant: boards, letters and
// moves follow from the definition.
#ifndef CROSSRIVER_TOOLS_SERVE_VARIANT_JSON_H_
#define CROSSRIVER_TOOLS_SERVE_VARIANT_JSON_H_

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/mutex.h"
#include "core/rules.h"
#include "tools/play_game.h"

namespace crossriver {

using Json = nlohmann::ordered_json;

// The built-in variants and one more, each compiled when it is first asked for. Thread-safe.
class VariantLibrary {
 public:
  // `own`: a run's variant, which may come from a user's file and hides a built-in one of its id;
  // may be null.
  explicit VariantLibrary(std::shared_ptr<const Rules> own) : own_(std::move(own)) {}

  // NotFound with the nearest spelling.
  absl::StatusOr<std::shared_ptr<const Rules>> Find(const std::string& id);
  // [{"id", "name", "family", "trained" (whether a network comes with the program)}], the own one
  // first.
  absl::StatusOr<Json> List();
  const std::shared_ptr<const Rules>& own() const { return own_; }

 private:
  const std::shared_ptr<const Rules> own_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<const Rules>> loaded_ ABSL_GUARDED_BY(mutex_);
};

// {"id", "name", "family", "trained", "levels", "files", "ranks", "drops", "start_fen",
//  "cells": [{"name", "level", "file", "rank", "tinted"}] with level, file and rank from 0,
//  "kinds": {LETTER: {"name", "royal"}}, "hand": [LETTER]}. Letters are the first player's in FEN.
Json VariantJson(const Rules& rules);

// Of a move: {"text", "from" or "drop" (a letter), "to", "promotes"}.
Json MoveJson(const Rules& rules, Move move);
// Of the game's present position: {"fen", "ply", "side" ("first", "second"), "in_check",
// "royal" (the mover's cell), "winner" ("first", "second", "draw" or null), "reason", "moves"}.
Json PositionJson(const PlayedGame& game);

// A game from where it starts ("" = the variant's start) along moves as text. Errors name what
// can't be read, the first move that is not legal, or one after the end. `rules` must outlive it.
absl::StatusOr<PlayedGame> ReadPlayedGame(const Rules& rules, const std::string& fen,
                                          const std::vector<std::string>& moves);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SERVE_VARIANT_JSON_H_
