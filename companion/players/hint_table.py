"""Why a move is good, in the games beside Quoridor PAC-MAN: a sentence from the position itself."""

from collections.abc import Sequence

from companion.board import counted
from companion.players.cards import Guess
from companion.players.chamber import steps_from, steps_to
from companion.players.marbles import steps_of
from companion.players.mspacman import steps_of as mspacman_steps
from companion.rules.advanced import Advanced
from companion.rules.advanced_ground import ground
from companion.rules.advanced_setup import NAMES, PACMAN
from companion.rules.bits import SLOT_BIT, each_bit
from companion.rules.cards import Cards
from companion.rules.game import Move, Seat, State
from companion.rules.marbles import Marbles
from companion.rules.mspacman import MsPacMan
from companion.rules.mspacman_walk import AWAY
from companion.rules.quoridor import Quoridor


def _name(names: Sequence[str], seat: Seat) -> str:
    return names[seat] if seat < len(names) else f"player {seat + 1}"


def in_quoridor(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return how long the ways are before and after."""
    assert isinstance(state, Quoridor)
    me = state.turn
    after = state.play(move)
    if after.winner == me:
        return "reaches the far side"
    if move == "pass":
        return "there is nothing else you can do"
    mine, now = state.distance(me), after.distance(me)
    others = [seat for seat in range(state.seats) if seat != me]
    rival = min(others, key=lambda seat: (state.distance(seat), seat))
    theirs, then = state.distance(rival), after.distance(rival)
    them = _name(names, rival)
    if move in SLOT_BIT:
        if then > theirs:
            said = f"{them}'s way becomes {counted(then, 'step')} instead of {theirs}"
        else:
            said = f"{them}'s way stays {counted(then, 'step')}, but has fewer ways round"
        own = f"yours stays {now}" if now == mine else f"yours becomes {now}"
        return f"{said}, {own}"
    own = f"your way is then {counted(now, 'step')}"
    if state.seats == 2 and not any(state.fences_left) and now < then:
        return f"{own}, {them}'s {then}, and no fence is left to stop you"
    return f"{own}, {them}'s {then}"


def in_advanced(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return what a move of the advanced variant gains."""
    assert isinstance(state, Advanced)
    after = state.play(move)
    if not after.pellets:
        return "eats the last pellet and wins"
    if after.lives < state.lives:
        return "catches Pac-Man" if state.turn != PACMAN else "no way is left but to be caught"
    gained = after.collected - state.collected
    eaten = [
        name.title()
        for name, old, new in zip(NAMES, state.ghosts, after.ghosts, strict=True)
        if old and not new
    ]
    if gained or eaten:
        things = [counted(gained, "pellet")] if gained else []
        return f"eats {' and '.join([*things, *eaten])}"
    if not (state.pacman and after.pacman):
        return "enters where the ghosts are far" if state.turn == PACMAN else "opens the chamber"
    before, then = _to_pellet(state), _to_pellet(after)
    slot = move.rpartition(">")[2]
    if slot in SLOT_BIT:
        if then > before:
            way = f"Pac-Man's way to the next pellet becomes {counted(then, 'step')}"
            return f"{way} instead of {before}"
        near, nearer = _to_ghost(state), _to_ghost(after)
        if nearer > near:
            return f"the nearest ghost has {counted(nearer, 'step')} to Pac-Man instead of {near}"
        return "puts a fence where it will be in the way"
    if state.turn == PACMAN:
        away = counted(_to_ghost(after), "step")
        return f"the next pellet is then {counted(then, 'step')} off, the nearest ghost {away}"
    return f"the nearest ghost is then {counted(_to_ghost(after), 'step')} from Pac-Man"


def _to_pellet(state: Advanced) -> int:
    layers = steps_from(ground(state.fenced), state.pacman)
    return min(steps_to(layers, bit) for bit in each_bit(state.pellets))


def _to_ghost(state: Advanced) -> int:
    layers = steps_from(ground(state.fenced), state.pacman)
    return min((steps_to(layers, bit) for bit in state.ghosts if bit), default=0)


def in_marbles(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return what a move of the marble game gains."""
    assert isinstance(state, Marbles)
    after = state.play(move)
    verb, _, what = move.partition(":")
    if verb == "take":
        giver = state.table.colours.index(what)
        return f"takes two marbles from {_name(names, giver)}, who has {state.trays[giver]}"
    if verb in ("return", "missed"):
        return f"puts a marble back on {what}"
    if move.endswith("x"):
        return _met(state, after, move, names)
    things = [
        counted((was & ~left).bit_count(), f"{colour} marble")
        for colour, was, left in (
            ("white", state.white, after.white),
            ("yellow", state.yellow, after.yellow),
        )
        if was & ~left
    ]
    if things:
        return f"swallows {' and '.join(things)}"
    seat = state.turn
    steps = steps_of(state.table.field)
    if move.startswith("G"):
        nearest = min(steps[ghost][after.pacmen[seat]] for ghost in after.ghosts)
        others = (spot for other, spot in enumerate(after.pacmen) if other != seat)
        theirs = min(steps[ghost][spot] for spot in others for ghost in after.ghosts)
        return f"the nearest ghost is then {nearest} from you, {theirs} from another Pac-Man"
    row = steps[after.pacmen[seat]]
    away = min((row[n] for n in range(len(row)) if after.white >> n & 1), default=0)
    return f"the next white marble is then {counted(away, 'hole')} off"


def _met(state: Marbles, after: Marbles, move: Move, names: Sequence[str]) -> str:
    if move.startswith("P"):
        return "gobbles a ghost, and two marbles of somebody else's come with it"
    caught = next(s for s, spot in enumerate(state.pacmen) if spot in after.ghosts)
    if caught == state.turn:
        return "sends your own Pac-Man home, for no other way is better"
    gained = after.trays[state.turn] - state.trays[state.turn]
    return f"catches {_name(names, caught)} for {counted(max(gained, 0), 'marble')}"


def in_mspacman(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return what a move of the Ms. Pac-Man game gains."""
    assert isinstance(state, MsPacMan)
    after = state.play(move)
    seat = state.turn
    if after.winner == seat:
        return "takes your last dot and wins"
    if after.her == AWAY:
        return "catches her: now you play her" if after.control == seat else "leads into a ghost"
    steps = mspacman_steps(state.field)
    if state.control != seat:
        far = steps[after.ghosts[seat]][after.her]
        weak = "your weak ghost" if after.timers[seat] else "your ghost"
        return f"{weak} is then {counted(far, 'step')} from her"
    said = []
    own = state.left(seat) - after.left(seat)
    if own > 0:
        said.append(f"takes {counted(own, 'dot')} of yours")
    for other, spot in enumerate(state.ghosts):
        if state.phase == "walk" and spot not in (AWAY, after.ghosts[other]):
            said.append(f"eats {state.field.ghosts[other].title} for another turn")
    strong = [
        steps[spot][after.her]
        for other, spot in enumerate(after.ghosts)
        if spot != AWAY and not after.timers[other]
    ]
    if strong:
        said.append(f"stays {counted(min(strong), 'step')} from the nearest strong ghost")
    return " and ".join(said) or "no strong ghost is left to fear"


def in_cards(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return the odds as the seat to act can count them."""
    assert isinstance(state, Cards)
    seat = state.to_act
    assert seat is not None
    guess = Guess(state, seat)
    ghost = state.table.ghost
    held, unseen = guess.hand[ghost], sum(guess.unseen)
    share = round(100 * guess.unseen[ghost] / unseen) if unseen else 0
    odds = f"{share} % of the cards you cannot see are ghosts, and you hold {held or 'none'}"
    verb, _, rest = move.partition(":")
    if verb == "pass":
        card = state.table.cards.kinds[state.table.index[rest]]
        worth = "a ghost less" if card.role == "ghost" else f"worth {counted(card.points, 'point')}"
        return f"gives your {card.title} away, {worth}"
    if verb in ("skip", "give", "swap", "choose"):
        seats = [int(n) - 1 for n in rest.split("-")[: 2 if verb == "swap" else 1]]
        told = [f"{_name(names, s)} has {counted(sum(state.hands[s]), 'card')}" for s in seats]
        return " and ".join(told)
    if verb == "down":
        return f"keeps your {counted(state.points(seat), 'point')} safe: {odds}"
    return odds
