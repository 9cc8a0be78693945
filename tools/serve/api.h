// What the page asks, as JSON. Questions are GET and change nothing; what has to be worked out for
// the asker is POST, and changes nothing either.
//
//   GET  /api/overview            the program, its variants, the run
//   GET  /api/variants/ID         board, pieces, start
//   GET  /api/curves?names=A,B    metrics of the run
//   GET  /api/games?count=N       the newest games
//   GET  /api/games/ID            one of them, with what the search thought
//   POST /api/position            {"variant", "fen", "moves"}: the position reached
//   POST /api/openings            likewise: what was played there
//   POST /api/reply               likewise, and "opponent": {"kind", "checkpoint", "strength"},
//                                 "seed": a move, what its player thinks, the position after it
#ifndef CROSSRIVER_TOOLS_SERVE_API_H_
#define CROSSRIVER_TOOLS_SERVE_API_H_

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "tools/serve/opening_view.h"
#include "tools/serve/opponents.h"
#include "tools/serve/run_view.h"
#include "tools/serve/variant_json.h"

namespace crossriver {

inline constexpr size_t kMostGameMoves = 4096;  // of a game in a request

struct ApiRequest {
  bool is_post = false;
  std::string path;  // decoded
  std::map<std::string, std::string> parameters;
  std::string body;
};

// Thread-safe.
class Api {
 public:
  // `run`, `openings` may be null (no run); all outlive it. `networks`: whether this program can
  // play with checkpoints.
  Api(const RunView* run, const OpeningView* openings, Opponents* opponents,
      VariantLibrary* variants, bool networks)
      : run_(run),
        openings_(openings),
        opponents_(*opponents),
        variants_(*variants),
        networks_(networks) {}

  // Errors: NotFound for what there is not, InvalidArgument for what can't be read, those of the
  // run's files.
  absl::StatusOr<Json> Answer(const ApiRequest& request) const;

 private:
  absl::StatusOr<Json> Overview() const;
  absl::StatusOr<Json> Get(const ApiRequest& request) const;
  absl::StatusOr<Json> Openings(const PlayedGame& game) const;
  absl::StatusOr<Json> Reply(const Json& body, const std::shared_ptr<const Rules>& rules,
                             PlayedGame game) const;

  const RunView* const run_;
  const OpeningView* const openings_;
  Opponents& opponents_;
  VariantLibrary& variants_;
  const bool networks_;
};

// The HTTP status of an error.
int HttpStatus(const absl::Status& status);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SERVE_API_H_
