#include "tests/selfplay/players/seat_helpers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/players/open_player.h"
#include "tests/test_data.h"

namespace crossriver::testing {
namespace {

absl::StatusOr<Choice> ChooseInTurn(const Turn& turn, Player* player, Seat* seat,
                                    int* evaluations) {
  if (absl::Status status = seat->Begin(turn); !status.ok()) return status;
  for (;;) {
    const absl::StatusOr<SeatState> state = seat->Advance();
    if (!state.ok()) return state.status();
    if (*state == SeatState::kChosen) break;
    const EvaluationRequest request = seat->request();
    Evaluation evaluation;
    CR_CHECK_OK(player->evaluator()->Evaluate({&request, 1}, {&evaluation, 1}));
    ++*evaluations;
    seat->Deliver(evaluation);
  }
  const Choice choice = seat->choice();
  EXPECT_EQ(std::count(turn.legal.begin(), turn.legal.end(), choice.move), 1);
  return choice;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Player>> OpenFromText(const std::string& spec,
                                                     const std::string& variant) {
  const absl::StatusOr<PlayerSpec> parsed = ParsePlayerSpec(spec);
  if (!parsed.ok()) return parsed.status();
  PlayerContext context;
  context.rules = SharedRulesOf(variant);
  return OpenPlayer(*parsed, context);
}

std::string FakeSpec(const std::string& behaviour, const std::string& options,
                     const std::string& kind) {
  return absl::StrCat(kind, ":'", FAKE_ENGINE, "' ", behaviour, "?", options);
}

absl::StatusOr<Choice> ChooseIn(const Game& game, Player* player, Seat* seat) {
  std::vector<Move> legal;
  GenerateLegalMoves(game.position, &legal);
  const Turn turn = {&game.start, game.moves, &game.position, &game.history, legal};
  int evaluations = 0;
  return ChooseInTurn(turn, player, seat, &evaluations);
}

SeatGame PlaySeats(const Rules& rules, Player* first, Seat* first_seat, Player* second,
                   Seat* second_seat, uint64_t seed, int max_plies) {
  const std::array<Player*, 2> players = {first, second};
  const std::array<Seat*, 2> seats = {first_seat, second_seat};
  SeatGame game;
  for (Seat* const seat : seats) {
    if (game.status = seat->NewGame(seed); !game.status.ok()) return game;
  }
  const Position start = StartPosition(rules);
  Position position = start;
  History history(start);
  std::vector<Move> legal;
  while (static_cast<int>(game.moves.size()) < max_plies) {
    GenerateLegalMoves(position, &legal);
    game.outcome = Adjudicate(position, history, !legal.empty());
    if (game.outcome.is_over()) return game;
    const size_t mover = game.moves.size() % 2;
    const Turn turn = {&start, game.moves, &position, &history, legal};
    const absl::StatusOr<Choice> choice =
        ChooseInTurn(turn, players[mover], seats[mover], &game.evaluations);
    game.status = choice.status();
    if (!choice.ok()) return game;
    game.moves.push_back(choice->move);
    const UndoRecord undo = position.Do(choice->move);
    history.Push(position, undo);
  }
  return game;
}

SeatGame PlayPlayers(const Rules& rules, Player* first, Player* second, uint64_t seed,
                     int max_plies) {
  const std::unique_ptr<Seat> first_seat = first->NewSeat();
  const std::unique_ptr<Seat> second_seat = second->NewSeat();
  return PlaySeats(rules, first, first_seat.get(), second, second_seat.get(), seed, max_plies);
}

}  // namespace crossriver::testing
