// Where this program lies.
#ifndef CROSSRIVER_TOOLS_PROGRAM_FOLDER_H_
#define CROSSRIVER_TOOLS_PROGRAM_FOLDER_H_

#include <filesystem>

namespace crossriver {

// The folder of the running program's file, links resolved; empty where the system does not say.
std::filesystem::path ProgramFolder();

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_PROGRAM_FOLDER_H_
