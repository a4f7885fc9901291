"""The light over the simulated table, and how surfaces look in it. Colours here are linear."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.sensing.camera.frame import Picture

Floats = NDArray[np.float32]
GAMMA = 2.2


@dataclass(frozen=True)
class Light:
    """One lamp or window and the light of the room.

    ``at_mm`` is where the lamp is, far away for a window. ``lamp`` and ``room`` are red, green
    and blue as the camera's white balance leaves them. ``softness`` is how fast a shadow's edge
    widens with height, ``vignette`` how dark the corners are, ``noise`` the grain in grey levels.
    """

    at_mm: tuple[float, float, float]
    lamp: tuple[float, float, float]
    room: tuple[float, float, float]
    softness: float = 0.15
    gloss: float = 1.0
    vignette: float = 0.25
    noise: float = 2.0


LIGHTS = {
    "daylight": Light(
        (-1500, 1100, 1700), (0.78, 0.8, 0.83), (0.46, 0.48, 0.52), softness=0.22, noise=1.6
    ),
    "lamp": Light(
        (260, 330, 620), (1.02, 0.83, 0.58), (0.26, 0.22, 0.17), softness=0.06, gloss=1.3
    ),
    "dim": Light(
        (-420, -250, 800),
        (0.36, 0.32, 0.26),
        (0.22, 0.2, 0.18),
        softness=0.2,
        vignette=0.38,
        noise=5.0,
    ),
    "evening": Light(
        (700, 260, 520), (0.88, 0.56, 0.32), (0.26, 0.25, 0.33), softness=0.12, noise=3.0
    ),
    "glare": Light(
        (60, 120, 900), (0.9, 0.88, 0.82), (0.4, 0.4, 0.4), softness=0.1, gloss=4.0, noise=1.6
    ),
}


def linear(colour: Sequence[int]) -> Floats:
    """Return a colour of a profile, red-green-blue to 255, as linear blue-green-red to 1."""
    red, green, blue = colour
    return ((np.array([blue, green, red], np.float32) / 255) ** GAMMA).astype(np.float32)


def bgr(strength: tuple[float, float, float]) -> Floats:
    """Return a light's strength in the picture's channel order."""
    return np.array(strength[::-1], np.float32)


def tone(shade: Floats) -> Picture:
    """Return linear light as the camera's 8 bit grey levels (tone mapping and gamma), highlights
    gently rolled off."""
    rolled = np.where(shade > 0.7, 0.7 + 0.3 * np.tanh((shade - 0.7) / 0.3), shade)
    return (np.clip(rolled, 0.0, 1.0) ** (1 / GAMMA) * 255 + 0.5).astype(np.uint8)


def towards(light: Light, points: Floats) -> tuple[Floats, Floats]:
    """Return for each point the unit way to the lamp and how strongly the lamp shines there."""
    lamp = np.array(light.at_mm, np.float32)
    way = lamp - points
    squared = np.einsum("...i,...i->...", way, way)
    reach = np.dot(lamp, lamp) / squared
    return way / np.sqrt(squared)[..., None], reach


def lit(
    light: Light,
    points: Floats,
    normals: Floats,
    views: Floats,
    albedo: Floats,
    shine: float = 0.1,
    sharpness: float = 30.0,
) -> Floats:
    """Return the linear colour of surface points: Lambert's diffuse light, the room's, and a
    specular highlight (Blinn–Phong). ``views`` are unit ways to the camera."""
    way, reach = towards(light, points)
    facing = np.clip(np.einsum("...i,...i->...", normals, way), 0, None) * reach
    sky = 0.65 + 0.35 * normals[..., 2]
    half = way + views
    half /= np.linalg.norm(half, axis=-1, keepdims=True)
    gleam = np.clip(np.einsum("...i,...i->...", normals, half), 0, 1) ** sharpness
    lamp, room = bgr(light.lamp), bgr(light.room)
    colour = albedo * (facing[..., None] * lamp + sky[..., None] * room)
    shone = colour + (shine * light.gloss * gleam * reach * (facing > 0))[..., None] * lamp
    return np.asarray(shone, np.float32)


def shadow_keep(light: Light) -> Floats:
    """Return what share of the grey level each channel keeps in full shadow on the board."""
    height = light.at_mm[2] / float(np.linalg.norm(light.at_mm))
    lamp, room = bgr(light.lamp) * height, bgr(light.room)
    return np.asarray((room / (room + lamp)) ** (1 / GAMMA), np.float32)
