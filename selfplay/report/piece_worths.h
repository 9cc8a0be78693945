// What pieces are worth by the games in which they were ahead.
#ifndef CROSSRIVER_SELFPLAY_REPORT_PIECE_WORTHS_H_
#define CROSSRIVER_SELFPLAY_REPORT_PIECE_WORTHS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/rating.h"
#include "selfplay/report/material_columns.h"
#include "selfplay/report/material_samples.h"

namespace crossriver {

// With 95 % intervals.
struct PieceWorth {
  MaterialColumn column;
  Estimate nats;   // the coefficient
  Estimate score;  // expected of a side with one more of it and all else equal: 0 to 1
  std::optional<Estimate> points;
};

struct PieceWorths {
  std::vector<PieceWorth> pieces;         // in the order of the columns
  std::vector<std::string> never_uneven;  // names of columns in play in which no position
                                          // differed
  Estimate first_score;                   // of the first player with equal material
  int64_t games = 0;
  int64_t positions = 0;
};

// What a piece of the array is worth in the mean, royal ones aside: the scale of PieceValues, on
// which a small piece is about 1.
inline constexpr double kMeanPoints = 2.5;
// Points need a mean that is so many standard errors above 0.
inline constexpr double kSureOfMean = 3;

// Fits the model of material_model.h. With n_k pieces of kind k in one side's array, those without
// a coefficient left out, a piece of kind k has
//
//   2.5 b_k / m points,   m = sum n_j b_j / sum n_j,
//
// with an interval by the delta method: the gradient by b_j is 2.5 (1[j = k] / m - b_k n_j / (N
// m²)). Where m is not surely above 0 (play in which material does not tell yet) there are no
// points.
//
// It is what being ahead by the piece went along with in these games, not what it causes: who wins
// for other reasons wins pieces too. Errors: FitMaterial's.
absl::StatusOr<PieceWorths> EstimatePieceWorths(const MaterialColumns& columns,
                                                const MaterialSamples& samples);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_REPORT_PIECE_WORTHS_H_
