#include "core/topology.h"

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace crossriver {

absl::StatusOr<Topology> Topology::Create(const std::vector<std::string>& levels, int ranks) {
  if (levels.empty() || levels[0].empty()) {
    return absl::InvalidArgumentError("expected at least one level with at least one file");
  }
  for (const std::string& level : levels) {
    if (level.size() != levels[0].size()) {
      return absl::InvalidArgumentError(absl::StrCat("level \"", level, "\" has ", level.size(),
                                                     " files, expected ", levels[0].size(),
                                                     " as on the first level"));
    }
  }
  const size_t columns = levels.size() * levels[0].size();
  if (columns > 26) {
    return absl::InvalidArgumentError(
        absl::StrCat(columns, " files in all, expected at most 26 (a to z)"));
  }
  if (ranks < 1 || columns * static_cast<size_t>(ranks) > kMaxCells) {
    return absl::InvalidArgumentError(absl::StrCat("a board of ", columns, " files and ", ranks,
                                                   " ranks, expected 1 to ", kMaxCells, " cells"));
  }
  Topology topology;
  topology.levels_ = static_cast<int>(levels.size());
  topology.files_ = static_cast<int>(levels[0].size());
  topology.ranks_ = ranks;
  topology.column_place_.assign(columns, -1);
  const std::string letters = absl::StrJoin(levels, "");
  for (size_t place = 0; place < columns; ++place) {
    const int column = letters[place] - 'a';
    if (column < 0 || column >= static_cast<int>(columns) ||
        topology.column_place_[static_cast<size_t>(column)] != -1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "file letter '", absl::CHexEscape(letters.substr(place, 1)), "', expected each of a to ",
          std::string(1, static_cast<char>('a' + columns - 1)), " once"));
    }
    topology.column_place_[static_cast<size_t>(column)] = static_cast<int>(place);
    topology.place_column_.push_back(column);
  }
  return topology;
}

SquareSet Topology::Column(Cell cell) const {
  SquareSet column;
  for (Cell at = cell % columns(); at < num_cells(); at += columns()) column.Add(at);
  return column;
}

SquareSet Topology::MirrorRank(SquareSet set) const {
  SquareSet mirrored;
  for (Cell cell : set) mirrored.Add(MirrorRank(cell));
  return mirrored;
}

std::string Topology::Name(Cell cell) const {
  return absl::StrCat(std::string(1, static_cast<char>('a' + LetterColumn(cell))), Rank(cell) + 1);
}

}  // namespace crossriver
