"""The card game as everybody else sees it. No move is made on a board, so none is entered there."""

from companion.games.cards.data import DECKS, FOLDER, load_deck
from companion.games.cards.hint import reason
from companion.games.cards.player import Gambler
from companion.games.cards.rules import Cards, CardsGame
from companion.games.cards.standing import ACTIVE, DOWN, OUT
from companion.games.game import Seat, State
from companion.games.kit import Kit, Meter, Words
from companion.text import counted

GAME = CardsGame(load_deck)
NOTES = {ACTIVE: "", DOWN: "shut down", OUT: "knocked out"}


def meters(state: State, seat: Seat) -> tuple[Meter, ...]:
    """Return the cards in a hand, lit while its player is in play, and what an open hand is worth.

    Everybody may read this, so no secret is told (CG-A29).
    """
    assert isinstance(state, Cards)
    count, status = sum(state.hands[seat]), state.status[seat]
    text = f"{counted(count, 'card')} in hand"
    if state.is_open(seat):
        text += f", worth {counted(state.points(seat), 'point')}"
    return (Meter((("card", status == ACTIVE),) * count, text, NOTES[status]),)


KITS = (
    Kit(
        game=GAME,
        title="Pac-Man cards",
        note="2 to 8 players",
        rulebook="games/cards.md",
        player=Gambler,
        reason=reason,
        words={
            "level": Words("Deck", {"1": "Level 1", "2": "Level 2", "bonus": "Bonus Level"}),
            "players": Words("Players", {n: n for n in GAME.options["players"]}),
            "first": Words(
                "Who does the best Pac-Man starts",
                {n: f"player {n}" for n in GAME.options["first"]},
            ),
            "skips": Words(
                "Two skips on one player",
                {"add": "skip two turns", "single": "skip one turn"},
                house=True,
            ),
            "chosen": Words(
                "Two numbers chosen for one player",
                {"replace": "the latest counts", "keep": "the first counts"},
                house=True,
            ),
            "emptyDeck": Words(
                "When the deck is empty",
                {
                    "shut": "who must draw shuts down",
                    "reshuffle": "the discard pile is the new deck",
                },
                house=True,
            ),
        },
        meters=meters,
        folder=FOLDER,
        data=(DECKS,),
    ),
)
