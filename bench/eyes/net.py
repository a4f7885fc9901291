"""The net: one backbone over the flat picture that answers everywhere.

The picture is cut into patches of 4 × 4 pixels, and brought down to one step every 16 (``STRIDE``)
by convolutions whose answers are averaged two by two, which OpenCV does in a third of the time that
strided ones take; residual blocks with growing dilation look around. Two kinds of context are mixed
in: the mean of the whole field tells what board and light it is, and the mean of all places of the
same sort (one pitch apart in the lattice) tells how such a place usually looks on this board: a
print that is on every square is no pellet. The answers are maps; whoever asks reads them off at the
places of the board.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from companion.sensing.vision.net import HEADS, STRIDE
from companion.sensing.vision.sheet import PX

PLANES = 5


class Block(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.one = nn.Conv2d(width, width, 3, padding=dilation, dilation=dilation, bias=False)
        self.first = nn.BatchNorm2d(width)
        self.two = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second = nn.BatchNorm2d(width)

    def forward(self, x: Tensor) -> Tensor:
        """Return the same map, thought over once more."""
        y = F.relu(self.first(self.one(x)))
        return F.relu(x + self.second(self.two(y)))


class Context(nn.Module):
    """Adds what the whole field says to every step of it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mix = nn.Conv2d(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return the map with its own mean mixed in."""
        return x + F.relu(self.mix(x.mean(dim=(2, 3), keepdim=True)))


class Typical(nn.Module):
    """Adds to every step what those one, two, three pitches away say on average; ``period`` is how
    many steps a pitch has. It starts without a say."""

    def __init__(self, width: int, period: int) -> None:
        super().__init__()
        self.period = period
        self.mix = nn.Conv2d(width, width, 1, bias=False)
        nn.init.zeros_(self.mix.weight)

    def forward(self, x: Tensor) -> Tensor:
        """Return the map with its periodic mean mixed in.

        By pooling and joining: OpenCV 4.8 gets means over several axes and tiles wrong.
        """
        count, width, rows, columns = x.shape
        period, down, right = self.period, rows // self.period, columns // self.period
        rows_of = F.avg_pool2d(x.reshape(count, width, down, period * columns), (down, 1))
        both = F.avg_pool2d(rows_of.reshape(count, width * period, right, period), (right, 1))
        typical = self.mix(both.reshape(count, width, period, period))
        typical = torch.cat([typical] * down, dim=2)
        return x + torch.cat([typical] * right, dim=3)


class Net(nn.Module):
    """From a flat picture with its lean, (n, 5, rows, columns), to maps of answers."""

    def __init__(self, width: int = 80, middle: int = 64, fine: int = 32, finest: int = 16) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            *self._patches(PLANES, finest),
            *self._patches(finest, fine),
            *self._halved(fine, middle),
            Block(middle),
            Typical(middle, 2 * PX // STRIDE),
            Block(middle),
            Block(middle),
            *self._halved(middle, width),
        )
        self.trunk = nn.Sequential(
            Block(width, 1),
            Typical(width, PX // STRIDE),
            Block(width, 2),
            Context(width),
            Block(width, 4),
            Block(width, 2),
            Context(width),
            Typical(width, PX // STRIDE),
            Block(width, 1),
        )
        self.head = nn.Conv2d(width, sum(HEADS.values()), 1)

    @staticmethod
    def _patches(before: int, after: int) -> tuple[nn.Module, ...]:
        conv = nn.Conv2d(before, after, 2, stride=2, bias=False)
        return conv, nn.BatchNorm2d(after), nn.ReLU()

    @staticmethod
    def _halved(before: int, after: int) -> tuple[nn.Module, ...]:
        conv = nn.Conv2d(before, after, 3, padding=1, bias=False)
        return conv, nn.BatchNorm2d(after), nn.AvgPool2d(2), nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        """Return the maps, (n, answers, rows / STRIDE, columns / STRIDE)."""
        out: Tensor = self.head(self.trunk(self.stem(x)))
        return out
