"""A net with weights that were learned before: of a checkpoint, or of the file for OpenCV."""

import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from google.protobuf.message import DecodeError
from onnx import numpy_helper
from torch import nn

from bench.eyes.net import Net
from companion.errors import CompanionError

WRONG = (OSError, RuntimeError, LookupError, TypeError, pickle.UnpicklingError, DecodeError)


class WeightsError(CompanionError, ValueError):
    """A file of weights that this net cannot begin with."""


def begun_with(path: Path) -> Net:
    """Return a net with the weights of a file, as wide as they are; WeightsError if they are not
    those of such a net."""
    try:
        return (_unfolded if path.suffix == ".onnx" else _restored)(path)
    except WRONG as error:
        line = (str(error).splitlines() or [type(error).__name__])[0].split(". ")[0]
        raise WeightsError(f"{path} has no weights of this net: {line}") from error


def _restored(path: Path) -> Net:
    """Return a net with the averaged weights of a checkpoint."""
    averaged = torch.load(path, weights_only=True)["best"]
    named = {name.removeprefix("module."): part for name, part in averaged.items() if "." in name}
    finest, fine, middle = (len(named[f"stem.{n}.weight"]) for n in (0, 3, 6))
    net = Net(named["head.weight"].shape[1], middle, fine, finest)
    net.load_state_dict(named)
    return net


def _unfolded(path: Path) -> Net:
    """Return a net with the weights of an exported one.

    Its batch normalisations were folded into the convolutions before them, so they are made to add
    what was left of them and to scale nothing.
    """
    folded = list(_convolutions(onnx.load(str(path))))
    finest, fine, middle = (len(weight) for weight, _ in folded[:3])
    net = Net(folded[-1][0].shape[1], middle, fine, finest)
    parts = [part for part in net.modules() if isinstance(part, nn.Conv2d)]
    scales = dict(_pairs(net))
    if len(folded) != len(parts):
        raise RuntimeError(f"expected {len(parts)} convolutions, got {len(folded)}")
    with torch.no_grad():
        for conv, (weight, bias) in zip(parts, folded, strict=True):
            _copy(conv.weight, weight)
            scale = scales.get(conv)
            added = conv.bias if scale is None else scale.bias
            if added is not None and bias is not None:
                _copy(added, bias)
            if scale is not None:
                scale.weight.fill_((1 + scale.eps) ** 0.5)
    return net


def _pairs(net: Net) -> Iterator[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Yield each convolution with the batch normalisation behind it, if it has one."""
    before: nn.Module | None = None
    for part in net.modules():
        if isinstance(part, nn.BatchNorm2d) and isinstance(before, nn.Conv2d):
            yield before, part
        before = part


def _copy(target: torch.Tensor, values: np.ndarray) -> None:
    if tuple(target.shape) != values.shape:
        raise RuntimeError(f"expected weights of shape {tuple(target.shape)}, got {values.shape}")
    target.copy_(torch.from_numpy(values.astype(np.float32)))


def _convolutions(model: onnx.ModelProto) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
    """Yield weights and biases, if they have any, in the order of the convolutions; some are kept
    in half precision and cast when they are loaded."""
    arrays = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type in ("Cast", "Identity") and node.input[0] in arrays:
            arrays[node.output[0]] = arrays[node.input[0]]
    for node in model.graph.node:
        if node.op_type == "Conv":
            weight, *bias = (arrays[name] for name in node.input[1:])
            yield weight, bias[0] if bias else None
