// The definition of a variant as read from its file: rules as plain data, before compilation.
//
// The file format, field by field, is described in configs/variants/README.md. Everything is
// stated for the first player; the second player's pieces and zones are mirrored in rank.
#ifndef CROSSRIVER_CORE_VARIANT_H_
#define CROSSRIVER_CORE_VARIANT_H_

#include <map>
#include <string>
#include <vector>

#include "core/square_set.h"
#include "core/topology.h"
#include "core/types.h"

namespace crossriver {

// How an atom moves a piece.
enum class AtomKind : uint8_t {
  kLeap,   // to the cell at a vector; steps are leaps of one unit
  kSlide,  // any number of times along a vector, through empty cells
  kHop,    // along a vector over exactly one piece of either side
};

// What may stand on the cells a leap passes through. Its path goes orthogonally first and then
// diagonally: a (2,1) leap passes the orthogonal neighbour, a (2,2) leap the diagonal one.
enum class Through : uint8_t {
  kAny,    // it leaps over them
  kEmpty,  // they must be empty: a lame, stepping leap
  kEnemy,  // empty or an enemy, which is captured too (a multiple displacer); one cell only
};

enum class MoveMode : uint8_t { kBoth, kMoveOnly, kCaptureOnly };

struct Atom {
  AtomKind kind = AtomKind::kLeap;
  Through through = Through::kAny;
  MoveMode mode = MoveMode::kBoth;
  std::vector<Vec3> vectors;
  SquareSet from;  // the atom exists only here
};

// Promotion at the end of a move. A piece's rules are tried in order, the first that matches holds.
struct PromotionRule {
  Kind to = kNoKind;
  SquareSet zone;
  bool on_start = false;  // also for a move that starts in the zone and ends outside
  bool optional = false;  // declined at will, unless the piece could never move again
};

struct PieceDefinition {
  std::string id;      // the key in the file: "promoted_point"
  std::string name;    // for people: "promoted Point"
  std::string letter;  // as in FEN for the first player: "P", "+P"
  bool royal = false;
  bool resets_progress = false;  // any move of it restarts the no-progress count
  std::vector<Atom> atoms;
  SquareSet zone;  // it never leaves it
  std::vector<PromotionRule> promotions;
  Kind hand_form = kNoKind;  // what its captor gets in hand; none = the piece is gone
  int max_per_file = 0;      // drops: at most so many unpromoted on a file; 0 = no limit
  bool drop_mate = true;     // a drop of it may give mate
  std::string location;      // for error messages: its file and line
};

enum class StalemateRule : uint8_t { kDraw, kLoss, kWin };  // for the side without a move
enum class RepetitionRule : uint8_t { kDraw, kFirstPlayerLoses, kSecondPlayerLoses };
enum class PerpetualCheckRule : uint8_t { kNone, kLoss };  // for the checking side

struct GameRules {
  bool facing_ban = false;  // the royal pieces may not see each other along a file
  StalemateRule stalemate = StalemateRule::kDraw;
  int repetitions = 3;  // the occurrence of a position that ends the game; 0 = never
  RepetitionRule repetition = RepetitionRule::kDraw;
  PerpetualCheckRule perpetual_check = PerpetualCheckRule::kNone;
  int no_progress_plies = 0;  // a draw at this count; 0 = no limit
  bool capture_is_progress = true;
  bool drop_is_progress = true;
  bool promotion_is_progress = true;
  bool dead_drops = true;  // a drop where the piece could never move is allowed
  SquareSet pending_zone;  // a promotable piece dropped here is promoted at its next move
};

// What the outside world knows of a variant, to be checked against.
struct Reference {
  std::vector<uint64_t> perft;  // published counts from the start position, depth 1 first
  std::string uci_variant;      // the UCI_Variant of engines that play it
};

// Value type, made by ReadVariant (core/variant_reader.h), which validates it.
struct VariantDefinition {
  std::string id;      // the file's name without ".toml"
  std::string name;    // for people
  std::string family;  // variants of one family share their piece registry and action space
  Topology topology;
  std::map<std::string, SquareSet> zones;
  std::map<std::string, bool> toggles;
  GameRules rules;
  std::vector<PieceDefinition> pieces;  // ordered by id
  std::string start_fen;
  std::string sfen_hand_order;  // empty = the variant has no SFEN
  Reference reference;
  // For error messages: the file, and the file and line of start_fen.
  std::string location;
  std::string start_fen_location;
};

// The cells a leap by `vector` passes through, relative to its start and in order.
std::vector<Vec3> LeapPath(Vec3 vector);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_VARIANT_H_
