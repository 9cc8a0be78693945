#include "tools/suite_files.h"

#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/spelling.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

constexpr size_t kMaxSuiteBytes = size_t{16} << 20;

}  // namespace

absl::StatusOr<Suite> LoadSuiteArgument(const std::string& argument) {
  if (absl::StrContains(argument, '/') || absl::EndsWith(argument, ".jsonl")) {
    absl::StatusOr<std::string> text = ReadFile(argument, kMaxSuiteBytes);
    if (!text.ok()) return text.status();
    return ReadSuite({argument, *std::move(text)}, LoadVariantArgument);
  }
  std::vector<std::string> variants;
  for (const BuiltinSuite& suite : BuiltinSuites()) {
    if (suite.variant == argument) return ReadSuite(suite.source, LoadVariantArgument);
    variants.push_back(suite.variant);
  }
  return absl::NotFoundError(
      absl::StrCat("no suite '", Printable(argument), "'", Suggestion(argument, variants)));
}

}  // namespace crossriver
