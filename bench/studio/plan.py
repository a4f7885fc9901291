"""All that one picture shows, drawn from a seed and a number before anything is built."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bench.studio.clutter import Item, cover, scatter
from bench.studio.colours import Rgb, of_hex, times
from bench.studio.lens import Lens, draw_lens
from bench.studio.lights import LIGHTS, Lighting, draw_lighting
from bench.studio.sensor import Exposure, draw_exposure
from bench.studio.setting import Setting, draw_setting, troubles_of
from bench.studio.themes import Theme, draw_theme, in_turn
from companion.board import Board

LED_COLOURS: Mapping[str, Rgb] = {
    "cyan": (0.0, 0.9, 1.0),
    "magenta": (1.0, 0.05, 0.8),
    "green": (0.05, 1.0, 0.1),
    "orange": (1.0, 0.35, 0.02),
    "blue": (0.05, 0.15, 1.0),
    "red": (1.0, 0.03, 0.02),
    "white": (1.0, 1.0, 1.0),
    "yellow": (1.0, 0.8, 0.05),
}
SKINS = ("#f4d6c0", "#f0c8a8", "#e0ac86", "#c68a5e", "#9a6440", "#6e4428", "#462a1a")
SLEEVES = ("#8a8a90", "#203060", "#7a2024", "#e0e0dc", "#101012", "#3a6a4a", "#c8a878")
POSES = ("open", "grab", "grab", "point", "fist")
SIDES = "SSSWEEN"  # people sit in the south more often than in the north
PACMAN_SHAPES = ("disc", "mouth aside", "mouth up")
GLOSSY = (0.18, 0.32)  # roughness of a board that mirrors a window


@dataclass(frozen=True)
class Hand:
    """A hand over the board: what it does, from which side, and where it reaches to."""

    pose: str
    side: str
    left: bool
    x_mm: float
    y_mm: float
    skin: Rgb
    sleeve: Rgb | None


@dataclass(frozen=True)
class Strip:
    """The lights around the field: whether there are any, and which of them shine in what."""

    fitted: bool
    lit: Mapping[str, str]
    power: float


@dataclass(frozen=True)
class Plan:
    """One picture: what is to be seen, in which light, through which camera."""

    seed: int
    number: int
    board: Board
    troubles: tuple[str, ...]
    theme: Theme
    setting: Setting
    pacman_shape: str
    strip: Strip
    items: tuple[Item, ...]
    hand: Hand | None
    light: str
    light_azimuth_deg: float
    lighting: Lighting
    lens: Lens
    exposure: Exposure

    @property
    def name(self) -> str:
        """Return what the picture is called."""
        return f"studio_{self.seed}_{self.number:03d}"

    def dice(self, what: str) -> random.Random:
        """Return the random source of one part of the scene, the same whenever it is built."""
        return random.Random(f"{self.seed}/{self.number}/{what}")


def plan_picture(board: Board, seed: int, number: int) -> Plan:
    """Return the plan of a picture; the same seed and number always give the same."""
    rng = random.Random(f"{seed}/{number}")
    troubles = troubles_of(seed, number)
    theme = draw_theme(rng, seed, number)
    light = in_turn(LIGHTS, "lights", seed, number)
    if light == "window_glare":
        theme = replace(theme, roughness=rng.uniform(*GLOSSY))
    lens = draw_lens(rng, board)
    azimuth = rng.uniform(0, 360)
    lighting = draw_lighting(rng, light, azimuth, lens.centre)
    return Plan(
        seed=seed,
        number=number,
        board=board,
        troubles=troubles,
        theme=theme,
        setting=draw_setting(rng, board, troubles),
        pacman_shape=rng.choice(PACMAN_SHAPES),
        strip=_strip(rng, board),
        items=_items(rng, board, troubles),
        hand=_hand(rng) if "hand" in troubles else None,
        light=light,
        light_azimuth_deg=azimuth,
        lighting=lighting,
        lens=lens,
        exposure=draw_exposure(rng, lighting, "motion_blur" in troubles),
    )


def frame_lights(board: Board) -> dict[str, tuple[float, float]]:
    """Return the lights along the four sides, which a built board may have or not."""
    return {name: at for name, at in board.lights.at_mm.items() if name[0] in "NESW"}


def _strip(rng: random.Random, board: Board) -> Strip:
    power = rng.uniform(1.2, 3.0)
    if rng.random() >= 0.75:
        return Strip(False, {}, power)
    if rng.random() < 0.5:
        return Strip(True, {}, power)
    names = list(frame_lights(board))
    side = rng.choice("NESW")
    lit = rng.choice(
        (
            rng.sample(names, rng.randint(2, 8)),
            [name for name in names if name[0] == side],
            [rng.choice([name for name in names if name[0] == each]) for each in "NESW"],
        )
    )
    colours = list(LED_COLOURS) if rng.random() < 0.5 else [rng.choice(list(LED_COLOURS))]
    return Strip(True, {name: rng.choice(colours) for name in lit}, power)


def _items(rng: random.Random, board: Board, troubles: tuple[str, ...]) -> tuple[Item, ...]:
    if "marker_covered" in troubles:
        return cover(rng, board)
    if "clutter" in troubles:
        return scatter(rng, board, on_frame=True)
    return scatter(rng, board, on_frame=False) if rng.random() < 0.25 else ()


def _hand(rng: random.Random) -> Hand:
    tints = rng.uniform(0.9, 1.1), rng.uniform(0.9, 1.1), rng.uniform(0.9, 1.1)
    return Hand(
        pose=rng.choice(POSES),
        side=rng.choice(SIDES),
        left=rng.random() < 0.4,
        x_mm=rng.uniform(-95, 95),
        y_mm=rng.uniform(-95, 95),
        skin=times(of_hex(rng.choice(SKINS)), tints),
        sleeve=of_hex(rng.choice(SLEEVES)) if rng.random() < 0.7 else None,
    )
