// A position as a picture.
#ifndef CROSSRIVER_TOOLS_SVG_DRAWING_H_
#define CROSSRIVER_TOOLS_SVG_DRAWING_H_

#include <string>

#include "core/position.h"

namespace crossriver {

// A complete SVG document: levels side by side, zones of less than half a side's board tinted, the
// first player's pieces at the bottom. Needs no font beyond the viewer's sans-serif.
std::string DrawSvg(const Position& position);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SVG_DRAWING_H_
