"""The table: the agreed game, its history, and the referee's patience.

The table decides nothing by itself: it judges readings and obeys commands. Whoever owns it (the
loop) writes an accepted move down first and plays it then.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.board import Change, Evidence, Place, Position, Reading, Spot, Thing, places_of
from companion.errors import CompanionError, IllegalMove, MalformedMove
from companion.games.game import (
    Actor,
    Game,
    Move,
    Outcome,
    Seat,
    Sighted,
    State,
    TellsTurns,
)
from companion.referee.changes import DOUBT, apply, compare
from companion.referee.explain import Expectation, find, odd_places, real_position
from companion.referee.judge import Company, ask, guide, judge, visible, waiting
from companion.referee.lying import UNKNOWN, Lying, Phase, after_restart, is_told
from companion.referee.verdict import Kind, Verdict
from companion.referee.wording import ended, instructions, told

#: Frames have jitter: one that is this much early still counts.
EARLY_SECONDS = 0.01

AGREED_DRAW = Outcome((), "the players agreed")


@dataclass(frozen=True)
class Patience:
    """How long something must be seen before the table acts on it (debounce), in seconds; what is
    only felt may be in a hand, and takes longer."""

    settle_seconds: float = 0.2
    felt_seconds: float = 1.5
    complain_seconds: float = 0.8
    cover_seconds: float = 4.0
    announce_seconds: float = 3.0

    def needed(self, kind: Kind) -> float:
        """Return how long a verdict must hold before it is given."""
        if kind is Kind.ACCEPTED:
            return self.settle_seconds
        if kind in (Kind.NOT_ALLOWED, Kind.UNSURE, Kind.SET_UP):
            return self.complain_seconds
        return 0.0


@dataclass
class _Seen:
    """What the table has seen since the agreed position last changed."""

    evidence: Evidence = field(default_factory=dict)
    key: object = None
    since: float = 0.0
    last: Reading | None = None
    cover: frozenset[Place] = frozenset()
    covered_since: float = 0.0
    announced_at: float | None = None
    as_agreed: bool = False
    changes: tuple[Change, ...] = ()  # in which the board at rest differs from the game
    proved: Verdict | None = None  # what the last reading has shown to have been played


class Table:
    """One game on the table, from its set-up to its end.

    In ``own_seats`` the companion plays: what hands do for them without being asked is no move.
    ``taken_back`` are former lines of a resumed game, each with the moves that led to its end.
    ``verdict`` is the one that stands, ``expected`` what the board should show, prepared for
    comparison, ``last_changes`` what the last move changed on it.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, str],
        company: Company,
        moves: Sequence[Move] = (),
        patience: Patience | None = None,
        own_seats: Collection[Seat] = (),
        taken_back: Iterable[Sequence[Move]] = (),
    ) -> None:
        self.game = game
        self.own_seats = frozenset(own_seats)
        self.options = dict(options)
        self.company = company
        self.patience = patience or Patience()
        self.states: list[State] = [game.start(options)]
        self.moves: list[Move] = []
        self.agreed_draw = False
        for move in moves:
            self._push(move)
        # A new game waits until the board is set up; a resumed one takes it as it stands.
        self._phase = Phase.ALONG if moves else Phase.SETTING_UP
        self._lying = self._after_restart(taken_back) if moves or taken_back else UNKNOWN
        self._disregarded: frozenset[Place] = frozenset()
        self._left_crooked: frozenset[tuple[Thing, Spot]] = frozenset()
        self.verdict: Verdict
        self._prepare()

    @property
    def state(self) -> State:
        """Return the agreed state of the game."""
        return self.states[-1]

    @property
    def is_as_agreed(self) -> bool:
        """Tell whether the board was last seen just as the game has it."""
        return self._seen.as_agreed

    @property
    def must_follow(self) -> bool:
        """Tell whether the board is yet to be put as the game has it."""
        return self._phase is not Phase.ALONG

    @property
    def movers(self) -> tuple[Actor, ...]:
        """Return who made each move."""
        return tuple(s.to_act for s in self.states[:-1] if s.to_act is not None)

    @property
    def begins(self) -> tuple[bool, ...]:
        """Return of each move, and of the one to come, whether it is the first of a turn; of a
        game whose turns are single moves, nothing."""
        return tuple(state.starts_turn for state in self.states if isinstance(state, TellsTurns))

    @property
    def last_told(self) -> str:
        """Return what the last move did, in words; nothing before it."""
        return told(self.states[-2], self.moves[-1], self.company.names) if self.moves else ""

    def sight(self) -> Mapping[Thing, tuple[Spot, ...]]:
        """Return who sees Pac-Man, with the squares between them; nobody in most games."""
        return self.state.seen_by() if isinstance(self.state, Sighted) else {}

    @property
    def lifted(self) -> Thing | None:
        """Return the one pawn that is clearly gone from its square and nowhere else to be seen, or
        that is to come in from beside the board."""
        evidence = self._seen.evidence
        pawns = self.company.pawns
        coming = {choice.effect.thing for choice in self.expected.choices}
        if (
            len(coming) == 1
            and not coming & set(self.expected.position.values())
            and coming <= pawns
        ):
            return coming.pop()
        away = [
            thing
            for spot, thing in self.expected.position.items()
            if thing in pawns
            and evidence.get(spot, {}).get(thing, 0.0) < -DOUBT
            and all(things.get(thing, 0.0) <= DOUBT for things in evidence.values())
        ]
        return away[0] if len(away) == 1 else None

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it goes on."""
        return AGREED_DRAW if self.agreed_draw else self.state.outcome()

    # --- readings -----------------------------------------------------------------------------

    def judge(self, reading: Reading) -> tuple[Move, ...]:
        """Take a reading in; return the moves it proves, for the caller to write down and play.

        Any other verdict stands in :attr:`verdict` as soon as it has held long enough.
        """
        if forced := self.expected.forced:
            return forced
        self._seen.evidence = reading.evidence
        reading = self._without_old_cover(self._without_disregarded(reading))
        reading = self._without_left_crooked(reading)
        verdict = self._judge_now(reading)
        key = (verdict.kind, verdict.moves, verdict.changes, verdict.text)
        if key != self._seen.key:
            self._seen.key, self._seen.since = key, self._shown_since(reading)
        self._seen.last = reading
        self._seen.as_agreed = False
        if reading.time - self._seen.since < self._needed(verdict, reading.seen) - EARLY_SECONDS:
            return ()
        if verdict.kind is Kind.ACCEPTED:
            moves = self._not_of_own_seats(verdict.moves)
            unfinished = verdict.unfinished or moves != verdict.moves
            self._seen.proved = replace(verdict, moves=moves, unfinished=unfinished)
            return moves
        self._note(verdict, reading)
        if self._seen.as_agreed:
            self._phase = Phase.ALONG
            self.expected.prepare()
        led = self.must_follow and self.verdict.kind is Kind.SET_UP
        if led and verdict.kind is Kind.HANDS:
            return ()  # whoever is told what to do may still want to read it
        if not (self._seen.as_agreed and self._is_fresh(reading.time)):
            self.verdict = verdict
        return ()

    def _note(self, verdict: Verdict, reading: Reading) -> None:
        """Keep what a board at rest shows."""
        if verdict.kind is Kind.HANDS:
            return
        self._seen.as_agreed = verdict.kind is Kind.WAITING and not verdict.changes
        # Whoever goes on has answered: what comes then is the next seat's move.
        if verdict.kind is Kind.UNSURE and len(verdict.moves) == 1:
            self.expected.asked = verdict.moves[0]
        elif self._seen.as_agreed:
            self.expected.asked = None
        evidence = visible(reading)
        hidden = [c for c in self._seen.changes if not any(is_told(s, evidence) for s in c.spots)]
        self._seen.changes = (*find(self.expected, evidence).changes, *hidden)
        if self._lying.knows or self._seen.as_agreed:
            self._lying = self._lying.seen(self.expected.position, evidence)

    def _not_of_own_seats(self, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        """Return the moves up to the first that is the companion's to make.

        What leaves no trace goes with what was seen after it, and does not count without that.
        """
        at, kept = self.expected, 0
        for number, move in enumerate(moves):
            if at.state.to_act in self.own_seats:
                return moves[:kept]
            kept = kept if move == at.unsaid else number + 1
            at = at.after(move)
        return moves

    def _shown_since(self, reading: Reading) -> float:
        """Return since when the board has been as this reading shows it.

        A reading without motion shows the same as the one before it; if that one was not judged
        only because something had just moved, the board has been like this since then.
        """
        last = self._seen.last
        if last is None or reading.moving or not last.moving or last.covered - reading.covered:
            return reading.time
        return last.time

    def _needed(self, verdict: Verdict, seen: bool) -> float:
        if self.must_follow and verdict.kind is Kind.WAITING:
            return self.patience.settle_seconds  # one blink is not yet a board put right
        if verdict.kind is Kind.ACCEPTED and not seen:
            return max(self.patience.settle_seconds, self.patience.felt_seconds)
        return self.patience.needed(verdict.kind)

    def _is_fresh(self, time: float) -> bool:
        """Tell whether the last move was accepted so recently that it should still be shown."""
        if self.verdict.kind is not Kind.ACCEPTED:
            return False
        if self._seen.announced_at is None:
            self._seen.announced_at = time
        return time - self._seen.announced_at < self.patience.announce_seconds

    def _judge_now(self, reading: Reading) -> Verdict:
        over = self.outcome() is not None
        if over or not self._lying.knows or self.state.to_act in self.own_seats:
            advice = self._guide(reading)
            if over and advice.kind is Kind.SET_UP:
                return self._at_rest()  # after the end people may clear the board as they like
            return advice
        verdict = judge(self.expected, reading, self.company)
        if verdict.kind is Kind.ACCEPTED and not self._not_of_own_seats(verdict.moves):
            return self._guide(reading)
        if not self._lying.is_as_agreed:
            verdict = self._believable(verdict, reading)
        if self.must_follow and verdict.kind is Kind.NOT_ALLOWED:
            return self._guide(reading)
        return verdict

    def _guide(self, reading: Reading) -> Verdict:
        return guide(self.expected, reading, self.company) or self._at_rest()

    def _believable(self, verdict: Verdict, reading: Reading) -> Verdict:
        """Return what a verdict is worth while the board may not have followed the game yet."""
        lying, moves, evidence = self._lying, verdict.moves, visible(reading)
        if verdict.kind is Kind.HANDS or (verdict.kind is Kind.WAITING and not verdict.changes):
            return verdict
        if verdict.kind is Kind.WAITING:  # something is in a hand, or is yet to be put down
            led = self.must_follow and lying.is_return(verdict.changes)
            return self._guide(reading) if led else verdict
        if lying.is_return(verdict.changes):
            return self._guide(reading)
        if verdict.kind is Kind.UNSURE:
            likely = [(m,) for m in moves if not lying.is_return(self._changed_by(m))]
            if len(likely) == len(moves):
                return verdict
            return ask(self.state, likely, self.company) if likely else self._guide(reading)
        if verdict.kind is not Kind.ACCEPTED:
            return verdict
        if len(moves) > 1 and self.must_follow:
            return self._guide(reading)
        if len(moves) == 1 and lying.shows(self._shown(verdict), evidence):
            return verdict
        return ask(self.state, [moves], self.company)

    def _shown(self, verdict: Verdict) -> Position:
        return apply(self.expected.position, verdict.changes)

    def _changed_by(self, move: Move) -> tuple[Change, ...]:
        return compare(self.expected.position, self.expected.after(move).position)

    def _at_rest(self) -> Verdict:
        return waiting(self.state, self.company, self.outcome())

    def _without_disregarded(self, reading: Reading) -> Reading:
        """Leave out the places where people said that the sensors are wrong, until they agree."""
        if not self._disregarded:
            return reading
        self._disregarded = frozenset(
            place
            for place in self._disregarded
            if not _supports(self.expected.shown.get(place, ""), reading.evidence.get(place, {}))
        )
        kept = {p: e for p, e in reading.evidence.items() if p not in self._disregarded}
        return replace(reading, evidence=kept)

    def _without_left_crooked(self, reading: Reading) -> Reading:
        """Leave out what people said may stay crooked, for as long as it is there."""
        if not reading.moving and not reading.covered:
            self._left_crooked &= {(s.thing, s.spot) for s in reading.sightings}
        left = self._left_crooked
        minded = tuple(s for s in reading.sightings if (s.thing, s.spot) not in left)
        return replace(reading, sightings=minded) if left else reading

    def _without_old_cover(self, reading: Reading) -> Reading:
        """Judge around what has covered the board, unmoved, for so long that it is no hand."""
        if reading.moving or reading.covered != self._seen.cover:
            self._seen.cover, self._seen.covered_since = reading.covered, reading.time
        still = reading.time - self._seen.covered_since
        if reading.covered and still >= self.patience.cover_seconds:
            return replace(reading, covered=frozenset())
        return reading

    # --- what people ask for --------------------------------------------------------------------

    def check(self, move: Move) -> None:
        """Raise a MoveError, with the reason, unless a move can be played now."""
        outcome = self.outcome()
        if outcome is not None:
            raise IllegalMove(ended(outcome, self.company.names))
        why = self.state.why_not(move, self.company.names)
        if why is not None and why.rule == "notation":
            raise MalformedMove(why.text)
        if why is not None:
            raise IllegalMove(f"{why.text} ({why.rule})")

    def play_own(self, move: Move) -> str:
        """Play a move of the companion, for people to carry out; return it in words."""
        said = told(self.state, move, self.company.names)
        self._push(move)
        self._leave_behind()
        repair = self.last_changes
        text = instructions(repair, self.company.titles) if repair else f"{said}."
        if len(repair) > 1:  # a capture: first what happened, then what to do
            text = f"{said}. {text}"
        self.verdict = Verdict(Kind.SET_UP, text, moves=(move,), repair=repair)
        return f"{said}."

    def play(self, moves: Sequence[Move], *, on_board: bool) -> str:
        """Play legal moves, on the board or entered elsewhere; return what was done.

        Moves on the board that no reading has proved are there by somebody's word alone.
        """
        proved, said = self._seen.proved, []
        for move in moves:
            said.append(told(self.state, move, self.company.names))
            self._push(move)
        if proved and proved.moves == tuple(moves):
            shown = self._shown(proved)
            self._phase = Phase.BEHIND if proved.unfinished else Phase.ALONG
            self._prepare()
            self._lying = self._lying.followed(proved.changes, shown, self.expected.position)
        else:
            self._leave_behind(Phase.ALONG if on_board else Phase.BEHIND)
        text = ". ".join(said) + "."
        self.verdict = Verdict(Kind.ACCEPTED, f"{text} {self._at_rest().text}", moves=tuple(moves))
        return text

    def take_back(self) -> Move:
        """Take the last move back, and wait until the board shows it too; return that move."""
        if not self.moves:
            raise CompanionError("there is no move to take back")
        move = self.moves.pop()
        self.states.pop()
        self.agreed_draw = False
        self._leave_behind()
        return move

    def look_again(self) -> None:
        """Disregard the sensors wherever they differ from the agreed position now: people say that
        the board is right."""
        self._disregarded |= odd_places(self.expected, self._seen.evidence)
        self._lying = Lying({})
        seen = self._seen.last.sightings if self._seen.last else ()
        self._left_crooked |= {(sighting.thing, sighting.spot) for sighting in seen}
        self._prepare()

    def set_up_again(self) -> None:
        """Wait until the board is put as the game has it, after it served something else."""
        self._phase, self._lying = Phase.SETTING_UP, UNKNOWN
        self._seen = _Seen()

    def draw(self) -> None:
        """End the game as a draw by agreement."""
        if self.outcome() is not None:
            raise CompanionError("the game is over already")
        self.agreed_draw = True
        self._prepare()

    def _push(self, move: Move) -> None:
        self.states.append(self.state.play(move))
        self.moves.append(move)

    def _leave_behind(self, phase: Phase = Phase.BEHIND) -> None:
        """Take note that the game went on without the board."""
        before, seen = self.expected.position, self._seen.changes
        self._phase = phase
        self._prepare()
        self._lying = self._lying.went_on(before, seen, self.expected.position)

    def _prepare(self) -> None:
        """Forget what was seen before the agreed position changed."""
        self.expected = Expectation(self.state, self.company.cast)
        self.last_changes = self._compare_last()
        moved = {spot for change in self.last_changes for spot in change.spots}
        self._disregarded -= places_of(dict.fromkeys(moved, "")).keys()
        self._seen = _Seen()
        self.verdict = self._at_rest()
        if self._phase is Phase.SETTING_UP:
            wanted = [Change(t, None, s) for s, t in self.expected.position.items()]
            text = instructions(wanted, self.company.titles, most=4)
            self.verdict = Verdict(Kind.SET_UP, text, repair=tuple(wanted))

    def _after_restart(self, taken_back: Iterable[Sequence[Move]]) -> Lying:
        """Return what is known of the board of a resumed game."""
        states = list(self.states)
        for line in taken_back:
            state = self.states[0]
            for move in line:
                state = state.play(move)
                states.append(state)
        return after_restart([real_position(state, self.company.cast) for state in states])

    def _compare_last(self) -> tuple[Change, ...]:
        if not self.moves:
            return ()
        before = real_position(self.states[-2], self.company.cast)
        return compare(before, self.expected.position)


def _supports(expected: Thing, things: Mapping[Thing, float]) -> bool:
    """Tell whether the evidence at a place clearly agrees with what is expected there."""
    value = things.get(expected, 0.0)
    return all(value > other for thing, other in things.items() if thing != expected) and (
        value > 0.0 or (not expected and bool(things))
    )
