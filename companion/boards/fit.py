"""Does a board fit together? Compares sizes that make sense by themselves."""

from collections.abc import Iterator

from companion.board import Board
from companion.lights.strip import IDLE_MILLIAMPS

_FENCE_TOLERANCE_MM = 2.0
_QUIET_ZONE_MM = 5.0
_MAGNET_NOISES = 20  # two magnets are told apart although a piece stands off centre

#: Whether something fits; its key, what was expected of it, and what came.
Check = tuple[bool, str, str, str]


def misfits(board: Board) -> list[str]:
    """Return where the sizes of a board contradict each other, a sentence each after its key."""
    checks = (*_sizes(board), *_magnets(board), *_markers(board), *_lights(board))
    return [
        f"{key}: expected {expected}, got {got}" for fits, key, expected, got in checks if not fits
    ]


def _sizes(board: Board) -> Iterator[Check]:
    fence, span = board.fence, 2 * board.cell_mm + board.groove_mm
    expected = f"two cells and a groove, {span:g} ± {_FENCE_TOLERANCE_MM:g}"
    fits = abs(fence.length_mm - span) <= _FENCE_TOLERANCE_MM
    yield fits, "fence.length_mm", expected, f"{fence.length_mm:g}"
    yield _at_most("fence.thickness_mm", fence.thickness_mm, "groove", board.groove_mm)
    yield _at_least("geometry.board_mm", board.board_mm, "field", board.field_mm)
    yield _at_least("geometry.frame_mm", board.frame_mm, "board", board.board_mm)
    for name, piece in board.pieces.items():
        key = f"pieces.{name}.diameter_mm"
        yield _at_most(key, piece.diameter_mm, "cell", board.cell_mm)


def _at_most(key: str, size: float, what: str, most: float) -> Check:
    return size <= most, key, f"at most the {what}'s {most:g}", f"{size:g}"


def _at_least(key: str, size: float, what: str, least: float) -> Check:
    return size >= least, key, f"at least the {what}'s {least:g}", f"{size:g}"


def _magnets(board: Board) -> Iterator[Check]:
    hall = board.hall
    if not hall.channels:
        return
    magnets = [piece for piece in board.pieces.values() if piece.magnet]
    low, high, apart = -hall.rest, hall.full_scale - hall.rest, _MAGNET_NOISES * hall.noise
    for number, piece in enumerate(magnets):
        key, got = f"pieces.{piece.name}.magnet", f"{piece.magnet}"
        expected = f"{low} to {high}, which the converter can tell"
        yield low <= piece.magnet <= high, key, expected, got
        for other in magnets[:number]:
            expected = f"{apart:g} or more apart from {other.name}'s {other.magnet}"
            yield abs(piece.magnet - other.magnet) >= apart, key, expected, got


def _markers(board: Board) -> Iterator[Check]:
    half, size = board.frame_mm / 2, board.marker_mm
    clear, quiet = board.field_mm / 2 + size / 2, size + _QUIET_ZONE_MM
    for number, marker in enumerate(board.markers):
        key, here = f"markers.at_mm[{number}].at", f"({marker.x_mm:g}, {marker.y_mm:g})"
        away = max(abs(marker.x_mm), abs(marker.y_mm))
        yield away + size / 2 <= half, key, "the whole marker on the frame", here
        yield away >= clear, key, "a marker beside the field", here
        for other in board.markers[:number]:
            apart = max(abs(marker.x_mm - other.x_mm), abs(marker.y_mm - other.y_mm))
            yield apart >= quiet, key, f"{quiet:g} or more to marker {other.id}", f"{apart:g}"


def _lights(board: Board) -> Iterator[Check]:
    lights = board.lights
    for name, (x, y) in lights.at_mm.items():
        fits = max(abs(x), abs(y)) <= board.frame_mm / 2
        yield fits, f"lights.at_mm.{name}", "a place on the frame", f"({x:g}, {y:g})"
    dark = lights.count * IDLE_MILLIAMPS
    expected = f"at least the {dark:g} that {lights.count} dark LEDs draw"
    yield lights.milliamps >= dark, "lights.milliamps", expected, f"{lights.milliamps}"
