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
from companion.referee.handtable import HandTable
from companion.referee.table import AGREED_DRAW, Patience, Table
from companion.referee.wording import chance_words, told
from companion.sensing.corners import Corners
from companion.service.dealing import look_into_hands, opened, sealed, with_cards
from companion.service.places import Places
from companion.service.ports import Output, Senses, SettingUp, Thinker, Watched
from companion.service.requests import (
    AgreeDraw,
    Answer,
    Command,
    Deed,
    EnterMove,
    FillPlace,
    HandOut,
    Hint,
    LookAgain,
    NamePlace,
    NewGame,
    Place,
    PlayHand,
    RenewPlace,
    Reply,
    Roll,
    SetUp,
    TakeBack,
    TakePlace,
    UseCorners,
)
from companion.service.seating import check_levels, seat
from companion.service.snapshot import Private, SeatView, Snapshot
from companion.service.thinking import Thinking
from companion.store.journal import Journal, StoredGame
from companion.store.seal import Seal

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
        seal: Seal | None = None,
        pace_seconds: float = 0.0,
    ) -> None:
        """``seal`` closes what the journal keeps of hidden hands; without board and hands to wait
        for, the companion's moves are ``pace_seconds`` apart."""
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
        self._seal = seal
        self._pace_seconds = pace_seconds
        self._played_at = float("-inf")
        self._places: Places | None = None
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
        self.private: Private | None = None

    # --- starting -------------------------------------------------------------------------------

    def begin(self, wanted: NewGame, *, afresh: bool = False) -> None:
        """Go on with the unfinished game of the journal; without one, or afresh, start this."""
        stored = None if afresh else self._journal.current()
        if stored is not None and not self._can_open(stored):
            stored = None
        if stored is None:
            self._start(wanted)
        else:
            self._game_id = stored.id
            self.table = self._resume(stored)
            self._finish_if_over()
            log.info("game %d goes on after %d moves", stored.id, len(stored.moves))
        self.snapshot = self._look(1)
        self.private = self._look_into_hands()
        self._show()

    def _start(self, wanted: NewGame) -> None:
        table = self._table(wanted)
        seats = range(table.state.seats)
        wanted = replace(wanted, levels={s: n for s, n in wanted.levels.items() if s in seats})
        stored = self._journal.current()
        if stored is not None:
            self._journal.finish(stored.id, "*", "put away", _now())
        self._journal_trouble = ""
        self._game_id = self._journal.start(
            table.game.name, table.options, table.company.pieces, _now(), wanted.levels
        )
        self.table, self._levels = table, dict(wanted.levels)
        self._thinking.forget()
        names, places = table.company.names, self._places
        if not isinstance(table, HandTable):
            self._places = None
        elif places is None:
            self._seat(Places.fresh(names, self._mark()))
        else:
            self._seat(places.for_next(names, self._levels))

    def _resume(self, stored: StoredGame) -> Table:
        try:
            self._levels = stored.levels
            moves = opened(stored.moves, self._seal)
            table = self._table(stored, moves, stored.taken_back)
        except CompanionError as error:
            raise CompanionError(
                f"the game that was left cannot go on here ({error}); begin another with --new"
            ) from error
        if isinstance(table, HandTable):
            notes = [entry.text for entry in stored.entries if entry.kind == "note"]
            self._places = Places.noted(notes, table.company.names, self._mark())
            table.call(self._places.names)
        return table

    def _can_open(self, stored: StoredGame) -> bool:
        """Tell whether a game's cards, if they are sealed, can be read here."""
        try:
            opened(stored.moves, self._seal)
        except JournalError as error:
            log.warning("the game that was left is put away: %s", error)
            return False
        return True

    def _mark(self) -> str:
        return f"{self._rng.getrandbits(64):016x}"

    def _table(
        self,
        wanted: NewGame | StoredGame,
        moves: Sequence[Move] = (),
        taken_back: Iterable[Sequence[Move]] = (),
    ) -> Table:
        kit, options, levels = find_kit(wanted.game), wanted.options, wanted.levels
        if isinstance(wanted, NewGame):
            options = {**kit.house, **options}
        company = seat(self._board, wanted.pieces, kit, options)
        check_levels(levels, kit.game)
        kind = Table if kit.on_board else HandTable
        return kind(kit.game, options, company, moves, self._patience, levels, taken_back)

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
        needed = self._held or not isinstance(self.table, HandTable)
        reading = self._senses.read() if needed else None
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
        hands = isinstance(table, HandTable)
        if hands and self._clock() - self._played_at < self._pace_seconds:
            return False
        thought = self._thinking.own_move(table, level)
        return thought is not None and self._carry_out(thought)

    def _carry_out(self, thought: Thought) -> bool:
        """Play what was found; a player that fails is reported, and asked again later."""
        table, move, trouble = self.table, thought.move, thought.trouble
        if not trouble:
            try:
                self.table.check(move)
            except CompanionError as error:
                trouble = str(error)
        self._player_trouble = no_move(trouble) if trouble else ""
        if not trouble:
            with suppress(JournalError):  # found again at the next step
                if isinstance(table, HandTable):
                    self._play_hand(table, move)
                else:
                    self._commit((move,), lambda: table.play_own(move))
                return True
        return bool(trouble)

    def _commit(self, moves: Sequence[Move], play: Callable[[], str]) -> str:
        """Write moves down, play them, and return what was done (a write-ahead log)."""
        with self._writing():
            kept = sealed(self.table.state, moves, self._seal)
            self._journal.append_moves(self._game_id, kept, _now())
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
        result = outcome.result(self.table.state.seats)
        with self._writing():
            if isinstance(self.table, HandTable):  # from now on everybody may read them
                self._journal.append(
                    self._game_id, "note", f"moves {' '.join(self.table.moves)}", _now()
                )
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
                self._check_hint(command)
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
            case PlayHand(place=place, move=move, seen=seen):
                return self._play_from(place, move, seen)
            case TakePlace() | NamePlace() | RenewPlace() | FillPlace() | HandOut():
                return self._change_places(command)

    def _use_corners(self, corners: Corners | None) -> str:
        self._senses.use_corners(corners)
        self._keep_corners(corners)
        if corners is None:
            return "The corners are forgotten, the markers count."
        return "The corners are kept. Where three markers are in view, those go first."

    def _enter(self, move: Move, *, on_board: bool) -> str:
        if isinstance(self.table, HandTable):
            raise CompanionError("cards are played from the seats' own pages")
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
        if not self.table.moves or isinstance(self.table, HandTable):
            self.table.take_back()  # says why not
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

    # --- hidden hands ---------------------------------------------------------------------------

    def _seated(self) -> tuple[HandTable, Places]:
        """Return the table of hidden hands, with who sits there."""
        if not isinstance(self.table, HandTable) or self._places is None:
            raise CompanionError("the game that is played has no hidden hands")
        return self.table, self._places

    def _play_from(self, place: Place, move: Move, seen: int) -> str:
        table, places = self._seated()
        places.check(place.seat, place.renewed)
        if place.seat in self._levels:
            raise CompanionError("the companion plays this seat")
        table.check_for(place.seat, move)
        if seen != len(table.moves):
            raise CompanionError("the game has gone on meanwhile; look, then choose again")
        return self._play_hand(table, move)

    def _play_hand(self, table: HandTable, move: Move) -> str:
        """Play a move with the cards that are dealt for it: they are on disk together, or not."""
        moves = with_cards(table.state, move, self._rng)
        self._played_at = self._clock()
        return self._commit(moves, lambda: table.play(moves))

    def _check_hint(self, wanted: Hint) -> None:
        """Raise CompanionError when a hint would tell somebody of another's hand."""
        if not isinstance(self.table, HandTable):
            return
        if wanted.place is None:
            raise CompanionError("a hint is for the one whose hand it is, on the seat's own page")
        self._seated()[1].check(wanted.place.seat, wanted.place.renewed)
        if wanted.place.seat != self.table.state.to_act and self.table.outcome() is None:
            raise CompanionError("a hint is for your own turn")

    def _seat(self, places: Places) -> None:
        """Keep who sits where, and call them so."""
        assert isinstance(self.table, HandTable)
        with self._writing():
            self._journal.append(self._game_id, "note", places.note, _now())
        self._places = places
        self.table.call(places.names)

    def _change_places(
        self, command: TakePlace | NamePlace | RenewPlace | FillPlace | HandOut
    ) -> str:
        table, places = self._seated()
        if isinstance(command, TakePlace) and command.place.seat in self._levels:
            raise CompanionError("the companion plays this seat")
        if isinstance(command, FillPlace):
            said = self._fill(table, places, command.seat, command.level)
        else:
            after, said = places.obey(command)
            self._seat(after)
        self.private = self._look_into_hands()  # before the answer: an old link is worthless now
        return said

    def _fill(self, table: HandTable, places: Places, seat: Seat, level: int | None) -> str:
        """Have the companion, or a person again, play a seat: whoever sat there sits no more."""
        renewed = places.renew(seat)
        levels = {**self._levels, **({} if level is None else {seat: level})}
        if level is None:
            levels.pop(seat, None)
        check_levels(levels, table.game)
        with self._writing():
            self._journal.set_levels(self._game_id, levels, _now())
        self._seat(renewed)
        self._levels = levels
        self._thinking.forget()
        who = "a person" if level is None else f"the companion, level {level},"
        return f"From now on {who} plays the seat of {places.names[seat]}."

    def _look_into_hands(self) -> Private | None:
        if not isinstance(self.table, HandTable) or self._places is None:
            return None
        return look_into_hands(self.table, self.snapshot, self._places, self._levels)

    # --- telling --------------------------------------------------------------------------------

    def _renew(self) -> None:
        """Make a new snapshot; it gets a new number only when something in it changed."""
        snapshot = self._look(self.snapshot.number)
        if snapshot != self.snapshot:
            self.snapshot = replace(snapshot, number=snapshot.number + 1)
            self.private = self._look_into_hands()

    def _show(self) -> None:
        now = self._clock()
        for output in self._outputs:
            output(self.snapshot, now)

    def _device_views(self) -> tuple[DeviceView, ...]:
        looks_on = self._held or not isinstance(self.table, HandTable)
        views = (self._senses.devices() if looks_on else ()) + self._devices()
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
        hidden = table if isinstance(table, HandTable) else None
        return Snapshot(
            number=number,
            game=table.game.name,
            game_id=self._game_id,
            options=MappingProxyType(dict(table.options)),
            seats=self._seats(kit),
            to_act=to_act,
            position=MappingProxyType({} if hidden else dict(table.expected.position)),
            tallies=MappingProxyType(dict(state.tallies())),
            sight=table.sight(),
            thinking=self._thinking.is_own,
            lifted=table.lifted,
            setting_up=self._held,
            moves=hidden.open_moves if hidden else tuple(table.moves),
            choices=() if outcome or hidden else table.expected.choices,
            last_changes=table.last_changes,
            movers=table.movers,
            begins=table.begins,
            unsaid="" if outcome or hidden else table.expected.unsaid,
            then=() if outcome or hidden else table.expected.following,
            last_told=table.last_told,
            chance=chance_words(state)[0] if state.to_act is CHANCE else "",
            advice=kit.advice(state, table.company.names) if isinstance(to_act, Seat) else "",
            verdict=table.verdict,
            outcome=outcome,
            devices=self._device_views(),
            simulated=self._simulated,
            places=self._places,
            shown=kit.hands.table(state, table.company.names) if kit.hands else {},
            story=hidden.story if hidden else (),
        )

    def _seats(self, kit: Kit) -> tuple[SeatView, ...]:
        company = self.table.company
        return tuple(
            SeatView(
                name,
                piece,
                kit.hands.colours[number] if kit.hands else self._board.pieces[piece].colour,
                self._levels.get(number),
                kit.meters(self.table.state, number),
                kit.hands.lamp(self.table.state, number) if kit.hands else "",
            )
            for number, (name, piece) in enumerate(zip(company.names, company.pieces, strict=True))
        )


def _now() -> datetime:
    return datetime.now(UTC)
