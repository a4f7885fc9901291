"""What happens in the card game, in words for everybody: no card is named that lies face down."""

from collections.abc import Sequence

from companion.games.cards.kinds import ALL, CHOOSE, GIVE, PASS, SKIP, SWAP
from companion.games.cards.standing import ACTIVE, DEAL, OUT, Standing
from companion.games.game import Move, Seat
from companion.text import counted, listed, name_of

#: What the seat in turn does with a power up that lies before everybody.
TO_DO = {
    SWAP: "{who} to choose who swaps hands",
    SKIP: "{who} to choose who skips a turn",
    PASS: "{who} to choose a card for the left",
    GIVE: "{who} to choose who gets a ghost",
    CHOOSE: "{who} to choose who draws how many",
}


def told(state: Standing, move: Move, after: Standing, names: Sequence[str]) -> str:
    """Return what a legal move does and what comes of it, for everybody."""
    verb, _, rest = move.partition(":")
    if verb == "deal":
        said = _dealt(state, rest, after, names)
    elif verb == "pass":
        said = f"{name_of(names, state.queue[0])} has chosen a card to pass"
        if after.phase != PASS:
            said += "; all cards go to the left"
    else:
        said = _done(state, verb, rest, names)
    return "; ".join([said, *_consequences(state, after, names)])


def awaited(state: Standing, names: Sequence[str]) -> str:
    """Return who is to do what."""
    if state.phase in (DEAL, ALL):
        return f"{name_of(names, state.drawing)} gets a card"
    if state.phase in TO_DO:
        seat = state.queue[0] if state.phase == PASS else state.turn
        return TO_DO[state.phase].format(who=name_of(names, seat))
    who, moves = name_of(names, state.turn), state.legal_moves()
    left = state.forced - state.drawn
    if left > 0 and "draw" in moves:
        freely = " or to shut down" if "down" in moves else ""
        return f"{who} to draw {counted(left, 'more card' if state.drawn else 'card')}{freely}"
    ways = {"draw": "draw", "stop": "stop", "down": "shut down"}
    return f"{who} to {listed([ways[way] for way in ways if way in moves], 'or')}"


def standing(state: Standing, seat: Seat) -> str:
    """Return what waits for a seat, or what became of it, in a few words."""
    if state.status[seat] != ACTIVE:
        return "knocked out" if state.status[seat] == OUT else "shut down"
    words = []
    if state.skips[seat]:
        words.append(f"skips {counted(state.skips[seat], 'turn')}")
    if state.chosen[seat]:
        words.append(f"draws {counted(state.chosen[seat], 'card')} next turn")
    if seat == state.turn and state.forced:
        words.append(f"draws {counted(state.forced, 'card')} this turn")
    return ", ".join(words)


def _done(state: Standing, verb: str, rest: str, names: Sequence[str]) -> str:
    who = name_of(names, state.turn)
    if verb == "draw":
        return f"{who} draws a card"
    if verb == "stop":
        return f"{who} stops"
    if verb == "down":
        held = sum(state.hands[state.turn])
        return f"{who} shuts down with {counted(held, 'card') if held else 'no card'}"
    first, _, second = rest.partition("-")
    seat = int(first) - 1
    one = name_of(names, seat)
    if verb == SKIP:
        return f"{who} lets {one} skip a turn"
    if verb == GIVE:
        return f"{who} gives {one} a ghost"
    if verb == CHOOSE:
        whose = f"{who} has chosen to draw" if seat == state.turn else f"{who} has {one} draw"
        return f"{whose} {counted(int(second), 'card')} next turn"
    return f"{one} and {name_of(names, int(second) - 1)} swap hands"


def _dealt(state: Standing, name: str, after: Standing, names: Sequence[str]) -> str:
    """Return what is seen of a card that leaves the deck (CG-4, CG-5, CG-6)."""
    who = name_of(names, state.drawing)
    card = state.table.cards.kinds[state.table.index[name]]
    if not card.is_power:
        third = after.status[state.drawing] == OUT
        if third:
            return f"{who} gets a third ghost"
        if state.phase == ALL:
            return f"{who} takes a card in hand unseen"
        return "it goes into the hand unseen"
    if state.phase == ALL:
        return f"{who} gets {_one(card.title)}, which is discarded without effect"
    if after.phase == card.role or (card.role == ALL and after.phase == ALL):
        return f"it is {_one(card.title)}"
    return f"it is {_one(card.title)}, which has no effect and is discarded"


def _one(title: str) -> str:
    return f"an {title}" if title[0] in "AEIOUaeiou" else f"a {title}"


def _consequences(state: Standing, after: Standing, names: Sequence[str]) -> list[str]:
    """Return who is knocked out by a move, and who skips the turn that would come next."""
    said = [
        f"{name_of(names, seat)} is knocked out"
        for seat in range(state.seats)
        if after.status[seat] == OUT != state.status[seat]
    ]
    said += [
        f"{name_of(names, seat)} skips a turn"
        for seat in range(state.seats)
        if after.skips[seat] < state.skips[seat] and after.status[seat] == ACTIVE
    ]
    return said
