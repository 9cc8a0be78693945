// Variants and positions as the page gets them. Nothing here knows a variant: boards, letters and
// moves follow from the definition.
#ifndef CROSSRIVER_TOOLS_SERVE_VARIANT_JSON_H_
#define CROSSRIVER_TOOLS_SERVE_VARIANT_JSON_H_

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/mutex.h"
#include "core/rules.h"
#include "core/variant_group.h"
#include "tools/play_game.h"

namespace crossriver {

using Json = nlohmann::ordered_json;

// The built-in variants and one more, each compiled when it is first asked for. Thread-safe.
class VariantLibrary {
 public:
  // `own`: a run's variants, which may come from a user's files and hide built-in ones of their
  // ids.
  explicit VariantLibrary(std::optional<VariantGroup> own) : own_(std::move(own)) {}

  // NotFound with the nearest spelling.
  absl::StatusOr<std::shared_ptr<const Rules>> Find(const std::string& id);
  // [{"id", "name", "family", "trained" (whether a network comes with the program)}], its own
  // first.
  absl::StatusOr<Json> List();

 private:
  std::shared_ptr<const Rules> FindOwn(const std::string& id) const;

  const std::optional<VariantGroup> own_;
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
