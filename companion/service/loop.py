"""The one owner of the game: reads the sensors, asks the referee, writes the journal, tells all.

Everything outside receives immutable snapshots and posts commands to a queue (an event loop in a
thread of its own); nothing else touches the table.
"""

import logging
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from types import MappingProxyType

from companion.board import Board, DeviceView, Reading
from companion.engine.thinker import Thought, no_move
from companion.errors import CompanionError, JournalError
from companion.games.catalogue import find_kit
from companion.games.game import CHANCE, Effect, Move, Outcome, Seat, leave_to_chance
from companion.games.kit import Kit
from companion.referee.table import AGREED_DRAW, Patience, Table
from companion.referee.wording import chance_words, told
from companion.sensing.corners import Corners
from companion.service.ports import Output, Senses, SettingUp, Thinker, Watched
from companion.service.requests import (
    AgreeDraw,
    Answer,
    Command,
    Deed,
    EnterMove,
    Hint,
    LookAgain,
    NewGame,
    Reply,
    Roll,
    SetUp,
    TakeBack,
    UseCorners,
)
from companion.service.seating import check_levels, seat
from companion.service.snapshot import SeatView, Snapshot
from companion.service.thinking import Thinking
from companion.store.journal import Journal, StoredGame

log = logging.getLogger(__name__)

#: How long the loop waits between two polls of its devices; a command wakes it at once.
TICK_SECONDS = 0.01

#: While the board lies as agreed, the eyes learn its looks this often.
LEARN_SECONDS = 2.0

BEING_SET_UP = "The table is being set up: moves count again when that is done."


class Loop:
    """Runs the table. :meth:`step` does one round; :meth:`run` goes on until :meth:`stop`."""

    def __init__(
        self,
        board: Board,
        senses: Senses,
        journal: Journal,
        clock: Callable[[], float],
        outputs: Iterable[Output] = (),
        devices: Callable[[], tuple[DeviceView, ...]] = tuple,
        patience: Patience | None = None,
        simulated: bool = False,
        keep_corners: Callable[[Corners | None], None] = lambda corners: None,
        thinker: Thinker | None = None,
        first_run: SettingUp | None = None,
        rng: Random | None = None,
        watched: Watched = lambda reading, agreed: None,
    ) -> None:
        self._board = board
        self._senses = senses
        self._journal = journal
        self._clock = clock
        self._outputs = tuple(outputs)
        self._devices = devices
        self._patience = patience
        self._simulated = simulated
        self._keep_corners = keep_corners
        self._thinking = Thinking(thinker)
        self._first_run = first_run
        self._rng = rng or Random()
        self._watched = watched
        self._held = False
        self._levels: Mapping[Seat, int] = {}
        self._player_trouble = ""
        self._commands: queue.Queue[tuple[Command, Future[Reply]]] = queue.Queue()
        self._stopped = threading.Event()
        self._journal_trouble = ""
        self._learned_at = float("-inf")
        self.beat = clock()
        self.table: Table
        self.snapshot: Snapshot

    # --- starting -------------------------------------------------------------------------------

    def begin(self, wanted: NewGame, *, afresh: bool = False) -> None:
        """Go on with the unfinished game of the journal; without one, or afresh, start this."""
        stored = None if afresh else self._journal.current()
        if stored is None:
            self._start(wanted)
        else:
            self._game_id = stored.id
            self.table = self._resume(stored)
            self._finish_if_over()
            log.info("game %d goes on after %d moves", stored.id, len(stored.moves))
        self.snapshot = self._look(1)
        self._show()

    def _start(self, wanted: NewGame) -> None:
        table = self._table(wanted)
        stored = self._journal.current()
        if stored is not None:
            self._journal.finish(stored.id, "*", "put away", _now())
        self._journal_trouble = ""
        self._game_id = self._journal.start(
            table.game.name, table.options, table.company.pieces, _now(), wanted.levels
        )
        self.table, self._levels = table, dict(wanted.levels)
        self._thinking.forget()

    def _resume(self, stored: StoredGame) -> Table:
        try:
            self._levels = stored.levels
            return self._table(stored, stored.moves, stored.taken_back)
        except CompanionError as error:
            raise CompanionError(
                f"the game that was left cannot go on here ({error}); begin another with --new"
            ) from error

    def _table(
        self,
        wanted: NewGame | StoredGame,
        moves: Sequence[Move] = (),
        taken_back: Iterable[Sequence[Move]] = (),
    ) -> Table:
        kit, options, levels = find_kit(wanted.game), wanted.options, wanted.levels
        if isinstance(wanted, NewGame):
            options = {**kit.house, **options}
        company = seat(self._board, wanted.pieces, kit)
        check_levels(levels, kit.game)
        return Table(kit.game, options, company, moves, self._patience, levels, taken_back)

    # --- running --------------------------------------------------------------------------------

    def post(self, command: Command) -> "Future[Reply]":
        """Ask for something; the answer is a sentence, or the CompanionError that says why not."""
        answer: Future[Reply] = Future()
        self._commands.put((command, answer))
        return answer

    def run(self) -> None:
        """Go round until stopped."""
        while not self._stopped.is_set():
            self.step(TICK_SECONDS)

    def stop(self) -> None:
        """Make :meth:`run` return soon."""
        self._stopped.set()

    def step(self, wait_seconds: float = 0.0) -> None:
        """Obey what was asked, look once, and tell everyone what is new."""
        obeyed = self._obey(wait_seconds)
        reading = self._senses.read()
        held = self._is_held()
        if reading is not None and not held:
            self._judge(reading)
            self._watched(reading, self.table.is_as_agreed and not obeyed)
        self._thinking.step(self.table)
        played = not held and self._play_own()
        self.beat = self._clock()
        if obeyed or played or reading is not None or self._device_views() != self.snapshot.devices:
            self._renew()
        self._show()

    def _is_held(self) -> bool:
        """Tell whether what lies on the board is no move now; afterwards it must be put right."""
        before, self._held = self._held, self._first_run is not None and self._first_run.holds
        if before and not self._held:
            self.table.set_up_again()
        return self._held

    def _judge(self, reading: Reading) -> None:
        moves = self.table.judge(reading)
        if moves:
            with suppress(JournalError):  # the next reading tries again
                self._commit(moves, lambda: self.table.play(moves, on_board=True))
        elif self.table.is_as_agreed and reading.time - self._learned_at >= LEARN_SECONDS:
            self._senses.learn(self.table.expected.position)
            self._learned_at = reading.time

    # --- the companion's own moves --------------------------------------------------------------

    def _play_own(self) -> bool:
        """Look for the companion's move when it is its turn; tell whether one was played."""
        table = self.table
        seat = None if table.outcome() else table.state.to_act
        level = self._levels.get(seat) if isinstance(seat, int) else None
        if level is None or table.must_follow or not table.is_as_agreed:
            return False
        thought = self._thinking.own_move(table, level)
        return thought is not None and self._carry_out(thought)

    def _carry_out(self, thought: Thought) -> bool:
        """Play what was found; a player that fails is reported, and asked again later."""
        move, trouble = thought.move, thought.trouble
        if not trouble:
            try:
                self.table.check(move)
            except CompanionError as error:
                trouble = str(error)
        self._player_trouble = no_move(trouble) if trouble else ""
        if not trouble:
            with suppress(JournalError):  # found again at the next step
                self._commit((move,), lambda: self.table.play_own(move))
                return True
        return bool(trouble)

    def _commit(self, moves: Sequence[Move], play: Callable[[], str]) -> str:
        """Write moves down, play them, and return what was done (a write-ahead log)."""
        with self._writing():
            self._journal.append_moves(self._game_id, moves, _now())
        said = play()
        log.info("%s", said)
        self._finish_if_over()
        return said

    def _finish_if_over(self) -> None:
        outcome = self.table.outcome()
        if outcome is not None:
            with suppress(JournalError):
                self._finish(outcome)

    def _finish(self, outcome: Outcome) -> None:
        result = outcome.result(self.table.game.seats)
        with self._writing():
            self._journal.finish(self._game_id, result, outcome.reason, _now())

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Put something on disk; while that raises JournalError, the page says so and the game
        waits."""
        try:
            yield
        except JournalError as error:
            if str(error) != self._journal_trouble:
                log.error("%s", error)
            self._journal_trouble = str(error)
            raise
        self._journal_trouble = ""

    # --- commands -------------------------------------------------------------------------------

    def _obey(self, wait_seconds: float) -> bool:
        """Carry out the next command, waiting a moment for one; tell whether there was one."""
        try:
            command, answer = self._commands.get(wait_seconds > 0, wait_seconds)
        except queue.Empty:
            return False
        if not answer.set_running_or_notify_cancel():
            return False  # whoever asked has given up, and knows that nothing was done
        try:
            if isinstance(command, Hint):  # answered when it is found
                self._thinking.look_for(command, self.table, self._levels, answer)
            else:
                answer.set_result(self._do(command))
        except CompanionError as error:
            answer.set_exception(error)
        return True

    def _do(self, command: Deed) -> str:
        if isinstance(command, SetUp):
            if self._first_run is None:
                raise CompanionError("there is nothing to set up on this table")
            return self._first_run.do(command)
        match command:
            case NewGame():
                self._start(command)
                return "A new game."
            case TakeBack():
                return self._take_back()
            case Answer(move="") | LookAgain():
                self._senses.learn(self.table.expected.position, told=True)
                self.table.look_again()
                return "The board stands as the game has it."
            case Answer(move=move):
                return self._enter(move, on_board=True)
            case EnterMove(move=move, effect=effect):
                return self._enter(move or self._spell(effect), on_board=False)
            case Roll():
                return self._roll()
            case AgreeDraw():
                return self._draw()
            case UseCorners(corners=corners):
                return self._use_corners(corners)

    def _use_corners(self, corners: Corners | None) -> str:
        self._senses.use_corners(corners)
        self._keep_corners(corners)
        if corners is None:
            return "The corners are forgotten, the markers count."
        return "The corners are kept. Where three markers are in view, those go first."

    def _enter(self, move: Move, *, on_board: bool) -> str:
        self.table.check(move)
        return self._commit((move,), lambda: self.table.play((move,), on_board=on_board))

    def _spell(self, effect: Effect) -> Move:
        """Return what was tapped as a move of the game, legal or not."""
        same = (c.move for c in self.table.expected.choices if c.effect == effect)
        if legal := next(same, ""):
            return legal
        cast = {piece: pawn for pawn, piece in self.table.company.cast.items()}
        thing = effect.thing
        if thing not in self.table.company.others:
            thing = cast.get(thing, thing)
        return find_kit(self.table.game.name).write(replace(effect, thing=thing))

    def _roll(self) -> str:
        state = self.table.state
        if self.table.outcome() is not None or state.to_act is not CHANCE:
            raise CompanionError("nothing is to be rolled or drawn now")
        return self._enter(leave_to_chance(state, self._rng), on_board=True)

    def _draw(self) -> str:
        if self.table.outcome() is not None:
            raise CompanionError("the game is over already")
        self._finish(AGREED_DRAW)
        self.table.draw()
        return "The game is drawn."

    def _take_back(self) -> str:
        if not self.table.moves:
            raise CompanionError("there is no move to take back")
        taken: list[str] = []
        for _ in range(self._own_moves_at_the_end() + 1):
            with self._writing():
                self._journal.append(self._game_id, "takeback", self.table.moves[-1], _now())
            move = self.table.take_back()
            taken.append(told(self.table.state, move, self.table.company.names))
        return f"Taken back: {'; '.join(taken)}."

    def _own_moves_at_the_end(self) -> int:
        """Return how many moves the companion has made since a person moved; 0 if none ever did."""
        movers = [state.to_act in self._levels for state in self.table.states[:-1]]
        people = [number for number, own in enumerate(movers) if not own]
        return len(movers) - 1 - people[-1] if people else 0

    # --- telling --------------------------------------------------------------------------------

    def _renew(self) -> None:
        """Make a new snapshot; it gets a new number only when something in it changed."""
        snapshot = self._look(self.snapshot.number)
        if snapshot != self.snapshot:
            self.snapshot = replace(snapshot, number=snapshot.number + 1)

    def _show(self) -> None:
        now = self._clock()
        for output in self._outputs:
            output(self.snapshot, now)

    def _device_views(self) -> tuple[DeviceView, ...]:
        views = self._senses.devices() + self._devices()
        trouble = self._journal_trouble
        told = trouble or "Every move is on disk."
        views += (DeviceView("journal", "trouble" if trouble else "ok", told),)
        if self._held:
            views += (DeviceView("set-up", "off", BEING_SET_UP),)
        if self._player_trouble:
            views += (DeviceView("player", "trouble", self._player_trouble),)
        return views

    def _look(self, number: int) -> Snapshot:
        table, outcome = self.table, self.table.outcome()
        kit, state = find_kit(table.game.name), table.state
        to_act = None if outcome else state.to_act
        return Snapshot(
            number=number,
            game=table.game.name,
            game_id=self._game_id,
            options=MappingProxyType(dict(table.options)),
            seats=self._seats(kit),
            to_act=to_act,
            position=MappingProxyType(dict(table.expected.position)),
            tallies=MappingProxyType(dict(state.tallies())),
            sight=table.sight(),
            thinking=self._thinking.is_own,
            lifted=table.lifted,
            setting_up=self._held,
            moves=tuple(table.moves),
            choices=() if outcome else table.expected.choices,
            last_changes=table.last_changes,
            movers=table.movers,
            begins=table.begins,
            unsaid="" if outcome else table.expected.unsaid,
            then=() if outcome else table.expected.following,
            last_told=table.last_told,
            chance=chance_words(state)[0] if state.to_act is CHANCE else "",
            advice=kit.advice(state, table.company.names) if isinstance(to_act, Seat) else "",
            verdict=table.verdict,
            outcome=outcome,
            devices=self._device_views(),
            simulated=self._simulated,
        )

    def _seats(self, kit: Kit) -> tuple[SeatView, ...]:
        company = self.table.company
        return tuple(
            SeatView(
                name,
                piece,
                self._board.pieces[piece].colour,
                self._levels.get(number),
                kit.meters(self.table.state, number),
            )
            for number, (name, piece) in enumerate(zip(company.names, company.pieces, strict=True))
        )


def _now() -> datetime:
    return datetime.now(UTC)
