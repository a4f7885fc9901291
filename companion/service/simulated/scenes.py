"""Little scenes on the simulated table: what a visitor may want to see the companion do."""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from random import choice

from companion.board import FENCE, Board, Change, Spot, Thing
from companion.errors import CompanionError
from companion.games.catalogue import find_kit
from companion.games.game import Effect, Move, Staged, State, replay
from companion.games.kit import Trial
from companion.referee.changes import compare, undo
from companion.referee.explain import real_position
from companion.service.requests import Command, Hint, Hinted, Reply, TakeBack
from companion.service.simulated.helper import HelpingHand
from companion.service.snapshot import Snapshot
from companion.sim.faults import Faults
from companion.sim.hands import Person, Step
from companion.sim.table import SimTable
from companion.text import small

log = logging.getLogger(__name__)

#: How long a refused thing stays, so that the reason can be read.
READ_SECONDS = 5.0
BETWEEN_SECONDS = 1.2
ACCEPT_SECONDS = 12.0
#: How often a scene looks whether its move has been found.
LOOK_SECONDS = 0.05
#: The scene that every game has.
MOVE = "move"
MADE = "A legal move is made for you: watch it being accepted."
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
        post: Callable[[Command], "Future[Reply]"] = lambda command: Future(),
    ) -> None:
        self.press = press
        self._post = post
        self.faults = faults or Faults(board)
        self.table = table
        self._board = board
        self._look = look
        self._closing = threading.Event()
        self._wait = wait or self._closing.wait
        self._playing = threading.Lock()
        self._helper = HelpingHand(table, board, look, self._playing, self._wait)
        if wait is None:
            threading.Thread(target=self._helper.run, name="helper", daemon=True).start()

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

    def demo(self, what: str) -> str:
        """Start a scene and return a sentence about it."""
        snapshot = self._look()
        kit = find_kit(snapshot.game)
        if not snapshot.on_board:
            raise CompanionError("this game is played on phones; no hand on the table can help")
        if what not in (MOVE, *kit.scenes):
            known = ", ".join((MOVE, *kit.scenes))
            raise CompanionError(f"expected one of {known}, got {what!r}")
        if snapshot.chance:
            raise CompanionError(f"first {small(snapshot.chance)}")
        if snapshot.outcome is not None or snapshot.acting is None:
            raise CompanionError("the game is over; start a new one first")
        if snapshot.acting.level is not None:
            raise CompanionError("it is the companion's turn; wait for its move")
        if not self._playing.acquire(blocking=False):
            raise CompanionError("hands are at work on the table; wait until they are done")
        try:
            state = replay(kit.game.start(snapshot.options), snapshot.moves)
            if what == MOVE:
                steps, text = self._move(state), MADE
            else:
                scene = kit.scenes[what]
                steps, text = self._try(state, scene.plan(state)), scene.text
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
            self.table.no_hand()
            self._playing.release()

    # --- scenes ---------------------------------------------------------------------------------

    def _move(self, state: State) -> Iterator[float]:
        here = dict(state.position())
        seen = [move for move in state.legal_moves() if _made(state, move) != here]
        if not seen:
            raise CompanionError("no move can be seen on the board just now; enter it on the phone")
        return self._choose_and_make(state, seen, self._look().moves, self._post(Hint(demo=True)))

    def _choose_and_make(
        self, state: State, seen: Sequence[Move], before: Sequence[Move], asked: "Future[Reply]"
    ) -> Iterator[float]:
        """Make a sensible move of those that can be seen, or any of them when none is found."""
        for _ in range(round(ACCEPT_SECONDS / LOOK_SECONDS)):
            if asked.done():
                break
            yield LOOK_SECONDS
        if self._look().moves != before:
            raise ValueError("expected the game to wait until a move was found")
        found = asked.result() if asked.done() and asked.exception() is None else None
        move = found.move if isinstance(found, Hinted) else ""
        yield from self._make(state, move if move in seen else choice(seen))

    def _try(self, state: State, trial: Trial) -> Iterator[float]:
        """Lead up to something, try it, and put all back as it was."""
        if trial.moves and any(seat.level is not None for seat in self._look().seats):
            raise CompanionError(
                "it takes some moves first, which would be spent in your game against the"
                " companion; begin a game of persons to see this"
            )
        return self._lead_and_try(state, trial)

    def _lead_and_try(self, state: State, trial: Trial) -> Iterator[float]:
        before = self._look().moves
        try:
            yield from self._lead(state, trial.moves)
            yield from self._there_and_back(replay(state, trial.moves), trial.wrong)
        except ValueError as error:  # a visitor took away what the scene needs
            log.info("a scene ended early: %s", error)
        yield from self._unwind(state, before, trial.moves)

    def _there_and_back(self, state: State, wrong: Effect) -> Iterator[float]:
        person, thing = self._person(state), self._cast().get(wrong.thing, wrong.thing)
        here = {there: spot for spot, there in real_position(state, self._cast()).items()}
        done = Change(FENCE if wrong.fence else thing, here.get(thing), wrong.end)
        yield from _seconds(person.change(done))
        yield READ_SECONDS
        yield from _seconds(person.do(undo([done])))

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
            earlier = replay(state, prelude[: count - 1])
            here, there = (
                real_position(each, self._cast())
                for each in (earlier.play(prelude[count - 1]), earlier)
            )
            self._post(TakeBack())
            yield from self._until(len(moves) - 1, "the move to be taken back")
            try:
                yield from _seconds(self._person(earlier).do(compare(here, there)))
            except ValueError:
                continue  # a visitor has it: the referee says where it belongs
            yield BETWEEN_SECONDS

    def _until(self, count: int, what: str) -> Iterator[float]:
        """Wait until the game has so many moves."""
        for _ in range(round(ACCEPT_SECONDS / BETWEEN_SECONDS)):
            yield BETWEEN_SECONDS
            if len(self._look().moves) == count:
                return
        raise ValueError(f"expected {what} within {ACCEPT_SECONDS:g} seconds")

    def _make(self, state: State, move: Move) -> Iterator[float]:
        """Make a legal move on the table, as whoever is to act would."""
        before = real_position(state, self._cast())
        after = {spot: self._cast().get(t, t) for spot, t in _made(state, move).items()}
        yield from _seconds(self._person(state).do(compare(before, after)))

    def _person(self, state: State) -> Person:
        """Return whoever is to act."""
        assert isinstance(state.to_act, int)
        seats = len(self._look().seats)
        return Person(self.table, self._board, SIDES.get(seats, SIDES[4])[state.to_act])

    def _cast(self) -> dict[str, str]:
        return {f"pawn{n}": seat.piece for n, seat in enumerate(self._look().seats, 1)}


def _seconds(steps: Iterable[Step]) -> Iterator[float]:
    return (step.seconds for step in steps)


def _made(state: State, move: Move) -> dict[Spot, Thing]:
    """Return what the board shows when a legal move has just been made."""
    made = state.made(move)[0] if isinstance(state, Staged) else state.play(move).position()
    return dict(made)
