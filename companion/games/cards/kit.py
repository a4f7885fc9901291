"""The card game as everybody else sees it: played on phones, a hand each, without the board."""

from collections.abc import Sequence

from companion.games.cards import seen
from companion.games.cards.data import DECKS, FOLDER, load_deck
from companion.games.cards.hint import reason
from companion.games.cards.player import Gambler
from companion.games.cards.rules import Cards, CardsGame
from companion.games.cards.standing import ACTIVE, DOWN, OUT
from companion.games.game import Seat, State, View
from companion.games.kit import Hands, Kit, Meter, Part, Words
from companion.text import counted

GAME = CardsGame(load_deck)
NOTES = {ACTIVE: "", DOWN: "shut down", OUT: "knocked out"}

#: The colours of the seats, as different as eight can be.
COLOURS = (
    (255, 216, 0),
    (255, 64, 48),
    (30, 200, 235),
    (255, 130, 200),
    (70, 220, 90),
    (255, 140, 20),
    (110, 110, 255),
    (235, 235, 225),
)


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


def open_table(state: State, names: Sequence[str]) -> View:
    """Return what lies open on the table."""
    assert isinstance(state, Cards)
    return seen.table(state, names)


def hand(state: State, seat: Seat, names: Sequence[str]) -> View:
    """Return what a seat alone sees, and what it may do now."""
    assert isinstance(state, Cards)
    return seen.hand(state, seat, names)


def lamp(state: State, seat: Seat) -> str:
    """Return what the lights show of a seat that does not play on as usual."""
    assert isinstance(state, Cards)
    if state.status[seat] != ACTIVE:
        return "down" if state.status[seat] == DOWN else "out"
    return "skips" if state.skips[seat] else ""


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
            "shutDown": Words(
                "Shutting down when a number was chosen",
                {
                    "after": "only after that many cards",
                    "any": "at any moment, before them too",
                },
                house=True,
            ),
        },
        meters=meters,
        at_table=True,
        parts=tuple(Part(f"Player {n}", f"player{n}") for n in range(1, GAME.seats + 1)),
        entry="hand",
        hands=Hands(open_table, hand, lamp, COLOURS),
        folder=FOLDER,
        data=(DECKS,),
    ),
)
