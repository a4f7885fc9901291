"""The card game on screens: what everybody may see, and what one seat alone, in words and as JSON.

No page writes a sentence of its own, so what a phone shows is exactly what is told here.
"""

from collections.abc import Sequence
from typing import Any

from companion.games.cards.kinds import CHOOSE, GIVE, PASS, SKIP, SWAP, Card
from companion.games.cards.standing import ACTIVE, DECIDE, KNOCK_OUT, Counts, Standing
from companion.games.cards.told import standing
from companion.games.game import Move, Seat, View
from companion.text import capital, counted, name_of, sentence

#: What a seat is asked, by what goes on.
ASKED = {
    DECIDE: "Draw a card, stop, or shut down.",
    SWAP: "Who swaps hands?",
    SKIP: "Who skips a turn?",
    PASS: "Tap the card that you pass to the left.",
    GIVE: "Who gets one of your ghosts?",
    CHOOSE: "Who draws how many cards next turn?",
}

#: What a seat may decide: the words on the button, and what it means.
DECISIONS = {
    "draw": ("Draw a card", "three a turn at most"),
    "stop": ("Stop", "the next one’s turn"),
    "down": ("Shut down", "keep what you have, out of reach"),
}


def table(state: Standing, names: Sequence[str]) -> View:
    """Return what lies open on the table."""
    return {
        "deck": sum(state.deck),
        "deck_text": f"{counted(sum(state.deck), 'card')} in the deck",
        "discard": _cards(state, state.discard),
        "discard_text": f"{counted(sum(state.discard), 'power up')} discarded",
        "drawn": state.drawn,
        "seats": [_seat(state, seat, names) for seat in range(state.seats)],
    }


def hand(state: Standing, seat: Seat, names: Sequence[str]) -> View:
    """Return what a seat alone sees, and what it may do now."""
    yours = state.to_act == seat
    legal = state.legal_moves() if yours else []
    return {
        "name": name_of(names, seat),
        "yours": yours,
        "status": standing(state, seat),
        "cards": [
            {**card, "move": f"{PASS}:{card['name']}"} for card in _cards(state, state.hands[seat])
        ],
        "text": _summed(state, seat),
        "ask": _asked(state, seat) if yours else "",
        "tap": yours and state.phase == PASS,
        "choices": _choices(state, seat, names) if yours else [],
        "said": {move: _in_words(state, move, names) for move in legal},
    }


def _seat(state: Standing, seat: Seat, names: Sequence[str]) -> dict[str, Any]:
    held = sum(state.hands[seat])
    said: dict[str, Any] = {
        "name": name_of(names, seat),
        "cards": held,
        "text": counted(held, "card") if held else "no cards",
        "status": standing(state, seat),
        "open": None,
    }
    if state.is_open(seat):
        said["open"] = _cards(state, state.hands[seat])
        said["text"] += f", {counted(state.points(seat), 'point')}"
    return said


def _cards(state: Standing, counts: Counts) -> list[dict[str, Any]]:
    """Return a pile or hand, a card each, sorted as the table of cards is."""
    kinds = state.table.cards.kinds
    return [_face(card) for card, count in zip(kinds, counts, strict=True) for _ in range(count)]


def _face(card: Card) -> dict[str, Any]:
    return {"name": card.name, "title": card.title, "role": card.role, "points": card.points}


def _summed(state: Standing, seat: Seat) -> str:
    counts = state.hands[seat]
    if not any(counts):
        return "You hold no cards yet."
    ghosts, points = counts[state.table.ghost], state.points(seat)
    said = f"{counted(sum(counts), 'card')}, {counted(points, 'point')}"
    if ghosts == KNOCK_OUT - 1:
        return sentence(f"{said}, two ghosts: one more knocks you out")
    return sentence(f"{said}, {counted(ghosts, 'ghost')}" if ghosts else said)


def _asked(state: Standing, seat: Seat) -> str:
    left = state.forced - state.drawn
    if state.phase == DECIDE and left > 0 and state.can_draw():
        return f"You draw {counted(left, 'more card' if state.drawn else 'card')}: it was chosen."
    if state.phase == DECIDE and "draw" not in state.legal_moves():
        return "Stop or shut down." if state.drawn else "The deck is empty: shut down."
    return ASKED[state.phase]


def _choices(state: Standing, seat: Seat, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the buttons: whatever can be decided, legal or not, and else what is legal."""
    legal = state.legal_moves()
    if state.phase == DECIDE:
        return [
            {"move": move, "text": text, "note": note, "legal": move in legal}
            for move, (text, note) in DECISIONS.items()
        ]
    if state.phase == PASS:
        return []
    return [
        {
            "move": move,
            "text": capital(_said(move, seat, names)),
            "note": _held(state, move),
            "legal": True,
        }
        for move in legal
    ]


def _said(move: Move, seat: Seat, names: Sequence[str]) -> str:
    verb, _, rest = move.partition(":")
    first, _, second = rest.partition("-")

    def who(number: str) -> str:
        return "you" if int(number) - 1 == seat else name_of(names, int(number) - 1)

    if verb == SWAP:
        return f"{who(first)} and {who(second)}"
    if verb == CHOOSE:
        draw = "draw" if int(first) - 1 == seat else "draws"
        return f"{who(first)} {draw} {counted(int(second), 'card')}"
    return who(first)


def _in_words(state: Standing, move: Move, names: Sequence[str]) -> str:
    """Return a legal move as a hint names it."""
    verb, _, rest = move.partition(":")
    if verb in DECISIONS:
        return DECISIONS[verb][0].lower()
    if verb == PASS:
        return f"pass the {state.table.cards.kinds[state.table.index[rest]].title}"
    doing = {SWAP: "swap the hands of {}", SKIP: "{} skips", GIVE: "a ghost for {}"}
    return doing.get(verb, "{}").format(_said(move, state.turn, names))


def _held(state: Standing, move: Move) -> str:
    """Return how many cards those hold whom a power up is to reach: everybody sees that."""
    verb, _, rest = move.partition(":")
    seats = [int(number) - 1 for number in rest.split("-")[: 2 if verb == SWAP else 1]]
    if any(state.status[seat] != ACTIVE for seat in seats):
        return ""
    return " and ".join(counted(sum(state.hands[seat]), "card") for seat in seats)
