"""The Ms. Pac-Man game of 1983 as everybody else sees it."""

from companion.games.game import Effect, Move, Seat, State
from companion.games.kit import Kit, Meter, Words
from companion.games.maze.data import load_maze, maze_kind
from companion.games.maze.maze import Meeting
from companion.games.mspacman.data import FILE
from companion.games.mspacman.field import DOT, HER, field_of
from companion.games.mspacman.hint import reason
from companion.games.mspacman.rules import MsPacMan, MsPacManGame
from companion.games.mspacman.sheets import PRINTS
from companion.games.mspacman.worth import worth
from companion.players.lookahead import Ahead
from companion.text import counted

#: A move that is worse by this much still looks good to a player who errs.
SLACK = 1.5


def write(effect: Effect) -> Move:
    """Return a walk as it is written, legal or not; a ghost moves on from one that it meets.

    Spins and rolls are not entered on the board; her placing looks like a walk of one step, and is
    left out too.
    """
    if isinstance(effect, Meeting) and HER not in (effect.thing, effect.meets):
        return f"{'-'.join(effect.path[:-1])}+{effect.end}"
    return "-".join(effect.path)


def meters(state: State, seat: Seat) -> tuple[Meter, ...]:
    """Return the dots a seat has still to lose, and the pawn that it plays."""
    assert isinstance(state, MsPacMan)
    left, whole = state.left(seat), state.field.quarters[seat].bit_count()
    ghost, timer = state.field.ghosts[seat], state.timers[seat]
    dots = Meter(
        tuple((DOT, number < left) for number in range(whole)),
        f"{counted(left, f'{ghost.colour} dot')} left",
        gauge=True,
    )
    plays = "Ms. Pac-Man" if seat == state.control else ghost.title
    side = f"weak until its turn has begun {_times(timer)}" if timer else ""
    return dots, Meter(((state.pawn(seat), True),), f"plays {plays}", side)


def _times(count: int) -> str:
    return "once" if count == 1 else "twice"


KITS = (
    Kit(
        game=MsPacManGame(lambda: load_maze(FILE)),
        title="Ms. Pac-Man",
        note="2 to 4 players",
        rulebook="games/mspacman.md",
        player=lambda level: Ahead(MsPacMan, worth, SLACK, level),
        reason=reason,
        words={
            "players": Words("Players", {"4": "four", "3": "three", "2": "two"}),
            "noProgress": Words(
                "When no dot goes for 40 moves of Ms. Pac-Man",
                {"off": "the game goes on", "40": "it is a draw"},
                house=True,
            ),
        },
        house={"noProgress": "40"},
        entry="walk",
        write=write,
        meters=meters,
        folder=FILE.parent,
        data=(maze_kind(lambda maze: not maze.of_kind("hole", "ringed"), field_of, PRINTS),),
    ),
)
