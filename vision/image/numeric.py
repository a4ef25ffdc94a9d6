"""The sRGB curve between grey levels and light (IEC 61966-2-1)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]


def light_of(levels: ArrayLike) -> FloatArray:
    """Grey levels, 0 to 255, as light, 0 to 1."""
    share = np.clip(np.asarray(levels, np.float64), 0, 255) / 255
    return np.asarray(np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4))


def levels_of(light: ArrayLike) -> FloatArray:
    """Light, 0 to 1, as grey levels, 0 to 255."""
    share = np.clip(np.asarray(light, np.float64), 0, 1)
    curve = np.where(share <= 0.0031308, share * 12.92, 1.055 * share ** (1 / 2.4) - 0.055)
    return np.asarray(curve * 255)
