# Compile options shared by all targets, and the one way to declare a folder's library.

add_library(crossriver_options INTERFACE)
target_include_directories(crossriver_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(crossriver_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 finds overlaps in libstdc++'s string concatenation that are not there (PR 105651), and
  # takes the deliberately undefined values of its own AVX-512 intrinsics for mistakes (PR 105593).
  target_compile_options(crossriver_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(crossriver_options INTERFACE -Wthread-safety)
endif()
if(CROSSRIVER_WERROR)
  target_compile_options(crossriver_options INTERFACE -Werror)
endif()
if(CROSSRIVER_NATIVE)
  target_compile_options(crossriver_options INTERFACE -march=native)
endif()
if(CROSSRIVER_SANITIZE)
  add_compile_options(-fsanitize=${CROSSRIVER_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CROSSRIVER_SANITIZE})
  if(CROSSRIVER_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
if(CROSSRIVER_FUZZ)
  # Every target is instrumented; only the fuzzers link libFuzzer's main.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# crossriver_library(NAME sources...): the library crossriver_NAME of one folder.
function(crossriver_library name)
  add_library(crossriver_${name} STATIC ${ARGN})
  target_link_libraries(crossriver_${name} PUBLIC crossriver_options)
endfunction()

# For targets without long loops of their own, the command line and the tests: they compile in two
# thirds of the time or less.
function(crossriver_compile_quickly)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()
