"""From findings to a verdict: believed, doubted, refused, or not yet to be judged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.board import (
    FENCE,
    PELLET,
    Change,
    Evidence,
    Place,
    Reading,
    Sighting,
    Spot,
    Thing,
    column_row,
    patches,
    places_at,
)
from companion.games.game import Actor, Effect, Move, Outcome, Refusal, Seat, State, Tells
from companion.referee.changes import DOUBT, MARGIN, apply, compare, has_room, in_order, undo
from companion.referee.crooked import meant, unclear, with_sighted
from companion.referee.explain import (
    Cast,
    Expectation,
    Explanation,
    Findings,
    arrived,
    find,
    real_position,
)
from companion.referee.verdict import Kind, Verdict
from companion.referee.wording import Titles, instructions, told, turn
from companion.text import capital, listed, sentence

#: A hand hides more places than this; fewer, a gleam or a crumb, are merely left out.
FEW_PLACES = 3


@dataclass(frozen=True)
class Company:
    """Who plays: the seats' names, the piece each one is shown by, and what people call the
    pieces. ``others`` are pieces that play under their own names: the ghosts of one seat."""

    names: tuple[str, ...]
    pieces: tuple[Thing, ...]
    titles: Titles
    others: tuple[Thing, ...] = ()

    @property
    def cast(self) -> Cast:
        """Return which real piece stands for which pawn of the rules."""
        return {f"pawn{number}": piece for number, piece in enumerate(self.pieces, 1)}

    def called(self, names: Sequence[str]) -> "Company":
        """Return the same company under other names."""
        return replace(self, names=tuple(names))

    def name(self, actor: Actor | None) -> str:
        """Return the name of whoever acts; chance and nobody have none."""
        return self.names[actor] if isinstance(actor, Seat) else ""

    @property
    def pawns(self) -> frozenset[Thing]:
        """Return all pieces that play."""
        return frozenset((*self.pieces, *self.others))

    def named_by_rules(self, thing: Thing) -> Thing | None:
        """Return what the rules call a real thing, None when it does not play."""
        if thing in self.others or thing in (FENCE, PELLET):
            return thing
        return next((pawn for pawn, piece in self.cast.items() if piece == thing), None)


def judge(expected: Expectation, reading: Reading, company: Company) -> Verdict:
    """Return what the referee says of one reading, taken by itself."""
    if _is_disturbed(reading):
        return hands_on(reading)
    evidence = visible(reading)
    findings = find(expected, evidence)
    best = findings.best
    if _is_near(reading.covered, _spots(expected.state, findings)):
        return hands_on(reading)
    landed = arrived(expected, evidence, best.steps)
    lifted = _only_lifted(expected, findings, company)
    if findings.gain - best.gain > MARGIN or (lifted and landed < DOUBT):
        if lifted:
            return _lifted(expected, findings, reading, company)
        changes = with_sighted(findings.changes, reading.sightings)
        moved = tuple(c for c in changes if c.source != c.target) or findings.changes
        illegal = _illegal_part(expected, replace(findings, changes=moved), company)
        return _refused(expected, moved, illegal, company)
    rivals = list(dict.fromkeys(e.moves for e in findings.legal if e.gain > best.gain - MARGIN))
    sure = min(best.gain, landed) >= MARGIN
    if len(rivals) == 1 and sure and not findings.loose:
        if expected.must_be_said(best.moves[0]):
            same = expected.alike(best.steps[0])
            return ask(expected.state, [(move,) for move in same], company)
        placed = effects(expected.state, best.moves)[-1]
        if _is_anybodys(expected, best, placed):
            return _whose_fence(expected.state, best.moves, company)
        if placed.fence not in reading.half_in:
            return _accepted(expected, _without_words(expected, best), company)
    if rivals:
        return ask(expected.state, rivals, company)
    if astray := _astray(reading, Kind.NOT_ALLOWED):
        return astray
    if findings.loose:
        return _loose(expected, findings)
    if walked := expected.unseen(reading.trails):
        return ask(expected.state, [(move,) for move in walked], company)
    if crooked := unclear(evidence, reading.sightings, company.pawns):
        return _straighten(expected, crooked[0], company)
    return waiting(expected.state, company)


def _is_disturbed(reading: Reading) -> bool:
    return reading.moving or len(reading.covered) > FEW_PLACES


def _is_near(covered: Iterable[Place], spots: Iterable[Spot]) -> bool:
    """Tell whether something covered is at one of these spots or beside it: fingers, perhaps."""
    around = [column_row(spot) for spot in spots]
    return any(
        abs(column - c) <= 1 and abs(row - r) <= 1
        for column, row in map(column_row, covered)
        for c, r in around
    )


def _spots(state: State, findings: Findings) -> set[Spot]:
    """Return where something may have happened."""
    moved = {spot for change in findings.changes for spot in change.spots}
    return moved | {s for effect in effects(state, findings.best.moves) for s in effect.spots}


def _only_lifted(expected: Expectation, findings: Findings, company: Company) -> bool:
    """Tell whether all that is seen is that pawns, or one fence that may go elsewhere, are away
    from their places."""
    fences = [change.source for change in findings.changes if change.thing == FENCE]
    movable = {c.effect.path[0] for c in expected.choices if c.effect.thing == FENCE}
    pawns = company.pawns | ({FENCE} if len(fences) == 1 and movable.issuperset(fences) else set())
    return bool(findings.changes) and all(
        change.target is None and change.thing in pawns for change in findings.changes
    )


def visible(reading: Reading) -> Evidence:
    """Return the evidence without what is covered: unseen, never empty. A fence that may not be
    all the way in is there: nothing else is accepted as if it were not, and it is asked about."""
    if not reading.covered and not reading.half_in:
        return reading.evidence
    there = {patch for slot in reading.half_in for patch in patches(slot)}
    return {
        place: {**things, FENCE: DOUBT} if place in there else things
        for place, things in reading.evidence.items()
        if place not in reading.covered
    }


def hands_on(reading: Reading) -> Verdict:
    """Return the verdict that nothing can be judged now."""
    return Verdict(Kind.HANDS, "Hands on the board.", places=tuple(sorted(reading.covered)))


def waiting(state: State, company: Company, outcome: Outcome | None = None) -> Verdict:
    """Return the verdict that nothing has moved: whose turn it is, or how the game ended."""
    return Verdict(Kind.WAITING, turn(state, company.names, outcome))


def guide(expected: Expectation, reading: Reading, company: Company) -> Verdict | None:
    """Return how to put the board as it should be; None when it already is."""
    if _is_disturbed(reading):
        return hands_on(reading)
    findings = find(expected, visible(reading))
    if not findings.changes:
        return _astray(reading, Kind.SET_UP)
    changes = with_sighted(findings.changes, reading.sightings)
    repair = in_order(undo(changes), apply(expected.position, changes))
    text = instructions(repair, company.titles)
    return Verdict(Kind.SET_UP, text, changes=changes, repair=repair)


def _accepted(expected: Expectation, best: Explanation, company: Company) -> Verdict:
    state, done = expected.state, []
    for move in best.moves:
        done.append(told(state, move, company.names))
        state = state.play(move)
    return Verdict(
        Kind.ACCEPTED,
        f"{listed(done)}.",
        moves=best.moves,
        changes=compare(expected.position, best.steps[-1].position),
        unfinished=not best.steps[-1].done,
    )


def ask(state: State, rivals: Sequence[Sequence[Move]], company: Company) -> Verdict:
    """Return a question. Of moves made at once the first is asked about, then the next."""
    moves = tuple(dict.fromkeys(moves[0] for moves in rivals))
    places = _places(state.effect(move) for move in moves)
    return Verdict(Kind.UNSURE, _question(state, moves, company), moves=moves, places=places)


def _question(state: State, moves: Sequence[Move], company: Company) -> str:
    name = company.name(state.to_act)
    if len(moves) > 1:
        if isinstance(state, Tells):  # ways are long to read as they are written
            ways = listed([state.told(move, company.names) for move in moves], "or")
            return f"Which is right: {ways}?"
        return f"Which move did {name} make: {listed(moves, 'or')}?"
    effect, said = state.effect(moves[0]), told(state, moves[0], company.names)
    if effect.fence:
        return f"Is this {name}'s move: {effect.fence}? If it is a fence, push it all the way in."
    if said == f"{name} went to {effect.end}":
        return f"Did {name} go to {effect.end}?"
    return f"Is this right: {said}?"


def _is_anybodys(expected: Expectation, best: Explanation, placed: Effect) -> bool:
    """Tell whether a fence from the supply came together with another seat's move, so that nobody
    knows whose it is (Q-A19)."""
    if not placed.fence or placed.thing or len(best.moves) < 2:
        return False
    *_, before, last = movers(expected.state, best.moves)
    return before != last and best.moves[0] != expected.asked


def _without_words(expected: Expectation, best: Explanation) -> Explanation:
    """Return the moves up to the first of which somebody has to say that it was meant."""
    at = expected
    for number, step in enumerate(best.steps):
        if at.must_be_said(step.move):
            return replace(best, steps=best.steps[:number])
        at = at.after(step.move)
    return best


def movers(state: State, moves: Sequence[Move]) -> list[Actor | None]:
    """Return who makes each of these moves, made one after the other."""
    seats = []
    for move in moves:
        seats.append(state.to_act)
        state = state.play(move)
    return seats


def _whose_fence(state: State, moves: Sequence[Move], company: Company) -> Verdict:
    """Ask who put a fence down that appeared together with another move (Q-A19).

    Fences carry no name: it is the next seat's answer, or one move too many of the same seat.
    """
    first, second = company.name(state.to_act), company.name(state.play(moves[0]).to_act)
    done = effects(state, moves)
    text = (
        f"{told(state, moves[0], company.names)}, and there is a fence on {done[1].fence}. "
        f"If {second} put it there, say that {first} played {moves[0]}; otherwise take one back."
    )
    return Verdict(Kind.UNSURE, text, moves=(moves[0],), places=_places(done))


def _loose(expected: Expectation, findings: Findings) -> Verdict:
    for slot in findings.loose:
        if not has_room(slot, expected.position):
            text = f"The fence near {slot} does not fit there. Take it off."
            return Verdict(Kind.NOT_ALLOWED, text, places=patches(slot))
    legal = [choice for choice in expected.choices if choice.effect.fence in findings.loose]
    where = listed(findings.loose)
    text = f"A fence near {where} is not all the way in."
    if not legal:
        places = [place for slot in findings.loose for place in patches(slot)]
        return Verdict(Kind.WAITING, text, places=tuple(places))
    moves = tuple(choice.move for choice in legal)
    return Verdict(Kind.UNSURE, text, moves=moves, places=_places(c.effect for c in legal))


def _astray(reading: Reading, kind: Kind) -> Verdict | None:
    """Ask for fences that lie loose or across others to be taken off; None without any."""
    fences = [sighting.spot for sighting in reading.sightings if sighting.thing == FENCE]
    spots = tuple(dict.fromkeys(fences))
    if not spots:
        return None
    text = f"A fence lies loose near {spots[0]}. Take it off."
    if len(fences) > 1:
        text = f"Fences lie loose near {listed(spots)}. Take them off."
    return Verdict(kind, text, places=spots)


def effects(state: State, moves: Sequence[Move]) -> list[Effect]:
    """Return what each of these moves does, made one after the other."""
    done = []
    for move in moves:
        done.append(state.effect(move))
        state = state.play(move)
    return done


def _places(effects: Iterable[Effect]) -> tuple[Place, ...]:
    return tuple(place for effect in effects for s in effect.spots for place in places_at(s))


def _lifted(
    expected: Expectation, findings: Findings, reading: Reading, company: Company
) -> Verdict:
    """Say what to do with a pawn that is nowhere for sure, or wait while it is in a hand."""
    away = [change.thing for change in findings.changes]
    crooked = [sighting for sighting in reading.sightings if sighting.thing in away]
    if crooked:
        return _straighten(expected, crooked[0], company)
    names = listed(
        [
            f"the fence from {change.source}"
            if change.thing == FENCE
            else company.titles.get(change.thing, change.thing)
            for change in findings.changes
        ]
    )
    verb = "is" if len(away) == 1 else "are"
    # Magnets alone do not tell a hand from a place between two sensors.
    where = "off the board" if reading.seen else "off the board, or between squares"
    return Verdict(Kind.WAITING, f"{capital(names)} {verb} {where}.", changes=findings.changes)


def _straighten(expected: Expectation, sighting: Sighting, company: Company) -> Verdict:
    """Ask for a pawn to be pushed to the middle of its square, or refuse that it is there."""
    spot = meant(expected, sighting)
    if spot is not None:
        repair = (Change(sighting.thing, spot, spot),)
        text = instructions(repair, company.titles)
        return Verdict(Kind.SET_UP, text, repair=repair, places=(spot,))
    came_from = (at for at, thing in expected.position.items() if thing == sighting.thing)
    change = Change(sighting.thing, next(came_from, None), sighting.spot)
    return _refused(expected, (change,), (change,), company)


def _refused(
    expected: Expectation,
    changes: tuple[Change, ...],
    illegal: tuple[Change, ...],
    company: Company,
) -> Verdict:
    """Say why what was done is not allowed, and how to undo what is illegal of it."""
    why = _refusal(expected.state, changes, company)
    repair = in_order(undo(illegal), apply(expected.position, changes))
    reason = sentence(why.text)
    text = f"{reason} {instructions(repair, company.titles)}"
    return Verdict(
        Kind.NOT_ALLOWED, text, rule=why.rule, reason=reason, changes=changes, repair=repair
    )


def _refusal(state: State, changes: Sequence[Change], company: Company) -> Refusal:
    """Return why what was done is not allowed: by the rules, or because a piece does not play."""
    renamed = [(company.named_by_rules(c.thing), c) for c in changes]
    strangers = [company.titles.get(c.thing, c.thing) for name, c in renamed if name is None]
    if strangers:
        verb = "does" if len(strangers) == 1 else "do"
        return Refusal("Q-3", f"{listed(strangers)} {verb} not play in this game")
    known = [Change(name, c.source, c.target) for name, c in renamed if name is not None]
    return state.refuse(known, company.names)


def _illegal_part(
    expected: Expectation, findings: Findings, company: Company
) -> tuple[Change, ...]:
    """Return the changes left over when the best legal move is allowed to stand."""
    best = findings.best
    if not best.moves or best.gain < MARGIN:
        return findings.changes
    after = real_position(expected.state.play(best.moves[0]), company.cast)
    left = [c for c in findings.changes if c.target is None or after.get(c.target) != c.thing]
    return tuple(left) or findings.changes
