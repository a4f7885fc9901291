"""The net for dice: four strided steps' worth of looking closer, then whole dice at once."""

from torch import Tensor, nn

from bench.eyes.net import Block
from companion.sensing.dice.net import MAPS


class Net(nn.Module):
    """From a picture, (n, 3, rows, columns), to maps of answers, an eighth of its size."""

    def __init__(self, finest: int = 20, fine: int = 32, width: int = 64) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            *self._step(3, finest),
            *self._step(finest, fine),
            Block(fine),
            *self._step(fine, width),
            Block(width),
            Block(width),
            Block(width),
        )
        self.head = nn.Conv2d(width, MAPS, 1)
        nn.init.constant_(self.head.bias[:1], -3.0)

    @staticmethod
    def _step(before: int, after: int) -> tuple[nn.Module, ...]:
        return (
            nn.Conv2d(before, after, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return the maps, (n, MAPS, rows / STRIDE, columns / STRIDE)."""
        out: Tensor = self.head(self.trunk(x))
        return out
