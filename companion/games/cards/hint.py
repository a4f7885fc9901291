"""Why a move of the card game is good: the odds as the seat to act can count them."""

from collections.abc import Sequence

from companion.games.cards.player import Guess
from companion.games.cards.rules import Cards
from companion.games.game import Move, State
from companion.text import counted, name_of


def reason(state: State, move: Move, names: Sequence[str] = ()) -> str:
    """Return the odds as the seat to act can count them."""
    assert isinstance(state, Cards)
    seat = state.to_act
    assert isinstance(seat, int)
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
        told = [f"{name_of(names, s)} has {counted(sum(state.hands[s]), 'card')}" for s in seats]
        return " and ".join(told)
    if verb == "down":
        return f"keeps your {counted(state.points(seat), 'point')} safe: {odds}"
    return odds
