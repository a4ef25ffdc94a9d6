#!/bin/sh
# One would guess: cv2.dnn.readNetFromONNX(onnx, engine=cv2.dnn.ENGINE_CLASSIC) reads with that engine
# whether `onnx` is a file's name or its bytes. From bytes it reads with the new one, whose layers
# have other names and no weights, and says nothing.
# Seen with opencv-python-headless 5.0.0.93 on x86-64.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet "opencv-python-headless==${OPENCV:-5.0.0.93}" numpy onnx
cd "$folder"
"$folder/venv/bin/python" - <<'PYTHON'
import sys

import cv2
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

weights = numpy_helper.from_array(np.ones((2, 1, 3, 3), np.float32), "w")
graph = helper.make_graph(
    [helper.make_node("Conv", ["x", "w"], ["c"]), helper.make_node("Relu", ["c"], ["y"])],
    "small",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 8, 8])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2, 6, 6])],
    [weights],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
onnx.save(model, "small.onnx")


def with_weights(net):
    return sum(bool(net.getLayer(name).blobs) for name in net.getLayerNames())


classic = cv2.dnn.ENGINE_CLASSIC
seen = (
    with_weights(cv2.dnn.readNetFromONNX("small.onnx", engine=classic)),
    with_weights(cv2.dnn.readNetFromONNX(np.fromfile("small.onnx", np.uint8), engine=classic)),
)
print("OpenCV", cv2.__version__, "layers with weights, from the file and from its bytes:", seen)
sys.exit(seen != (1, 0))
PYTHON
