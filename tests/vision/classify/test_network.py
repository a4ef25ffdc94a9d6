import numpy as np
import pytest

from vision.classify.network import Network, OnnxRuntime


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
    assert np.abs(found - expected).max() < 1e-3 * max(1.0, np.abs(expected).max())
