"""Explains a reading: of what the rules or mere hands can lead to, which position do sensors see?

Everything here is a pure function of an expectation (the agreed game, prepared once) and a reading.
Positions are scored by the sum of the evidence for what they put in each place (maximum
likelihood), so two positions are compared by the places in which they differ.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from companion.board import (
    EMPTY,
    FENCE,
    PELLET,
    Change,
    Evidence,
    Place,
    Position,
    Spot,
    Thing,
    patches,
    places_of,
)
from companion.games.game import Choice, Effect, Move, Spoken, Staged, State
from companion.referee.changes import DOUBT, MARGIN, apply, fit, see, slots_over

#: Several moves seen at once change some things each; more than this many changes are no moves.
MOST_CHANGES = 6
MOST_MOVES = 4

#: From real piece to the pawn of the rules and back: {"pawn1": "pacman", …}
Cast = Mapping[Thing, Thing]

Difference = tuple[Place, Thing, Thing]


@dataclass(frozen=True)
class Step:
    """A legal move, the position it leads to, and what that changes on the board, place by place;
    one that is not ``done`` leaves something to be put right before the next move."""

    move: Move
    position: Position
    differences: tuple[Difference, ...]
    done: bool = True


@dataclass(frozen=True)
class Explanation:
    """Steps that explain the reading, and how much better they do than "nothing moved"."""

    steps: tuple[Step, ...]
    gain: float

    @property
    def moves(self) -> tuple[Move, ...]:
        """Return the moves."""
        return tuple(step.move for step in self.steps)


@dataclass(frozen=True)
class Findings:
    """How well the rules explain a reading, beside what it shows regardless of the rules.

    ``legal`` are the explanations that have something in their favour, the best first; ``changes``
    and ``gain`` what the board shows; ``loose`` fence slots that are only partly filled.
    """

    legal: tuple[Explanation, ...]
    changes: tuple[Change, ...]
    gain: float
    loose: tuple[Spot, ...]

    @property
    def best(self) -> Explanation:
        """Return the best legal explanation; without one, that nothing moved."""
        return self.legal[0] if self.legal else Explanation((), 0.0)


class Expectation:
    """An agreed game prepared for comparison: what each place should show, and may show next."""

    def __init__(self, state: State, cast: Cast) -> None:
        self.state = state
        self.cast = cast
        self.position: Position = real_position(state, cast)
        self.shown = places_of(self.position)
        self._following: dict[Move, Expectation] = {}
        self.asked: Move | None = None  # whether this one was made, and nobody has said so yet
        self.last_found: tuple[Evidence, Findings] | None = None

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        """Return the legal moves."""
        return tuple(self.state.legal_moves())

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Return the legal moves with what each does, by the names of the real pieces."""
        return tuple(Choice(move, self.effect(move)) for move in self.legal)

    def effect(self, move: Move) -> Effect:
        """Return what a legal move does, by the names of the real pieces."""
        effect = self.state.effect(move)
        return replace(effect, thing=self.cast.get(effect.thing, effect.thing))

    def prepare(self) -> None:
        """Compute now, while nothing happens, what will be needed when something does."""
        _ = self.steps

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Return the legal moves with their differences; computed when first needed.

        Of several moves with the same result, by another way to the same square for instance, one
        is enough. What could be a finished move is not taken for another, unfinished one, nor what
        needs no word for what does.
        """
        moves: dict[tuple[State, Spot], Move] = {}
        for move in self.legal:
            moves.setdefault((self.after(move).state, self.state.effect(move).end), move)
        done: dict[frozenset[Difference], Move] = {}
        for move in sorted(moves.values(), key=self.must_be_said, reverse=True):
            done[frozenset(differences(self.shown, self.after(move).shown))] = move
        steps = [Step(m, self.after(m).position, tuple(changed)) for changed, m in done.items()]
        for move, position in self._unfinished(moves.values()):
            changed = frozenset(differences(self.shown, places_of(position)))
            if changed not in done:
                steps.append(Step(move, position, tuple(changed), done=False))
        return tuple(steps)

    def _unfinished(self, moves: Iterable[Move]) -> Iterator[tuple[Move, Position]]:
        """Yield moves with what the board shows after them while something is left to be done."""
        if not isinstance(self.state, Staged):
            return
        for move in moves:
            end = self.after(move).position
            for made in self.state.made(move):
                if (real := with_cast(made, self.cast)) != end:
                    yield move, real

    @cached_property
    def unsaid(self) -> Move:
        """Return the move that leaves no trace, and that whoever goes on has made; or nothing."""
        return self.state.unsaid() if isinstance(self.state, Spoken) else ""

    @cached_property
    def following(self) -> tuple[Choice, ...]:
        """Return what may be done after the move that leaves no trace, if there is one."""
        return self.after(self.unsaid).choices if self.unsaid else ()

    def must_be_said(self, move: Move) -> bool:
        """Tell whether a legal move counts only if somebody says that it was meant."""
        return isinstance(self.state, Spoken) and self.state.must_be_said(move)

    def alike(self, step: Step) -> tuple[Move, ...]:
        """Return the legal moves that may look like this step, itself first; of several with the
        same result one."""
        moves: dict[State, Move] = {self.after(step.move).state: step.move}
        for move in self.legal:
            made = self.state.made(move) if isinstance(self.state, Staged) else ()
            looks = (self.after(move).position, *(with_cast(each, self.cast) for each in made))
            if step.position in looks:
                moves.setdefault(self.after(move).state, move)
        return tuple(moves.values())

    @cached_property
    def forced(self) -> tuple[Move, ...]:
        """Return the only legal move when it changes nothing on the board: a forced pass."""
        if len(self.legal) == 1 and not self.steps[0].differences:
            return self.legal
        return ()

    def unseen(self, trails: Mapping[Thing, tuple[Spot, ...]]) -> tuple[Move, ...]:
        """Return the moves that leave no trace on the board, but were felt: out and back."""
        back = {
            thing: way[1:]
            for thing, way in trails.items()
            if way[1:] and way[0] == way[-1] and self.position.get(way[0]) == thing
        }
        if not back:
            return ()
        return tuple(c.move for c in self.choices if back.get(c.effect.thing) == c.effect.path)

    @cached_property
    def gaps(self) -> tuple[Place, ...]:
        """Return the crossings between the ends of two fences in one line."""
        near = {place[:2] for place, thing in self.shown.items() if thing == FENCE}
        crossings = (square + "x" for square in near if square[0] < "i" and square[1] < "9")
        return tuple(sorted(place for place in crossings if is_gap(place, self.shown)))

    def after(self, move: Move) -> "Expectation":
        """Return what is to be expected after a legal move; prepared once."""
        if move not in self._following:
            self._following[move] = Expectation(self.state.play(move), self.cast)
        return self._following[move]


def real_position(state: State, cast: Cast) -> Position:
    """Return the position of a game with the pieces that really stand for its pawns."""
    return with_cast(state.position(), cast)


def with_cast(position: Position, cast: Cast) -> Position:
    """Return a position with the pieces that really stand for the pawns of the rules."""
    return {spot: cast.get(thing, thing) for spot, thing in position.items()}


def differences(
    before: Mapping[Place, Thing], after: Mapping[Place, Thing]
) -> Iterator[Difference]:
    """Yield the places that show something else, with the old thing and the new."""
    for place in before.keys() | after.keys():
        old, new = before.get(place, EMPTY), after.get(place, EMPTY)
        if old != new:
            yield place, old, new


def gain(evidence: Evidence, changed: Iterable[Difference]) -> float:
    """Return the log-likelihood ratio of the board after these differences to that before them."""
    total = 0.0
    for place, old, new in changed:
        things = evidence.get(place)
        if things:
            total += things.get(new, 0.0) - things.get(old, 0.0)
    return total


def find(expected: Expectation, evidence: Evidence) -> Findings:
    """Return how the rules explain this evidence, and what it shows regardless of them.

    Most of the time nothing happens: the very same evidence is not searched again (memoised).
    """
    if expected.last_found is None or expected.last_found[0] is not evidence:
        expected.last_found = evidence, _find(expected, evidence)
    return expected.last_found[1]


def _find(expected: Expectation, evidence: Evidence) -> Findings:
    evidence = _without_gaps(expected, evidence)
    if PELLET not in expected.shown.values() and _shows_pellets(evidence):
        # Where none play, one that is seen may lie there, or be a gleam: it stops no legal move.
        found = _explained(expected, _without_pellets(evidence))
        if found.best.gain >= MARGIN and found.gain - found.best.gain <= MARGIN:
            return found
    return _explained(expected, evidence)


def _shows_pellets(evidence: Evidence) -> bool:
    return any(things.get(PELLET, 0.0) > 0.0 for things in evidence.values())


def _without_pellets(evidence: Evidence) -> Evidence:
    return {
        place: {thing: value for thing, value in things.items() if thing != PELLET}
        for place, things in evidence.items()
    }


def _explained(expected: Expectation, evidence: Evidence) -> Findings:
    odd = odd_places(expected, evidence)
    if not odd:
        return Findings((), (), 0.0, ())
    changes = see(expected.position, evidence, odd)
    shown = places_of(apply(expected.position, changes))
    total = gain(evidence, differences(expected.shown, shown))
    legal = _single(expected, evidence, odd)
    unexplained = total - (legal[0].gain if legal else 0.0)
    if unexplained > MARGIN and len(changes) <= MOST_CHANGES:
        legal = sorted(legal + _chains(expected, evidence, odd), key=lambda e: -e.gain)
    return Findings(tuple(legal), changes, total, _loose(shown, evidence))


def arrived(expected: Expectation, evidence: Evidence, steps: Sequence[Step]) -> float:
    """Return how clearly what these steps put down is there, rather than still in a hand.

    That a pawn left its square says nothing of where it is: of several things, the least clear one
    counts, and a fence by all its patches. What was asked about, and is followed by more, has been
    answered by that.
    """
    shown: dict[Place, Thing] = {}
    for step in steps:
        shown.update((place, new) for place, _, new in step.differences)
    clear: list[float] = []
    answered = len(steps) > 1 and steps[0].move == expected.asked
    for step in steps[answered:]:
        came = [
            (place, new)
            for place, _, new in step.differences
            if new and shown[place] == new and expected.shown.get(place) != new
        ]
        seen = [(place, evidence.get(place, {}).get(new, 0.0)) for place, new in came]
        clear += [value for place, value in seen if not place[2:]]
        if any(place[2:] for place, _ in seen):
            clear.append(sum(value for place, value in seen if place[2:]))
    return min(clear, default=0.0)


def odd_places(expected: Expectation, evidence: Evidence) -> set[Place]:
    """Return the places where something other than what is expected fits better."""
    shown = expected.shown
    return {place for place, things in evidence.items() if _is_odd(shown.get(place, EMPTY), things)}


def _is_odd(expected: Thing, things: Mapping[Thing, float]) -> bool:
    """Tell whether some other thing, or nothing, fits this place better than what is expected."""
    value = things.get(expected, 0.0)
    return value < 0.0 or max(things.values(), default=value) > value


def _single(expected: Expectation, evidence: Evidence, odd: set[Place]) -> list[Explanation]:
    found = [Explanation((step,), value) for step, value in _likely(expected, evidence, odd)]
    return sorted(found, key=lambda explanation: -explanation.gain)


def _likely(
    expected: Expectation, evidence: Evidence, odd: set[Place]
) -> Iterator[tuple[Step, float]]:
    """Yield the steps that touch something odd and have something in their favour, with that."""
    for step in expected.steps:
        if any(place in odd for place, _, _ in step.differences):
            value = gain(evidence, step.differences)
            if value >= DOUBT:
                yield step, value


def _chains(expected: Expectation, evidence: Evidence, odd: set[Place]) -> list[Explanation]:
    """Return the explanations by several moves seen at once: a legal move and its legal answer,
    or as many as one seat makes in a row.

    Each of them must bring something new into view by itself, so only the steps that put a thing
    where the board shows something odd are tried, all but the last. Between them may be what leaves
    no trace: whoever goes on has done it.
    """
    found: dict[tuple[State, bool], Explanation] = {}

    def follow(at: Expectation, steps: tuple[Step, ...], total: float, answered: bool) -> None:
        def follows(then: Expectation) -> bool:
            return not answered or then.state.to_act == at.state.to_act

        def goes_on(then: Expectation, chain: tuple[Step, ...], value: float) -> None:
            follow(then, chain, value, answered or then.state.to_act != at.state.to_act)

        if at.unsaid and follows(at.after(at.unsaid)):
            unsaid = Step(at.unsaid, at.position, ())
            goes_on(at.after(at.unsaid), (*steps, unsaid), total)
        seen = 1 + sum(bool(step.differences) for step in steps)
        likely = sorted(_likely(at, evidence, odd), key=lambda x: x[0].move != expected.asked)
        for step, value in likely:
            chain = (*steps, step)
            then = at.after(step.move)
            if steps:
                # two fences placed in either order end in the same game: one explanation
                found.setdefault((then.state, step.done), Explanation(chain, total + value))
            more = step.done and follows(then) and seen < MOST_MOVES
            if more and _brings(step, evidence, odd):
                goes_on(then, chain, total + value)

    follow(expected, (), 0.0, False)
    return list(found.values())


def _brings(step: Step, evidence: Evidence, odd: set[Place]) -> bool:
    """Tell whether a step puts a thing where the board shows something odd that may be it."""
    return any(
        new and place in odd and evidence[place].get(new, 0.0) > 0.0
        for place, _, new in step.differences
    )


def is_gap(patch: Place, shown: Mapping[Place, Thing]) -> bool:
    """Tell whether a patch is the crossing between the ends of two fences in one line.

    Seen aslant, the ends hide the gap: what looks like a fence there is none.
    """
    if patch[2] != "x" or shown.get(patch) == FENCE:
        return False
    slots = (patch[:2] + direction for direction in "hv")
    return any(shown.get(one) == shown.get(other) == FENCE for one, _, other in map(patches, slots))


def _without_gaps(expected: Expectation, evidence: Evidence) -> Evidence:
    """Return the evidence without the fences that seem to be in the gaps between others."""
    filled = {gap for gap in expected.gaps if evidence.get(gap, {}).get(FENCE, 0.0) > 0.0}
    if not filled:
        return evidence
    return {place: things for place, things in evidence.items() if place not in filled}


def _loose(shown: Mapping[Place, Thing], evidence: Evidence) -> tuple[Spot, ...]:
    """Return the slots where a fence seems to lie that is not all the way in.

    A slot counts when at least one of its patches shows a fence that nothing explains, and no
    other slot explains that patch better.
    """
    stray = {
        place
        for place, things in evidence.items()
        if place[2:]
        and shown.get(place, EMPTY) != FENCE
        and things.get(FENCE, 0.0) > DOUBT
        and not is_gap(place, shown)
    }
    slots = {slot for patch in stray for slot in slots_over(patch)}
    found: list[Spot] = []

    def fits(slot: Spot) -> tuple[int, float]:
        return len(stray & set(patches(slot))), fit(slot, FENCE, evidence)

    for slot in sorted(sorted(slots), key=fits, reverse=True):
        if stray & set(patches(slot)):
            found.append(slot)
            stray -= set(patches(slot))
    return tuple(found)
