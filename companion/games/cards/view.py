"""What somebody may see of the card game: their own hand, and of the rest what lies open.

Hands are secret (CG-4), also after a shut-down (CG-7), until points are compared (CG-8); a hand
that was knocked out lies face up (CG-5). A card chosen for passing is known to the one who chose
it, and from its arrival to the one who got it. The deck is a number: nobody knows what comes next.
"""

from companion.games.cards.kinds import POWERS
from companion.games.cards.standing import ACTIVE, DOWN, Counts, Standing
from companion.games.game import CHANCE, Seat, View, actor_json
from companion.text import counted


def view(state: Standing, seat: Seat | None) -> View:
    """Return all that a seat may see and nothing else; None stands for an onlooker."""
    kinds = state.table.cards.kinds
    own = seat is not None
    return {
        "level": state.table.level,
        "position": dict(state.position()),
        "to_act": actor_json(state.to_act),
        "turn": state.turn,
        "phase": state.phase,
        "drawn": state.drawn,
        "forced": state.forced,
        "queue": list(state.queue),
        "deck": sum(state.deck),
        "discard": _named(state, state.discard),
        "players": [_player(state, other) for other in range(state.seats)],
        "hand": _named(state, state.hands[seat]) if seat is not None else {},
        "points": state.points(seat) if seat is not None else 0,
        "passing": [kinds[kind].name for who, kind in state.passing if own and who == seat],
        "tallies": {name: list(counts) for name, counts in state.tallies().items()},
        "legal": state.legal_moves() if own and seat == state.to_act else [],
    }


def draw(state: Standing) -> str:
    """Return the table as an onlooker sees it: the piles, then a line for each seat."""
    piles = [
        f"deck: {counted(sum(state.deck), 'card')}",
        f"discard: {_listed(state, state.discard) or 'nothing'}",
    ]
    seats = [f"player {seat + 1}: {_told(state, seat)}" for seat in range(state.seats)]
    return "\n".join(piles + seats)


def _player(state: Standing, seat: Seat) -> dict[str, object]:
    """Return what everybody sees of a seat."""
    return {
        "status": state.status[seat],
        "cards": sum(state.hands[seat]),
        "skips": state.skips[seat],
        "draws": state.chosen[seat],
        "open": _named(state, state.hands[seat]) if state.is_open(seat) else None,
    }


def _told(state: Standing, seat: Seat) -> str:
    count = sum(state.hands[seat])
    words = [f"{count} card{'' if count == 1 else 's'}"]
    status = state.status[seat]
    if status != ACTIVE:
        words.append("shut down" if status == DOWN else "knocked out")
    if state.is_open(seat):
        words[0] += f" ({_listed(state, state.hands[seat]) or 'none'})"
    if state.skips[seat]:
        words.append(f"skips {state.skips[seat]}")
    if state.chosen[seat]:
        words.append(f"draws {state.chosen[seat]} next")
    if state.to_act is not None and seat == state.turn:
        doing = f", carries out {state.phase}" if state.phase in POWERS else ""
        words.append(f"on turn, {state.drawn} drawn{doing}")
    if state.to_act not in (None, CHANCE) and seat in state.queue:
        words.append("chooses a card to pass")
    return ", ".join(words)


def _named(state: Standing, counts: Counts) -> dict[str, int]:
    """Return the cards of a pile or hand by name."""
    kinds = state.table.cards.kinds
    return {card.name: count for card, count in zip(kinds, counts, strict=True) if count}


def _listed(state: Standing, counts: Counts) -> str:
    return ", ".join(f"{count} {name}" for name, count in _named(state, counts).items())
