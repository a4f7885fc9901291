"""The net: one backbone over the flat picture that answers everywhere.

Three strided convolutions bring the picture down to one step every 8 pixels (``STRIDE``); residual
blocks with growing dilation look around, and the mean of the whole field, added once, tells what
kind of board and light it is. The answers are maps; whoever asks reads them off at the places of
whatever board it is.
"""

from torch import Tensor, nn
from torch.nn import functional as F

from companion.sensing.vision.net import HEADS

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


class Net(nn.Module):
    """From a flat picture with its lean, (n, 5, rows, columns), to maps of answers."""

    def __init__(self, width: int = 80, middle: int = 64, fine: int = 32) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(PLANES, fine, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(fine),
            nn.ReLU(),
            nn.Conv2d(fine, middle, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(middle),
            nn.ReLU(),
            Block(middle),
            Block(middle),
            Block(middle),
            nn.Conv2d(middle, width, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
        )
        self.trunk = nn.Sequential(
            Block(width, 1),
            Block(width, 2),
            Context(width),
            Block(width, 4),
            Block(width, 2),
            Context(width),
            Block(width, 1),
        )
        self.head = nn.Conv2d(width, sum(HEADS.values()), 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return the maps, (n, answers, rows / 8, columns / 8)."""
        out: Tensor = self.head(self.trunk(self.stem(x)))
        return out
