"""Little scenes on the simulated table: what a visitor may want to see the companion do."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from random import Random

from companion.board import Board, Spot, Thing, column_row, square
from companion.errors import CompanionError
from companion.games import find_game
from companion.players import Limits, player_for
from companion.referee.changes import compare
from companion.referee.commands import Command, TakeBack
from companion.referee.explain import real_position
from companion.referee.snapshot import Snapshot
from companion.rules.game import Move, Staged, State
from companion.service.seating import DEFAULT_PIECES
from companion.service.simulated.helper import HelpingHand
from companion.sim.faults import Faults
from companion.sim.hands import Person
from companion.sim.table import SimTable

log = logging.getLogger(__name__)

#: How long a refused thing stays, so that the reason can be read.
READ_SECONDS = 5.0
BETWEEN_SECONDS = 1.2
ACCEPT_SECONDS = 12.0
#: How well the move of a scene is chosen: a sensible one, found at once.
LEVEL = 3
SIDES = {2: ("south", "north"), 4: ("south", "west", "north", "east")}


class Demo:
    """Plays one scene at a time with the hands of a scripted person, in a thread of its own.

    A scene leaves the game as it was, but for the one move that a visitor asks to have made: what
    it has to play on the way is taken back with ``post``, and put back on the table.
    ``wait`` lets some seconds pass and tells whether the scene should end before its time.
    """

    def __init__(
        self,
        table: SimTable,
        board: Board,
        look: Callable[[], Snapshot],
        wait: Callable[[float], bool] | None = None,
        faults: Faults | None = None,
        press: Callable[[str], object] = lambda button: None,
        post: Callable[[Command], object] = lambda command: None,
    ) -> None:
        self.press = press
        self._post = post
        self.faults = faults or Faults(board)
        self._table = table
        self._board = board
        self._look = look
        self._closing = threading.Event()
        self._wait = wait or self._closing.wait
        self._playing = threading.Lock()
        self._helper = HelpingHand(table, board, look, self._playing, self._wait)
        if wait is None:
            threading.Thread(target=self._helper.run, name="helper", daemon=True).start()
        self._scenes: dict[str, tuple[Callable[[State], Iterator[float]], str]] = {
            "move": (self._move, "A legal move is made for you: watch it being accepted."),
            "jump": (self._jump, "Somebody tries to jump over nothing: watch it being refused."),
            "fence": (
                self._fence,
                "Somebody tries to shut a pawn in: it is refused, and all is taken back.",
            ),
        }

    @property
    def table(self) -> SimTable:
        """Return the table the scenes are played on."""
        return self._table

    @property
    def helps(self) -> bool:
        """Tell whether a helping hand carries out what the companion asks for."""
        return self._helper.wanted

    def help(self, on: bool) -> str:
        """Ask for the helping hand, or for none; return a sentence about it."""
        self._helper.ask(on)
        if on:
            return "A helping hand carries out the companion's moves."
        return "The companion's moves are yours to carry out."

    def scenes(self, game: str) -> tuple[str, ...]:
        """Return the scenes that make sense in a game."""
        return tuple(self._scenes) if game in DEFAULT_PIECES else ("move",)

    def demo(self, what: str) -> str:
        """Start a scene and return a sentence about it."""
        snapshot = self._look()
        known = self.scenes(snapshot.game)
        if what not in known:
            raise CompanionError(f"expected one of {', '.join(known)}, got {what!r}")
        if snapshot.outcome is not None or snapshot.to_act is None:
            raise CompanionError("the game is over; start a new one first")
        if snapshot.seats[snapshot.to_act].level is not None:
            raise CompanionError("it is the companion's turn; wait for its move")
        if not self._playing.acquire(blocking=False):
            raise CompanionError("hands are at work on the table; wait until they are done")
        try:
            scene, text = self._scenes[what]
            steps = scene(_after(find_game(snapshot.game).start(snapshot.options), snapshot.moves))
        except BaseException:
            self._playing.release()
            raise
        threading.Thread(target=self._play, args=(steps,), name="demo", daemon=True).start()
        return text

    def close(self) -> None:
        """End the scene that is played, if any."""
        self._closing.set()

    def _play(self, steps: Iterator[float]) -> None:
        try:
            for seconds in steps:
                if self._wait(seconds):
                    return
        except ValueError as error:  # a visitor took away what the scene needs
            log.info("a scene ended early: %s", error)
        finally:
            self._table.no_hand()
            self._playing.release()

    # --- scenes ---------------------------------------------------------------------------------

    def _move(self, state: State) -> Iterator[float]:
        return self._make(state, self._choose(state))

    def _choose(self, state: State) -> Move:
        """Return a sensible move that can be seen on the board."""
        rng, here = Random(), dict(state.position())
        player = player_for(self._look().game, LEVEL)
        if player is not None:
            move = player.choose(state, rng, Limits(depth=2))
            if _made(state, move) != here:
                return move
        seen = [move for move in state.legal_moves() if _made(state, move) != here]
        if not seen:
            raise CompanionError("no move can be seen on the board just now; enter it on the phone")
        return rng.choice(seen)

    def _jump(self, state: State) -> Iterator[float]:
        seat = state.to_act
        assert seat is not None
        taken = real_position(state, self._cast())
        piece = self._look().seats[seat].piece
        start = next(spot for spot, thing in taken.items() if thing == piece)
        free = (spot for spot in _two_ahead(start) if spot not in taken)
        target = next((spot for spot in free if state.why_not(spot) is not None), None)
        if target is None:
            raise CompanionError("every jump is allowed just now; make a move first")
        return self._there_and_back(self._person(seat), piece, start, target)

    def _there_and_back(
        self, person: Person, piece: Thing, start: Spot, target: Spot
    ) -> Iterator[float]:
        for step in person.move_pawn(piece, start, target):
            yield step.seconds
        yield READ_SECONDS
        for step in person.move_pawn(piece, target, start):
            yield step.seconds

    def _fence(self, state: State) -> Iterator[float]:
        found = _lead_up(state, self._board.slots)
        if found is None:
            raise CompanionError("no fence can shut anybody in just now; play on a little")
        if found[0] and any(seat.level is not None for seat in self._look().seats):
            raise CompanionError(
                "it takes some fences first, which would be spent in your game against the"
                " companion; begin a game of persons to see this"
            )
        return self._lead_and_shut(state, *found)

    def _lead_and_shut(self, state: State, prelude: Sequence[Move], slot: Spot) -> Iterator[float]:
        before = self._look().moves
        try:
            yield from self._lead(state, prelude)
            yield from self._shut(_after(state, prelude), slot)
        except ValueError as error:  # a visitor took away what the scene needs
            log.info("a scene ended early: %s", error)
        yield from self._unwind(state, before, prelude)

    def _lead(self, state: State, prelude: Sequence[Move]) -> Iterator[float]:
        for move in prelude:
            count = len(self._look().moves) + 1
            yield from self._make(state, move)
            yield from self._until(count, f"move {count} to be accepted")
            state = state.play(move)

    def _unwind(
        self, state: State, before: Sequence[Move], prelude: Sequence[Move]
    ) -> Iterator[float]:
        """Take back what the scene has played, unless somebody has played on from there."""
        while (moves := self._look().moves) != before:
            count = len(moves) - len(before)
            if count < 1 or moves != (*before, *prelude[:count]):
                return
            earlier = _after(state, prelude[: count - 1])
            here, there = (
                real_position(each, self._cast())
                for each in (earlier.play(prelude[count - 1]), earlier)
            )
            self._post(TakeBack())
            yield from self._until(len(moves) - 1, "the move to be taken back")
            try:
                assert earlier.to_act is not None
                for step in self._person(earlier.to_act).do(compare(here, there)):
                    yield step.seconds
            except ValueError:
                continue  # a visitor has it: the referee says where it belongs
            yield BETWEEN_SECONDS

    def _shut(self, state: State, slot: Spot) -> Iterator[float]:
        assert state.to_act is not None
        person = self._person(state.to_act)
        for step in person.place_fence(slot):
            yield step.seconds
        yield READ_SECONDS
        for step in person.remove_fence(slot):
            yield step.seconds

    def _until(self, count: int, what: str) -> Iterator[float]:
        """Wait until the game has so many moves."""
        for _ in range(round(ACCEPT_SECONDS / BETWEEN_SECONDS)):
            yield BETWEEN_SECONDS
            if len(self._look().moves) == count:
                return
        raise ValueError(f"expected {what} within {ACCEPT_SECONDS:g} seconds")

    def _make(self, state: State, move: Move) -> Iterator[float]:
        """Make a legal move on the table, as whoever is to act would."""
        assert state.to_act is not None
        before = real_position(state, self._cast())
        after = {spot: self._cast().get(t, t) for spot, t in _made(state, move).items()}
        for step in self._person(state.to_act).do(compare(before, after)):
            yield step.seconds

    def _person(self, seat: int) -> Person:
        seats = len(self._look().seats)
        return Person(self._table, self._board, SIDES[seats][seat])

    def _cast(self) -> dict[str, str]:
        return {f"pawn{n}": seat.piece for n, seat in enumerate(self._look().seats, 1)}


def shutting_in(state: State, slots: Sequence[Spot]) -> Iterator[Spot]:
    """Yield the slots where a fence would shut somebody in."""
    legal = set(state.legal_moves())
    for slot in slots:
        if slot not in legal:
            why = state.why_not(slot)
            if why is not None and why.rule in ("Q-9", "Q-A4"):
                yield slot


def _lead_up(state: State, slots: Sequence[Spot]) -> tuple[list[Move], Spot] | None:
    """Return moves, maybe none, and the fence that would then shut somebody in; None if none."""
    slot = next(shutting_in(state, slots), None)
    if slot is not None:
        return [], slot
    position = state.position()
    for rival in (s for s, t in position.items() if t.startswith("pawn")):
        near = [slot for slot in slots if _is_near(slot, rival)]
        for pair in permutations(near, 2):
            moves = _with_replies(state, pair)
            slot = next(shutting_in(_after(state, moves), near), None) if moves else None
            if slot is not None:
                return moves, slot
    return None


def _with_replies(state: State, fences: Sequence[Move]) -> list[Move]:
    """Return these fences by the seat to act with quiet pawn steps of the others in between."""
    mover, moves = state.to_act, []
    for fence in fences:
        if state.why_not(fence) is not None:
            return []
        state = state.play(fence)
        moves.append(fence)
        while state.to_act is not None and state.to_act != mover:
            step = next((m for m in state.legal_moves() if len(m) == 2), None)
            if step is None:
                return []
            state = state.play(step)
            moves.append(step)
    return moves if state.to_act == mover else []


def _made(state: State, move: Move) -> dict[Spot, Thing]:
    """Return what the board shows when a legal move has just been made."""
    made = state.made(move)[0] if isinstance(state, Staged) else state.play(move).position()
    return dict(made)


def _after(state: State, moves: Sequence[Move]) -> State:
    for move in moves:
        state = state.play(move)
    return state


def _is_near(slot: Spot, spot: Spot) -> bool:
    (c, r), (pc, pr) = column_row(slot), column_row(spot)
    return -2 <= c - pc <= 1 and -2 <= r - pr <= 1


def _two_ahead(start: Spot) -> Iterator[Spot]:
    """Yield the squares two steps away in a straight line."""
    column, row = column_row(start)
    for dc, dr in ((0, 2), (0, -2), (2, 0), (-2, 0)):
        if 0 <= column + dc < 9 and 0 <= row + dr < 9:
            yield square(column + dc, row + dr)
