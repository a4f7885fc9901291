"""The nets for dice: one finds them in a picture, one reads a die that was cut out."""

from torch import Tensor, nn

from bench.eyes.net import Block
from companion.sensing.dice.net import MAPS, NONE


def step(before: int, after: int, reach: int, stride: int = 1) -> tuple[nn.Module, ...]:
    """Return a convolution with what follows on it."""
    return (
        nn.Conv2d(before, after, reach, stride, padding=(reach - 1) // 2, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(),
    )


class FinderNet(nn.Module):
    """From a picture, (n, 3, rows, columns), to maps of answers, an eighth of its size."""

    def __init__(self, finest: int = 20, fine: int = 32, width: int = 56) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            *step(3, finest, 4, 2),
            *step(finest, fine, 4, 2),
            Block(fine),
            *step(fine, width, 4, 2),
            Block(width),
            Block(width),
        )
        self.head = nn.Conv2d(width, MAPS, 1)
        nn.init.constant_(self.head.bias[:1], -3.0)

    def forward(self, x: Tensor) -> Tensor:
        """Return the maps, (n, MAPS, rows / STRIDE, columns / STRIDE)."""
        out: Tensor = self.head(self.trunk(x))
        return out


class ReaderNet(nn.Module):
    """From cut-outs, (n, 3, CLOSE, CLOSE), to logits of the values and of none."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            *step(3, 16, 4, 2),
            *step(16, 24, 3),
            *step(24, 48, 4, 2),
            *step(48, 48, 3),
            *step(48, 64, 3, 2),
        )
        self.head = nn.Conv2d(64, NONE + 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return the logits, (n, NONE + 1, 1, 1)."""
        seen = self.trunk(x)
        out: Tensor = self.head(nn.functional.avg_pool2d(seen, seen.shape[-1]))
        return out
