"""A table for tests that only the hall grid looks at."""

from dataclasses import replace

from companion.board import Board, Position
from companion.sim.body import Body, Scene


class StillTable:
    """Pawns where a test puts them."""

    def __init__(self, board: Board, position: Position | None = None) -> None:
        self._board = board
        self._scene = Scene(0, (), ())
        for spot, thing in (position or {}).items():
            self.put(thing, spot)

    def scene(self) -> Scene:
        """Return everything as it stands."""
        return self._scene

    def put(self, thing: str, spot: str, dx: float = 0.0, dy: float = 0.0, z: float = 0.0) -> None:
        """Put a pawn on a square, somewhat aside or above it if need be."""
        x, y = self._board.at(spot)
        body = Body(thing, "pawn", thing, x + dx, y + dy, 0.0, "board", z=z)
        self._change((*self._others(thing), body))

    def take(self, thing: str) -> None:
        """Take a pawn away."""
        self._change(self._others(thing))

    def _others(self, thing: str) -> tuple[Body, ...]:
        return tuple(body for body in self._scene.bodies if body.thing != thing)

    def _change(self, bodies: tuple[Body, ...]) -> None:
        self._scene = replace(self._scene, revision=self._scene.revision + 1, bodies=bodies)
