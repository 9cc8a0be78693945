// Compiles a definition into Rules. Only rules.cc needs it.
#ifndef CROSSRIVER_CORE_RULES_BUILDER_H_
#define CROSSRIVER_CORE_RULES_BUILDER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/rules.h"

namespace crossriver {

class RulesBuilder {
 public:
  explicit RulesBuilder(VariantDefinition definition) : rules_(new Rules(std::move(definition))) {}

  absl::StatusOr<std::shared_ptr<const Rules>> Build();

 private:
  // The promotion of one move; nothing where it does not promote.
  struct Promotion {
    Kind to;
    bool forced;
  };

  struct PromotionZones {
    SquareSet mobile;                   // where the unpromoted kind has a move
    std::vector<SquareSet> rule_zones;  // of each promotion rule, for one side
  };

  absl::Status AddKinds();
  absl::Status AddRays();
  absl::Status CheckSfen() const;
  absl::Status AddMoves(Kind kind, Side side);
  absl::Status AddPromotions(Kind kind, Side side);
  std::optional<Promotion> PromotionOf(Kind kind, const PromotionZones& zones, Cell from,
                                       Cell to) const;
  void AddDrops(Kind kind, Side side);
  void AddKeys();
  void AddHash();

  const PieceDefinition& piece(Kind kind) const {
    return rules_->definition_.pieces[static_cast<size_t>(rules_->kind(kind).base)];
  }
  KindTables& tables(Kind kind, Side side) {
    return rules_->tables_[static_cast<size_t>(MakePiece(kind, side))];
  }
  absl::Status PieceError(Kind kind, const char* field, const std::string& message) const;

  std::shared_ptr<Rules> rules_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_RULES_BUILDER_H_
