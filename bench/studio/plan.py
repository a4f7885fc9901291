"""All that one picture shows, drawn from a seed and a number before anything is built."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bench.studio.builds import Build, draw_board
from bench.studio.clutter import Item, cover, put_on_field, scatter
from bench.studio.colours import Rgb
from bench.studio.dice import Dice, Drawn
from bench.studio.hands import Hand, draw_hands
from bench.studio.lens import Lens, draw_lens
from bench.studio.lights import Lighting, draw_lighting
from bench.studio.pawns import draw_pawns
from bench.studio.sensor import Exposure, at_scale, draw_exposure
from bench.studio.setting import Setting, draw_setting
from bench.studio.themes import Theme, draw_theme
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
#: What cannot be in one picture.
NEVER_WITH = {"marker covered": "on board", "on board": "marker covered"}
GLOSSY = (0.06, 0.3)  # roughness of a board that mirrors lamps


@dataclass(frozen=True)
class Strip:
    """The lights around the field: whether there are any, and which of them shine in what."""

    fitted: bool
    lit: Mapping[str, str]
    power: float


@dataclass(frozen=True)
class Plan:
    """One picture: what is to be seen, in which light, through which camera.

    ``drawn`` has every value of the table of spreads that was thrown for it.
    """

    seed: int
    number: int
    board: Board
    build: Build
    troubles: tuple[str, ...]
    theme: Theme
    setting: Setting
    strip: Strip
    items: tuple[Item, ...]
    hands: tuple[Hand, ...]
    light: str
    light_azimuth_deg: float
    lighting: Lighting
    lens: Lens
    exposure: Exposure
    drawn: Mapping[str, tuple[Drawn, ...]]
    frame: int = 0  # of a game; what is in motion differs from one to the next

    @property
    def name(self) -> str:
        """Return what the picture is called."""
        return f"studio_{self.seed}_{self.number:05d}"

    def dice(self, what: str) -> random.Random:
        """Return the random source of one part of the scene, the same whenever it is built."""
        return random.Random(f"{self.seed}/{self.number}/{what}")

    @property
    def noise_seed(self) -> int:
        """Return where the noise of the picture begins."""
        return (self.seed * 100_003 + self.number * 101 + self.frame) % 2**31

    def scaled(self, scale: float) -> "Plan":
        """Return the same picture with fewer pixels."""
        if scale == 1:
            return self
        lens, exposure = self.lens.scaled(scale), at_scale(self.exposure, scale)
        return replace(self, lens=lens, exposure=exposure)


def plan_picture(
    reference: Board, seed: int, number: int, given: Mapping[str, Drawn] | None = None
) -> Plan:
    """Return the plan of a picture; the same seed and number always give the same.

    ``given`` fixes values of the table of spreads.
    """
    dice = Dice(seed, number, given)
    troubles = _troubles(dice)
    board, build = draw_board(dice, reference)
    if not board.markers:
        troubles = tuple(name for name in troubles if name != "marker covered")
    theme = draw_theme(dice, board.squares)
    light, azimuth = dice.word("light"), dice.span("light from")
    if light in ("window glare", "lamp glare"):
        theme = replace(theme, roughness=dice.rng.uniform(*GLOSSY))
    lens = draw_lens(dice, board, build)
    lighting = draw_lighting(dice.rng, light, azimuth, lens.centre)
    items = _items(dice, board, build, theme, troubles)
    pawns = draw_pawns(dice, board, theme)
    colours = len(theme.fences)
    covered = [disc for item in items for disc in item.discs]
    setting = draw_setting(dice, board, pawns, troubles, covered, colours)
    return Plan(
        seed=seed,
        number=number,
        board=board,
        build=build,
        troubles=_met(troubles, setting),
        theme=theme,
        setting=setting,
        strip=_strip(dice, board, build),
        items=items,
        hands=draw_hands(dice, board, colours, pawns) if "hand" in troubles else (),
        light=light,
        light_azimuth_deg=azimuth,
        lighting=lighting,
        lens=lens,
        exposure=draw_exposure(dice, lighting, troubles),
        drawn={name: tuple(values) for name, values in dice.drawn.items()},
    )


def frame_lights(board: Board) -> dict[str, tuple[float, float]]:
    """Return the lights along the four sides, which a built board may have or not."""
    return {name: at for name, at in board.lights.at_mm.items() if name[0] in "NESW"}


def _troubles(dice: Dice) -> tuple[str, ...]:
    found: list[str] = []
    for _ in range({"none": 0, "one": 1, "two": 2}[dice.word("trouble")]):
        name = dice.word("kind of trouble")
        if name not in found and NEVER_WITH.get(name) not in found:
            found.append(name)
    return tuple(found)


def _met(troubles: tuple[str, ...], setting: Setting) -> tuple[str, ...]:
    """Return the troubles but for those that found nothing to trouble."""
    there = {
        "ambiguous": any(s.other and s.lies_deg is None for s in setting.stands),
        "lying": any(s.lies_deg is not None for s in setting.stands),
        "offcentre": any(not s.other for s in setting.stands),
        "foreign": bool(setting.tokens),
    }
    there |= {
        state: any(fence.state == state for fence in setting.fences)
        for state in ("half", "askew", "crossed", "flat")
    }
    return tuple(name for name in troubles if there.get(name, True))


def _strip(dice: Dice, board: Board, build: Build) -> Strip:
    if build.kind != "framed" or build.rack or build.markers == "beside":
        return Strip(False, {}, 0.0)  # there is no room for them
    how, power, rng = dice.word("leds"), dice.span("led power"), dice.rng
    if how == "none":
        return Strip(False, {}, power)
    names, side = list(frame_lights(board)), rng.choice("NESW")
    lit = {
        "dark": [],
        "some": rng.sample(names, rng.randint(1, 10)),
        "side": [name for name in names if name[0] == side],
        "all": names,
    }[how]
    several = dice.word("led colours") == "several"
    colours = list(LED_COLOURS) if several else [rng.choice(list(LED_COLOURS))]
    return Strip(True, {name: rng.choice(colours) for name in lit}, power)


def _items(
    dice: Dice, board: Board, build: Build, theme: Theme, troubles: tuple[str, ...]
) -> tuple[Item, ...]:
    if "marker covered" in troubles:
        return cover(dice, board, build, theme)
    if "on board" in troubles:
        return put_on_field(dice, board, theme)
    if "clutter" in troubles:
        return scatter(dice, board, build, theme, on_frame=True)
    if dice.word("around") == "things":
        return scatter(dice, board, build, theme, on_frame=False)
    return ()
