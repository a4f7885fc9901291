"""The marble game of 1982 as everybody else sees it."""

from companion.games.game import Effect, Move, Seat, State
from companion.games.kit import Kit, Meter, Words
from companion.games.marbles.data import FILE
from companion.games.marbles.field import make_field
from companion.games.marbles.hint import reason
from companion.games.marbles.rules import Marbles, MarblesGame
from companion.games.marbles.sheets import PRINTS
from companion.games.marbles.standing import GHOST, PACMAN, WHITE, YELLOW
from companion.games.marbles.worth import worth
from companion.games.maze.data import load_maze, maze_kind
from companion.games.maze.maze import Meeting
from companion.players.lookahead import Ahead
from companion.text import counted

#: A move that is worse by this much still looks good to a player who errs.
SLACK = 1.5

GAME = MarblesGame(lambda: load_maze(FILE))


def write(effect: Effect) -> Move:
    """Return a walk, or staying, with the die that shows, or a yellow marble that goes back.

    Rolls, payments, missed marbles and the end of a turn are not entered on the board.
    """
    if effect.thing == YELLOW:
        return f"return:{effect.end}"
    if effect.thing.startswith(PACMAN):
        pawn = f"P{effect.rolled}"
    else:
        pawn = f"G{effect.thing.removeprefix(GHOST)}/{effect.rolled}"
    if not effect.path:
        return f"{pawn}="
    text, mark = f"{pawn}:", ""
    for spot in effect.path:
        if spot in GAME.field.exits:
            mark = "~"
        else:
            text, mark = text + mark + spot, "-"
    return f"{text}x" if isinstance(effect, Meeting) else text


def meters(state: State, seat: Seat) -> tuple[Meter, ...]:
    """Return the white marbles a seat has won, beside the fullest tray, and the yellow it holds."""
    assert isinstance(state, Marbles)
    tray, most = state.trays[seat], max(1, *state.trays)
    inside = state.counts[seat] - tray
    gold, owed = state.gold[seat], state.owed[seat]
    return (
        Meter(
            tuple((WHITE, number < tray) for number in range(most)),
            f"{counted(tray, 'white marble')} in the tray",
            f"{inside} more inside Pac-Man" if inside else "",
            gauge=True,
        ),
        Meter(
            ((YELLOW, True),) * gold,
            f"may gobble {counted(gold, 'ghost')}" if gold else "no yellow marble",
            f"{counted(owed, 'yellow marble')} to put back" if owed else "",
        ),
    )


KITS = (
    Kit(
        game=GAME,
        title="Pac-Man marbles",
        note="2 to 4 players",
        rulebook="games/marbles.md",
        player=lambda level: Ahead(Marbles, worth, SLACK, level),
        reason=reason,
        words={
            "players": Words("Players", {"2": "two", "3": "three", "4": "four"}),
            "homeCounts": Words("A home counts as a space, and one may stop there", house=True),
            "ghostsReverse": Words("Ghosts may turn back", house=True),
            "ghostAfterGobble": Words("After a gobble the ghost's die is still played", house=True),
            "missed": Words(
                "A marble that Pac-Man did not pick up",
                {"taken": "must be taken", "stays": "may be declared, and stays"},
                house=True,
            ),
            "noProgress": Words(
                "When nobody swallows a white marble for 40 turns",
                {"off": "the game goes on", "40": "it ends, and the marbles are counted"},
                house=True,
            ),
        },
        house={"noProgress": "40"},
        entry="walk",
        write=write,
        meters=meters,
        folder=FILE.parent,
        data=(maze_kind(lambda maze: bool(maze.of_kind("hole", "ringed")), make_field, PRINTS),),
    ),
)
