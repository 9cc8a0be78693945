// Checks of our own invariants. User errors are absl::Status, never these.
//
//   CR_CHECK(cell < topology.num_cells());
//   CR_CHECK_OK(status);
//
// CR_DCHECK costs nothing in release builds. (Abseil's own CHECK macros are not in every
// distribution's package, and LibTorch defines CHECK for itself.)
#ifndef CROSSRIVER_CORE_CHECK_H_
#define CROSSRIVER_CORE_CHECK_H_

#include <string>

namespace crossriver::internal {

// Prints "file:line: check failed: what" on standard error and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const std::string& what);

}  // namespace crossriver::internal

#define CR_CHECK(condition)                                                \
  do {                                                                     \
    if (!(condition)) [[unlikely]] {                                       \
      ::crossriver::internal::CheckFailed(__FILE__, __LINE__, #condition); \
    }                                                                      \
  } while (false)

#define CR_CHECK_OK(expression)                                                      \
  do {                                                                               \
    const auto& cr_check_status = (expression);                                      \
    if (!cr_check_status.ok()) [[unlikely]] {                                        \
      ::crossriver::internal::CheckFailed(                                           \
          __FILE__, __LINE__,                                                        \
          std::string(#expression) + ": " + std::string(cr_check_status.message())); \
    }                                                                                \
  } while (false)

#ifdef NDEBUG
#define CR_DCHECK(condition) \
  do {                       \
  } while (false && (condition))
#else
#define CR_DCHECK(condition) CR_CHECK(condition)
#endif

#endif  // CROSSRIVER_CORE_CHECK_H_
