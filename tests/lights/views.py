"""Snapshots and moods for the tests of the lights, and what the strip then shows by name."""

import dataclasses
import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.board import FENCE, PELLET, Board, Change, DeviceView, is_slot
from companion.boards import profile
from companion.games.catalogue import find_game
from companion.games.game import Choice, Effect, Outcome, State
from companion.games.kit import Meter
from companion.games.pacman.rules import Pacman
from companion.lights.scene import scene
from companion.lights.strip import Colour
from companion.lights.view import Mood
from companion.referee.explain import Expectation
from companion.referee.verdict import Kind, Verdict
from companion.service.snapshot import SeatView, Snapshot

BOARD = profile.load("reference")
CELLS = profile.load("under-cells")
COLOURS = [piece.colour for piece in BOARD.pieces.values()]
WAITING = Verdict(Kind.WAITING, "")


def gauges(seats: int, tallies: Mapping[str, Sequence[int]], pellets: int) -> list[Meter]:
    """Return what a game that counts fences and pellets shows of each seat."""
    meters = []
    for seat in range(seats):
        tokens: tuple[tuple[str, bool], ...] = ()
        if "pellets" in tallies and seat == 0:
            eaten = tallies["pellets"][0]
            tokens = tuple((PELLET, number >= eaten) for number in range(eaten + pellets))
        elif "fences" in tallies:
            left = tallies["fences"][seat]
            tokens = tuple((FENCE, n < left) for n in range(BOARD.fence.count // seats))
        meters.append(Meter(tokens, "", gauge=True))
    return meters


def choices(*moves: str, thing: str = "pacman") -> tuple[Choice, ...]:
    """Return moves of a piece to these squares, and fences in these slots."""
    effects = (Effect(fence=m) if is_slot(m) else Effect(thing, (m,)) for m in moves)
    return tuple(Choice(move, effect) for move, effect in zip(moves, effects, strict=True))


def legal(state: State, cast: Mapping[str, str] = MappingProxyType({})) -> tuple[Choice, ...]:
    """Return the legal moves of a state."""
    return Expectation(state, cast).choices


def snapshot(seats: int = 2, **changes: Any) -> Snapshot:
    pellets = list(changes.get("position", {}).values()).count(PELLET)
    meters = gauges(seats, changes.get("tallies", {}), pellets)
    base = Snapshot(
        number=1,
        game="quoridor",
        game_id=1,
        options={},
        seats=tuple(
            SeatView(piece.title, piece.name, piece.colour, meters=(meter,))
            for piece, meter in zip(BOARD.pieces.values(), meters, strict=False)
        ),
        to_act=0,
        position={},
        moves=(),
        choices=(),
        last_changes=(),
        verdict=WAITING,
        outcome=None,
        devices=(),
        simulated=True,
    )
    return dataclasses.replace(base, **changes)


def of_pacman(state: Pacman, **changes: object) -> Snapshot:
    """Return the snapshot of a table on which Quoridor PAC-MAN stands like this."""
    return snapshot(
        game="pacman",
        to_act=state.to_act,
        position=state.position(),
        choices=legal(state),
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


def ruled(kind: Kind, **more: Any) -> Snapshot:
    """Return a snapshot with nobody's turn shown and this verdict."""
    asked = choices(*more.get("moves", ()))
    return snapshot(to_act=None, choices=asked, verdict=Verdict(kind, "", **more))


MOVED = Change("pacman", "e1", "e4")
BACK = Change("pacman", "e4", "e1")
TROUBLE = (DeviceView("camera", "trouble", ""),)

#: One of everything, for what must hold of all scenes.
VIEWS = {
    "turn": snapshot(tallies={"fences": (10, 7)}, last_changes=(MOVED,)),
    "four": snapshot(4, to_act=1, tallies={"fences": (5, 1, 0, 3)}),
    "thinking": snapshot(thinking=True),
    "lifted": snapshot(lifted="pacman", choices=choices("e2", "d1", "f1", "e3h")),
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
