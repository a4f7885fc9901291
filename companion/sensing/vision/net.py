"""The trained net, run by OpenCV: a flat picture in, maps of answers out."""

from pathlib import Path

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture

WEIGHTS = Path(__file__).with_name("eyes.onnx")


class Net:
    """One net on one thread; :data:`WEIGHTS` are trained by ``make eyes``."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        # OpenCV 5 has two engines: its new one takes half as long again for this net.
        engine = [cv2.dnn.ENGINE_CLASSIC] if hasattr(cv2.dnn, "ENGINE_CLASSIC") else []
        self._net = cv2.dnn.readNetFromONNX(str(weights), *engine)

    def answer(self, laid: Picture, lean: Array) -> Array:
        """Return the maps for a flat picture and how far things lean in it."""
        planes = np.empty((1, 5, *laid.shape[:2]), np.float32)
        np.divide(np.moveaxis(laid, -1, 0), np.float32(255), out=planes[0, :3])
        planes[0, 3:] = lean
        self._net.setInput(planes)
        maps: Array = np.asarray(self._net.forward(), np.float32)[0]
        return maps
