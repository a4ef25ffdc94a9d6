"""A small network as the reader runs it."""

from contextlib import suppress
from functools import lru_cache
from importlib import resources

import cv2
import numpy as np

from vision.frame import Image
from vision.image.arrays import Float32Array, FloatArray

MAX_BATCH_PATCHES = 8
"""More take a lot of memory, and no less time each."""

MIDDLE_LEVEL = 127.5
"""Is 0 for the networks, and black is -0.5."""


def _read_weights(weights: str) -> bytes:
    return resources.files("vision.classify.weights").joinpath(weights).read_bytes()


class Network:
    """Weights, a file of `vision/classify/weights`, run by OpenCV on the CPU."""

    def __init__(self, weights: str) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(_read_weights(weights), dtype=np.uint8))

    def ask(self, blob: Float32Array) -> FloatArray:
        """The network's output for patches (n, channels, height, width): (n, outputs)."""
        starts = range(0, len(blob), MAX_BATCH_PATCHES)
        parts = [self._infer(blob[start : start + MAX_BATCH_PATCHES]) for start in starts]
        return np.concatenate(parts).astype(np.float64)

    def _infer(self, blob: Float32Array) -> Float32Array:
        self._net.setInput(blob)
        return np.array(self._net.forward(), np.float32)


class OnnxRuntime(Network):
    """A network run by ONNX Runtime, which is faster; raises ImportError where it is missing."""

    def __init__(self, weights: str) -> None:
        import onnxruntime

        # It warns where it finds no graphics card, as on a Pi.
        onnxruntime.set_default_logger_severity(3)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        only = ["CPUExecutionProvider"]
        self._session = onnxruntime.InferenceSession(_read_weights(weights), options, only)

    def _infer(self, blob: Float32Array) -> Float32Array:
        return np.asarray(self._session.run(None, {"x": blob})[0], np.float32)


@lru_cache(maxsize=4)
def network(weights: str) -> Network:
    """The network in a file, run by the faster engine; all callers share it."""
    with suppress(ImportError):
        return OnnxRuntime(weights)
    return Network(weights)


def planes_of(patches: Image) -> Image:
    """The colours of patches (n, height, width, 3) one by one: (n, 3, height, width)."""
    count, height, width = patches.shape[:3]
    planes = np.empty((3, count * height, width), np.uint8)
    cv2.split(patches.reshape(-1, width, 3), list(planes))
    return planes.reshape(3, count, height, width).transpose(1, 0, 2, 3)


def centred(patches: Image) -> Float32Array:
    """The input of networks that see nothing but patches (n, height, width, 3): by colour, centred.

    The values are those of OpenCV's `blobFromImages`, which takes many times as long.
    """
    planes = planes_of(patches)
    blob = np.empty(planes.shape, np.float32)
    blob[:] = planes
    blob -= np.float32(MIDDLE_LEVEL)
    blob *= np.float32(1 / 255)
    return blob


def softmax(logits: FloatArray) -> FloatArray:
    """Probabilities (n, k) of logits (n, k)."""
    power = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(power / power.sum(axis=1, keepdims=True), dtype=np.float64)
