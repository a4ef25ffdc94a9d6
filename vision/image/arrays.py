"""The types of arrays; shapes stand where they are used."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
"""Places, axes, measurements."""

Float32Array = NDArray[np.float32]
"""Pictures that are calculated with, and what networks take and give."""

Floats = NDArray[np.floating[Any]]
"""Either of them."""

BoolArray = NDArray[np.bool_]
"""Which of them."""

IndexArray = NDArray[np.intp]
"""Places in another array."""

GreyImage = NDArray[np.uint8]
"""A picture of one channel, (height, width), 0 to 255."""

Mask = NDArray[np.uint8]
"""One byte a pixel, (height, width); 0 is no, 255 is yes."""
