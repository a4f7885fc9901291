"""How the field of a magnet in a piece's foot falls off at the sensors under the board."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

SENSOR_DEPTH_MM = 12.0  # from the magnet of a piece that stands on the board down to the sensor


def fall(aside_mm: ArrayLike, height_mm: ArrayLike = 0.0) -> NDArray[np.float64]:
    """Return the upright part of a dipole's field, 1 right over the sensor on the board's top.

    It sinks with the cube of the distance and turns its sign, very weak, beyond about 17 mm
    aside: a neighbour's magnet is felt a little, the other way round.
    """
    aside2 = np.square(np.asarray(aside_mm, dtype=np.float64))
    depth = SENSOR_DEPTH_MM + np.asarray(height_mm, dtype=np.float64)
    depth2 = depth * depth
    return np.asarray(SENSOR_DEPTH_MM**3 / 2 * (2 * depth2 - aside2) / (depth2 + aside2) ** 2.5)
