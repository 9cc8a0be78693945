# Writes a C++ file with the text of every suite of test positions. Run as a script:
#   cmake -DSOURCE_DIR=… -DOUTPUT=… -P EmbedSuites.cmake
file(GLOB files ${SOURCE_DIR}/configs/suites/*.jsonl)
set(variants "")
foreach(file ${files})
  get_filename_component(variant ${file} NAME_WE)
  list(APPEND variants ${variant})
endforeach()
list(SORT variants)  # not the files: '.' comes after '-'
set(text "// Generated from configs/suites. Do not edit.\n#include \"selfplay/suites/suite.h\"\n\n")
string(APPEND text "namespace crossriver {\n\n")
string(APPEND text "const std::vector<BuiltinSuite>& BuiltinSuites() {\n")
string(APPEND text "  static const auto& suites = *new std::vector<BuiltinSuite>{\n")
foreach(variant ${variants})
  file(READ ${SOURCE_DIR}/configs/suites/${variant}.jsonl content)
  string(APPEND text
         "      {\"${variant}\", {\"configs/suites/${variant}.jsonl\", R\"jsonl(${content})jsonl\"}},\n")
endforeach()
string(APPEND text "  };\n  return suites;\n}\n\n}  // namespace crossriver\n")
file(WRITE ${OUTPUT} "${text}")
