"""The law of the board that has not followed: entered, played by the companion or taken back, a
move is never followed by one that nobody made.

A board that shows just what a legal next move leads to counts as that move; every other one adds
nothing. Restarts, blackouts and places that cannot be seen make no difference.
"""

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import Evidence, Place, Position, Reading, is_slot, places_of
from companion.games.catalogue import find_game, find_kit
from companion.games.game import Move, Staged, State
from companion.referee.changes import MARGIN, apply, compare, has_room
from companion.referee.explain import differences, gain, with_cast
from companion.referee.table import Table
from companion.referee.verdict import Kind
from companion.service.seating import seat
from tests.counts import examples

from .seeing import BOARD, evidence_of

GAMES = ("quoridor", "quoridor4", "pacman")
GAZE = (0.1, 0.5, 1.0, 2.0)  # readings that let everything settle, in seconds

number = st.integers(0, 999)
plies = st.lists(number, max_size=12)
#: What happens to the game, what to the board, how it is seen; and the dice for each.
scripts = st.lists(
    st.tuples(
        st.sampled_from(("enter", "enter", "take back", "restart", "nothing")),
        st.sampled_from(("untouched", "half", "half", "wrong", "whole", "next")),
        st.sampled_from(("clear", "clear", "dim", "patchy", "dark")),
        number,
    ),
    min_size=1,
    max_size=6,
)


@cache
def seen(position: tuple[tuple[str, str], ...], scale: float) -> Evidence:
    whole = evidence_of(dict(position))
    return {p: {t: scale * v for t, v in things.items()} for p, things in whole.items()}


class Room:
    """A table, the board as it really lies, and every line that was given up."""

    def __init__(self, game: str, moves: Sequence[int], own: int) -> None:
        self.game = find_game(game)
        self.company = seat(BOARD, (), find_kit(self.game.name))
        self.own = frozenset({own} & set(range(self.game.seats)))
        state, played = self.game.start({}), []
        for pick in moves:
            if state.outcome() is None:
                played.append(choose(state.legal_moves(), pick))
                state = state.play(played[-1])
        self.given_up: list[tuple[Move, ...]] = []
        self.time = 0.0
        self.table = self.sit_down(played)
        self.board: Position = self.agreed
        self.look(evidence_of(self.board))
        self.was_seen = True  # since somebody last did with it what the game had not told
        self.only_follows = True  # nobody did so since the game last went on without the board
        self.is_strange = False  # what a fresh start cannot know of lies on the board

    @property
    def agreed(self) -> Position:
        return dict(self.table.expected.position)

    def sit_down(self, moves: Sequence[Move]) -> Table:
        return Table(
            self.game, {}, self.company, moves, own_seats=self.own, taken_back=self.given_up
        )

    def act(self, what: str, pick: int) -> None:
        """Let the game go on without its board."""
        table = self.table
        if what == "restart":
            self.table = self.sit_down(table.moves)
            if self.is_strange:
                self.was_seen = self.only_follows = False
        elif what == "take back" and table.moves:
            self.given_up.append(tuple(table.moves))
            table.take_back()
            self.leave_behind()
        elif what == "enter" and table.outcome() is None:
            move = choose(table.state.legal_moves(), pick)
            if table.state.to_act in self.own:
                table.play_own(move)
            else:
                table.play((move,), on_board=False)
            self.leave_behind()

    def leave_behind(self) -> None:
        """Note that the board is to follow; what nobody has seen done to it is news then."""
        self.only_follows = self.was_seen

    def touch(self, how: str, pick: int) -> None:
        """Let people put the board right, in part, or wrong, or make the next move at once."""
        table = self.table
        self.is_strange = self.is_strange and self.board != self.agreed
        if how in ("half", "whole"):
            for bit, change in enumerate(compare(self.board, self.agreed)):
                free = change.target is None or has_room(change.target, self.board)
                if free and (how == "whole" or pick >> bit & 1):
                    self.board = apply(self.board, (change,))
        elif how == "next" and table.outcome() is None:
            self.was_seen = self.only_follows = False
            self.is_strange = True
            move = choose(table.state.legal_moves(), pick)
            self.board = dict(table.expected.after(move).position)
        elif how == "wrong" and self.board:
            self.was_seen = self.only_follows = False
            self.is_strange = True
            source = choose(sorted(self.board), pick)
            thing = self.board[source]
            rest = {spot: other for spot, other in self.board.items() if spot != source}
            spots = BOARD.slots if is_slot(source) else BOARD.squares
            self.board = rest | {choose([s for s in spots if has_room(s, rest)], pick // 7): thing}

    def see(self, how: str, pick: int) -> Evidence:
        """Return the board as it is seen."""
        self.was_seen = self.was_seen or how in ("clear", "dim")
        if how == "dark":
            return {}
        evidence = seen(tuple(sorted(self.board.items())), 0.6 if how == "dim" else 1.0)
        if how != "patchy":
            return evidence
        dice = pick
        kept: dict[Place, dict[str, float]] = {}
        for place, things in evidence.items():
            dice = (dice * 1103515245 + 12345) % 2**31
            if dice >> 16 & 3:
                kept[place] = dict(things)
        return kept

    def look(self, evidence: Evidence) -> list[tuple[State, tuple[Move, ...]]]:
        """Look for a while; return what was accepted, with the state it was accepted in."""
        found: list[tuple[State, tuple[Move, ...]]] = []
        for seconds in GAZE:
            before = self.table.state
            moves = self.table.judge(Reading(self.time + seconds, evidence))
            if moves:
                found.append((before, moves))
                self.table.play(moves, on_board=True)
        self.time += GAZE[-1]
        return found

    def leads_here(self, state: State, move: Move, evidence: Evidence) -> bool:
        """Tell whether the board shows just what a move leads to, as far as it is seen."""
        made = state.made(move) if isinstance(state, Staged) else ()
        cast = self.company.cast
        lies = places_of(self.board)
        positions = (with_cast(p, cast) for p in (state.play(move).position(), *made))
        return any(
            gain(evidence, differences(places_of(position), lies)) <= MARGIN
            for position in positions
        )


def choose(things: Sequence[str], pick: int) -> str:
    return things[pick % len(things)]


def is_forced_pass(state: State, moves: tuple[Move, ...]) -> bool:
    """Tell whether nobody had to make a move: it is the only one, and changes nothing."""
    forced = tuple(state.legal_moves()) == moves
    return forced and state.play(moves[0]).position() == state.position()


@pytest.mark.parametrize("game", GAMES)
def test_a_board_that_has_not_followed_adds_no_move_that_nobody_made(game: str) -> None:
    tried = 0

    @settings(max_examples=examples(300, 10_000))
    @given(plies, scripts, st.integers(0, 4))
    def law(moves: list[int], script: list[tuple[str, str, str, int]], own: int) -> None:
        nonlocal tried
        room = Room(game, moves, own)
        for what, how, view, pick in script:
            room.act(what, pick)
            room.touch(how, pick)
            evidence = room.see(view, pick)
            for state, added in room.look(evidence):
                if is_forced_pass(state, added):
                    continue
                tried += 1
                assert state.to_act not in room.own
                assert len(added) == 1
                assert not room.only_follows
                assert room.leads_here(state, added[0], evidence)

    law()
    assert tried  # the law is about something: now and then a board does show the next move


# --- cases people meet ----------------------------------------------------------------------------


class Quoridor(Room):
    """Two persons, whose board somebody moves by hand."""

    def __init__(self) -> None:
        super().__init__("quoridor", (), own=9)

    def enter(self, *moves: Move) -> None:
        for move in moves:
            self.table.play((move,), on_board=False)

    def take_back(self) -> None:
        self.given_up.append(tuple(self.table.moves))
        self.table.take_back()

    def lies(self, **pieces: str) -> tuple[Move, ...]:
        """Show the board for a while; return the moves of the game then."""
        self.look(evidence_of({spot: piece for piece, spot in pieces.items()}))
        return tuple(self.table.moves)

    @property
    def text(self) -> str:
        return self.table.verdict.text


def test_two_entered_moves_are_not_taken_back_by_a_board_left_alone() -> None:
    room = Quoridor()
    room.enter("e2", "e8")
    assert room.lies(pacman="e1", blinky="e9") == ("e2", "e8")
    assert room.text == "Move Blinky from e9 to e8 and move Pac-Man from e1 to e2."


def test_nor_after_the_camera_was_dark_for_a_while() -> None:
    room = Quoridor()
    room.enter("e2", "e8")
    room.look({})
    assert room.lies(pacman="e1", blinky="e9") == ("e2", "e8")


def test_nor_after_a_restart() -> None:
    room = Quoridor()
    room.enter("e2", "e8")
    room.act("restart", 0)
    assert room.lies(pacman="e1", blinky="e9") == ("e2", "e8")
    assert room.table.verdict.kind is Kind.SET_UP


def test_a_move_that_was_taken_back_is_not_seen_again_after_a_restart() -> None:
    room = Quoridor()
    assert room.lies(pacman="e2", blinky="e9") == ("e2",)
    room.take_back()
    room.act("restart", 0)
    assert room.lies(pacman="e2", blinky="e9") == ()
    assert room.lies(pacman="e1", blinky="e9") == ()
    assert room.lies(pacman="e2", blinky="e9") == ("e2",)


def test_of_two_moves_taken_back_none_comes_again_while_the_board_follows() -> None:
    room = Quoridor()
    assert room.lies(pacman="e2", blinky="e9") == ("e2",)
    assert room.lies(pacman="e2", blinky="e8") == ("e2", "e8")
    room.take_back()
    room.take_back()
    assert room.lies(pacman="e2", blinky="e9") == ()  # Blinky is back: that is no move to e2
    assert room.text == "Move Pac-Man from e2 to e1."
    assert room.lies(pacman="e1", blinky="e9") == ()
    assert room.text == "Pac-Man to move."


def test_who_takes_back_may_put_the_pawn_at_once_where_it_should_have_gone() -> None:
    room = Quoridor()
    assert room.lies(pacman="e2", blinky="e9") == ("e2",)
    room.take_back()
    assert room.lies(pacman="d1", blinky="e9") == ("d1",)


def test_a_move_made_while_another_has_not_followed_waits_for_it() -> None:
    room = Quoridor()
    room.enter("e2")
    assert room.lies(pacman="e1", blinky="e8") == ("e2",)
    assert room.lies(pacman="e2", blinky="e8") == ("e2", "e8")


def test_an_answer_that_the_board_does_not_bear_out_is_not_undone_by_it() -> None:
    room = Quoridor()
    room.table.play(("e2",), on_board=True)  # somebody said so
    room.enter("e8")
    assert room.lies(pacman="e1", blinky="e9") == ("e2", "e8")


def test_a_new_game_does_not_begin_by_what_the_last_one_left_when_the_light_comes_back() -> None:
    room = Quoridor()
    room.table = room.sit_down(())
    room.look({})
    assert room.lies(pacman="e2", blinky="e9") == ()
    assert room.text == "Move Pac-Man from e2 to e1."


def test_a_move_after_one_that_cannot_be_seen_to_have_followed_is_asked_about() -> None:
    """Doubt becomes a question, never a game that stands still."""
    room = Quoridor()
    room.enter("e2")
    dim = evidence_of({"e2": "pacman", "e8": "blinky"})
    dim |= {"e1": {"pacman": -1.0}, "e2": {"pacman": 1.0}}
    room.look(dim)
    assert room.text == "Did Blinky go to e8?"
    assert room.table.verdict.moves == ("e8",)


def test_fences_nobody_can_see_do_not_stop_pawns_that_are_felt() -> None:
    room = Quoridor()
    room.enter("e5h")
    felt = {p: e for p, e in evidence_of({"e1": "pacman", "e8": "blinky"}).items() if not p[2:]}
    room.look(felt)
    assert room.table.moves == ["e5h", "e8"]


def test_a_move_of_the_companion_and_its_answer_may_be_made_at_once() -> None:
    room = Quoridor()
    room.own = frozenset({1})
    room.table = room.sit_down(())
    room.lies(pacman="e1", blinky="e9")
    assert room.lies(pacman="e2", blinky="e9") == ("e2",)
    room.table.play_own("e8")
    assert room.lies(pacman="e2", blinky="e9") == ("e2", "e8")
    assert room.lies(pacman="e3", blinky="e8") == ("e2", "e8", "e3")
