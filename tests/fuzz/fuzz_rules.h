// What the fuzz targets share.
#ifndef CROSSRIVER_TESTS_FUZZ_FUZZ_RULES_H_
#define CROSSRIVER_TESTS_FUZZ_FUZZ_RULES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/variant_loader.h"

namespace crossriver {

// A built-in variant chosen by one byte of the input, so that one corpus serves all of them.
inline const Rules& RulesChosenBy(uint8_t byte) {
  static const auto& all = *[] {
    auto* list = new std::vector<std::shared_ptr<const Rules>>;
    for (const std::string& id : BuiltinVariantIds()) list->push_back(*LoadBuiltin(id));
    return list;
  }();
  return *all[byte % all.size()];
}

}  // namespace crossriver

#endif  // CROSSRIVER_TESTS_FUZZ_FUZZ_RULES_H_
