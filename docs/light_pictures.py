"""Draws every scene of the lights for docs/lights.md: the very colours the strip would show.

What moves on the table moves in the pictures. ``python docs/light_pictures.py`` from the top.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.board import Board, Change, DeviceView
from companion.boards import profile
from companion.boards.drawing import draw_svg
from companion.games.catalogue import find_game, find_kit
from companion.games.game import Outcome, State
from companion.games.pacman.rules import Pacman, arrange
from companion.lights.scene import paint
from companion.lights.strip import Colour
from companion.lights.view import Mood, View
from companion.referee.explain import Cast, Expectation
from companion.referee.verdict import Kind, Verdict
from companion.service.snapshot import SeatView, Snapshot

FOLDER = Path(__file__).parent / "pictures" / "lights"
FRAME = profile.load("reference")
CELLS = profile.load("under-cells")
FRAMES_PER_SECOND = 8
OPENING = "e2 e8 e3 e7 c3h e6 e4 f6v"
GLOW_MM = 10.0
LED_MM = 3.2
DARK: Colour = (0, 0, 0)


@dataclass(frozen=True)
class Picture:
    """One picture: what it shows, on which strip, and after how many seconds it repeats."""

    snapshot: Snapshot
    seconds: float = 0.0
    board: Board = FRAME
    mood: Mood = field(default_factory=Mood)


def quoridor(moves: str = OPENING, **more: object) -> Snapshot:
    """Return a snapshot of a game of Quoridor after some moves."""
    game = find_game("quoridor")
    state = game.start({})
    for move in moves.split():
        state = state.play(move)
    view = _snapshot("quoridor", state, {"pawn1": "pacman", "pawn2": "blinky"})
    return replace(view, moves=tuple(moves.split()), **more)  # type: ignore[arg-type]


def pacman(pacman: str, ghosts: dict[str, str], *, hunting: bool, **more: object) -> Snapshot:
    """Return a snapshot of Quoridor PAC-MAN with the pieces on these squares."""
    start = find_game("pacman").start({})
    assert isinstance(start, Pacman)
    waiting = list(ghosts) if hunting else []
    state = arrange(start.ground, pacman, ghosts, ["a1", "a9", "i9"], lives=2, waiting=waiting)
    view = _snapshot("pacman", state, {})
    return replace(view, sight=state.seen_by(), **more)  # type: ignore[arg-type]


def _snapshot(game: str, state: State, cast: Cast) -> Snapshot:
    expected, meters = Expectation(state, cast), find_kit(game).meters
    pieces = [FRAME.pieces[name] for name in ("pacman", "blinky")]
    seats = tuple(
        SeatView(piece.title, piece.name, piece.colour, meters=meters(state, seat))
        for seat, piece in enumerate(pieces)
    )
    return Snapshot(
        number=1,
        game=game,
        game_id=1,
        options={},
        seats=seats,
        to_act=state.to_act,
        position=expected.position,
        moves=("e2",),
        choices=expected.choices,
        last_changes=(),
        verdict=Verdict(Kind.WAITING, ""),
        outcome=None,
        devices=(),
        simulated=True,
        tallies=state.tallies(),
    )


def ruled(kind: Kind, **more: object) -> Snapshot:
    """Return a snapshot of Quoridor with this verdict."""
    return quoridor(verdict=Verdict(kind, "", **more))  # type: ignore[arg-type]


SEEN = {"blinky": "g2", "inky": "b7", "pinky": "a5", "clyde": "e1"}
HUNTED = {"blinky": "g2", "inky": "b7", "pinky": "g9", "clyde": "e1"}
JUMPED = Change("pacman", "e4", "c6")
LED = Change("blinky", "e6", "d6")
LOST = tuple(
    replace(seat, level=level) for seat, level in zip(quoridor().seats, (None, 5), strict=True)
)

PICTURES: dict[str, Picture] = {
    "turn": Picture(quoridor()),
    "last-move": Picture(quoridor(last_changes=(Change("fence", None, "f6v"),))),
    "thinking": Picture(quoridor(thinking=True), 3),
    "lives": Picture(pacman("e5", SEEN | {"blinky": "h9", "inky": "i2"}, hunting=False)),
    "sight": Picture(pacman("g7", SEEN, hunting=False)),
    "frenzy": Picture(pacman("g7", HUNTED, hunting=True), 2),
    "sight-cells": Picture(pacman("g7", SEEN, hunting=False), board=CELLS),
    "guided": Picture(ruled(Kind.SET_UP, repair=(LED,)), 2),
    "guided-cells": Picture(ruled(Kind.SET_UP, repair=(LED,)), 2, CELLS),
    "set-up": Picture(ruled(Kind.SET_UP, repair=(Change("inky", None, "h3"),)), 1),
    "take-away": Picture(ruled(Kind.SET_UP, repair=(Change("fence", "c3h", None),)), 1),
    "not-allowed": Picture(
        ruled(
            Kind.NOT_ALLOWED,
            changes=(JUMPED,),
            repair=(Change("pacman", "c6", "e4"),),
        ),
        1,
    ),
    "question": Picture(ruled(Kind.UNSURE, moves=("e5", "d4")), 2),
    "targets": Picture(quoridor(lifted="pacman"), 3),
    "targets-cells": Picture(quoridor(lifted="pacman"), board=CELLS),
    "hands": Picture(ruled(Kind.HANDS)),
    "trouble": Picture(quoridor(devices=(DeviceView("camera", "trouble", ""),)), 2),
    "phone": Picture(quoridor(), 3, mood=Mood(pairing=True)),
    "pointing": Picture(quoridor(), 2, mood=Mood(pointed=("e5",))),
    "start": Picture(quoridor(""), mood=Mood(begun_seconds=1.8)),
    "won": Picture(quoridor(to_act=None, outcome=Outcome((0,), "")), 10),
    "lost": Picture(quoridor(to_act=None, outcome=Outcome((1,), ""), seats=LOST), 4),
    "drawn": Picture(quoridor(to_act=None, outcome=Outcome((), ""))),
    "attract": Picture(quoridor(), 12, mood=Mood(idle_seconds=1.0, attract_seconds=1.0)),
    "night": Picture(quoridor(), mood=Mood(level=0.25)),
}


def draw(picture: Picture) -> str:
    """Return the board with its lights on, as SVG; what changes in time is animated."""
    board = picture.board
    bare = draw_svg(board).splitlines()
    whole = draw_svg(board, picture.snapshot.position).splitlines()
    things = whole[len(bare) - 1 : -1]
    count = max(1, round(picture.seconds * FRAMES_PER_SECOND))
    times = [number / FRAMES_PER_SECOND for number in range(count)]
    if count == 1:
        times = [0.5]
    frames = [paint(View(picture.snapshot, board, time, picture.mood)) for time in times]
    glows = [
        line
        for name in board.lights.names
        for line in _glow(board, name, [frame.get(name, DARK) for frame in frames], picture.seconds)
    ]
    return "\n".join([*bare[:-1], *glows, *things, "</svg>"]) + "\n"


def _glow(board: Board, name: str, colours: list[Colour], seconds: float) -> list[str]:
    """Return one light with its glow, none when it is never on."""
    if not any(map(any, colours)):
        return []
    x, y = board.lights.at_mm[name]
    shown = [_on_screen(colour) for colour in colours]
    moves = ""
    if len(set(shown)) > 1:
        values = ";".join([*shown, shown[0]])
        moves = (
            f'<animate attributeName="fill" values="{values}" dur="{seconds:g}s"'
            ' repeatCount="indefinite"/>'
        )
    still = shown[len(shown) // 2]
    return [
        f'<circle cx="{x:g}" cy="{-y:g}" r="{radius:g}" fill="{still}" opacity="{opacity:g}"'
        f' style="mix-blend-mode:screen"{f">{moves}</circle>" if moves else "/>"}'
        for radius, opacity in ((GLOW_MM, 0.4), (LED_MM, 1.0))
    ]


def _on_screen(colour: Colour) -> str:
    """Return how a screen shows a light: a dim LED is brighter to the eye than its number."""
    return "#{:02x}{:02x}{:02x}".format(*(round((part / 255) ** 0.45 * 255) for part in colour))


def main() -> None:
    """Draw them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(picture), encoding="utf-8")
        print(f"docs/pictures/lights/{name}.svg")


if __name__ == "__main__":
    main()
