#include "nn/policy_map.h"

namespace crossriver {

PolicyMap::PolicyMap(const Rules* rules, const FeatureEncoder& encoder) : actions_(rules) {
  const int cells = actions_.columns();
  first_drop_ = actions_.rows() - static_cast<int>(rules->hand_kinds().size());
  for (int row = 0; row < actions_.rows(); ++row) {
    starts_.push_back(row >= first_drop_ ? row
                                         : row / cells * cells + encoder.PlaceOf(row % cells));
  }
}

}  // namespace crossriver
