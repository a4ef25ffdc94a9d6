"""Array types; shapes are given where the arrays are used."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
"""Places, axes, measurements."""

Float32Array = NDArray[np.float32]
"""Pictures used in computations, and the networks' inputs and outputs."""

Floats = NDArray[np.floating[Any]]
"""Either of them."""

BoolArray = NDArray[np.bool_]
"""Which elements are meant."""

IndexArray = NDArray[np.intp]
"""Indices into another array."""

GreyImage = NDArray[np.uint8]
"""A picture of one channel, (height, width), 0 to 255."""

Mask = NDArray[np.uint8]
"""One byte per pixel, (height, width); 0 is no, 255 is yes."""
