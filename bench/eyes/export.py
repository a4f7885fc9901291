"""From a trained net to the file that OpenCV reads: calibrated, and half as large."""

import copy
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from bench.eyes.augment import SIZE
from bench.eyes.net import PLANES, Net
from companion.sensing.vision.net import maps_of

OPSET = 13  # the newest that OpenCV 4.8 reads
LEAST_SHORTENED = 256  # numbers of an array, from which half precision is worth its while


def export(net: Net, path: Path, warmth: Mapping[str, float]) -> None:
    """Write the net as OpenCV reads it, its logits divided by the temperature of their head."""
    write(calibrated(net, warmth).eval(), (PLANES, SIZE, SIZE), path, ("flat", "answers"))


def write(net: nn.Module, shape: tuple[int, ...], path: Path, names: tuple[str, str]) -> None:
    """Write any net as OpenCV reads it: the shape of its input, the names of input and output."""
    torch.onnx.export(
        net,
        (torch.zeros(1, *shape),),
        str(path),
        opset_version=OPSET,
        dynamo=False,
        input_names=names[:1],
        output_names=names[1:],
    )
    model = onnx.load(str(path))
    shorten(model)
    onnx.save(model, str(path))


def calibrated(net: Net, warmth: Mapping[str, float]) -> Net:
    """Return a copy of the net that is as sure as it is right (temperature scaling)."""
    cooler = copy.deepcopy(net).to(memory_format=torch.contiguous_format)
    with torch.no_grad():
        for name, value in warmth.items():
            cooler.head.weight[maps_of(name)] /= value
            cooler.head.bias[maps_of(name)] /= value
    return cooler


def shorten(model: onnx.ModelProto) -> None:
    """Keep large arrays in half precision; they are cast to full precision when loaded."""
    kept, casts = [], []
    for array in model.graph.initializer:
        values = numpy_helper.to_array(array)
        if values.dtype == np.float32 and values.size > LEAST_SHORTENED:
            short = f"{array.name}.half"
            kept.append(numpy_helper.from_array(values.astype(np.float16), short))
            casts.append(helper.make_node("Cast", [short], [array.name], to=TensorProto.FLOAT))
        else:
            kept.append(array)
    nodes = [*casts, *model.graph.node]
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept)
    model.graph.node.extend(nodes)
