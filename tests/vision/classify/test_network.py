import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.paths import ROOT
from vision.classify.network import (
    MAX_BATCH_PATCHES,
    Network,
    OnnxRuntime,
    centred,
    network,
)


@pytest.mark.parametrize(
    ("weights", "shape"), [("faces.onnx", (3, 48)), ("postures.onnx", (5, 64))]
)
def test_both_engines_say_the_same(weights: str, shape: tuple[int, int]) -> None:
    channels, side = shape
    rng = np.random.default_rng(4)
    patches = rng.normal(size=(11, channels, side, side)).astype(np.float32)
    expected = Network(weights).ask(patches)
    found = OnnxRuntime(weights).ask(patches)
    assert found.shape == expected.shape
    # Values between two 8-bit steps may be rounded either way.
    assert np.abs(found - expected).max() < 0.01 * np.abs(expected).max()


@pytest.fixture
def fresh() -> Iterator[None]:
    network.cache_clear()
    yield
    network.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_the_quicker_engine_is_taken_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(network("faces.onnx")) is OnnxRuntime
    network.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert type(network("faces.onnx")) is Network


@pytest.mark.parametrize("engine", [Network, OnnxRuntime])
def test_many_patches_are_asked_about_a_few_at_a_time(
    engine: type[Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    run = engine._infer

    def counted(self: Network, blob: np.ndarray) -> np.ndarray:
        asked.append(len(blob))
        return run(self, blob)

    monkeypatch.setattr(engine, "_infer", counted)
    patches = np.random.default_rng(5).normal(size=(2 * MAX_BATCH_PATCHES + 3, 3, 48, 48))
    found = engine("faces.onnx").ask(patches.astype(np.float32))
    assert asked == [MAX_BATCH_PATCHES, MAX_BATCH_PATCHES, 3]
    assert len(found) == len(patches)


@pytest.mark.parametrize("shape", [(1, 5, 7), (9, 48, 48)])
def test_networks_are_shown_what_opencv_would_make_of_patches(shape: tuple[int, ...]) -> None:
    patches = np.random.default_rng(1).integers(0, 256, (*shape, 3), np.uint8)
    blob = cv2.dnn.blobFromImages(list(patches), 1 / 255, mean=(127.5, 127.5, 127.5))
    assert np.array_equal(centred(patches), blob)


RUN = """
import numpy as np
from vision.classify.network import OnnxRuntime
OnnxRuntime("faces.onnx").ask(np.zeros((1, 3, 48, 48), np.float32))
"""


def test_running_a_network_leaves_no_file(tmp_path: Path) -> None:
    """ONNX Runtime that reports to its maker keeps a session in a file.

    Where it believes to be tested, it does not; so the variables that say so are left out.
    """
    told = ("CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS")
    env = {name: value for name, value in os.environ.items() if name not in told}
    env |= {"TMPDIR": str(tmp_path), "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-B", "-c", RUN], cwd=ROOT, env=env, check=True)
    assert list(tmp_path.iterdir()) == []
