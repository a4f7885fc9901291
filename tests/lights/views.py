"""Snapshots and moods for the tests of the lights, and what the strip then shows by name."""

import dataclasses
import itertools
import random

from companion.board import Board, Change
from companion.boards import profile
from companion.device import DeviceView
from companion.games import find_game
from companion.lights.scene import scene
from companion.lights.strip import Colour
from companion.lights.view import Mood
from companion.referee.snapshot import SeatView, Snapshot
from companion.referee.verdict import Kind, Verdict
from companion.rules.game import Outcome
from companion.rules.pacman import Pacman

BOARD = profile.load("reference")
CELLS = profile.load("under-cells")
COLOURS = [piece.colour for piece in BOARD.pieces.values()]
WAITING = Verdict(Kind.WAITING, "")


def snapshot(seats: int = 2, **changes: object) -> Snapshot:
    base = Snapshot(
        number=1,
        game="quoridor",
        game_id=1,
        options={},
        seats=tuple(
            SeatView(piece.title, piece.name, piece.colour, 10)
            for piece in itertools.islice(BOARD.pieces.values(), seats)
        ),
        to_act=0,
        position={},
        moves=(),
        legal=(),
        last_changes=(),
        verdict=WAITING,
        outcome=None,
        devices=(),
        simulated=True,
    )
    return dataclasses.replace(base, **changes)  # type: ignore[arg-type]


def of_pacman(state: Pacman, **changes: object) -> Snapshot:
    """Return the snapshot of a table on which Quoridor PAC-MAN stands like this."""
    return snapshot(
        game="pacman",
        to_act=state.to_act,
        position=state.position(),
        legal=tuple(state.legal_moves()),
        tallies=state.tallies(),
        sight=state.seen_by(),
        outcome=state.outcome(),
        **changes,
    )


def pacman_start() -> Pacman:
    state = find_game("pacman").start({})
    assert isinstance(state, Pacman)
    return state


def pacman_seen() -> Pacman:
    """Return a state in which two ghosts or more see Pac-Man and are to move."""
    chosen = random.Random(1)
    state = pacman_start()
    while len(state.seen_by()) < 2 or state.to_act != 1:
        legal = state.legal_moves()
        state = state.play(chosen.choice(legal)) if legal else pacman_start()
    return state


def lit(
    view: Snapshot, time: float = 0.25, board: Board = BOARD, **mood: object
) -> dict[str, Colour]:
    """Return the lights that are on, by name, as the strip would show them."""
    colours = scene(view, board, time, Mood(**mood))  # type: ignore[arg-type]
    return {name: colours[n] for name, n in board.lights.names.items() if any(colours[n])}


def names(*words: str) -> set[str]:
    return set(" ".join(words).split())


def ruled(kind: Kind, **more: object) -> Snapshot:
    """Return a snapshot with nobody's turn shown and this verdict."""
    return snapshot(to_act=None, verdict=Verdict(kind, "", **more))  # type: ignore[arg-type]


MOVED = Change("pacman", "e1", "e4")
BACK = Change("pacman", "e4", "e1")
TROUBLE = (DeviceView("camera", "trouble", ""),)

#: One of everything, for what must hold of all scenes.
VIEWS = {
    "turn": snapshot(tallies={"fences": (10, 7)}, last_changes=(MOVED,)),
    "four": snapshot(4, to_act=1, tallies={"fences": (5, 1, 0, 3)}),
    "thinking": snapshot(thinking=True),
    "lifted": snapshot(lifted="pacman", legal=("e2", "d1", "f1", "e3h")),
    "trouble": dataclasses.replace(
        ruled(Kind.NOT_ALLOWED, changes=(MOVED,), repair=(BACK,)), devices=TROUBLE
    ),
    "question": ruled(Kind.UNSURE, moves=("e4", "e5")),
    "set up": ruled(Kind.SET_UP, repair=(Change("pacman", None, "e1"),)),
    "guided": ruled(Kind.SET_UP, repair=(MOVED,)),
    "away": ruled(Kind.SET_UP, repair=(Change("fence", "e3h", None),)),
    "hands": snapshot(verdict=Verdict(Kind.HANDS, "")),
    "won": snapshot(to_act=None, outcome=Outcome((1,), "won")),
    "drawn": snapshot(to_act=None, outcome=Outcome((), "agreed")),
    "pacman": of_pacman(pacman_start()),
    "sighted": of_pacman(pacman_seen()),
}

MOODS = {
    "usual": Mood(),
    "start": Mood(begun_seconds=1.0),
    "attract": Mood(idle_seconds=700, attract_seconds=600),
    "phone": Mood(pairing=True),
    "pointing": Mood(pointed=("e5",)),
    "night": Mood(level=0.2),
}
