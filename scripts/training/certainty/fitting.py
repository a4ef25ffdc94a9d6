"""Logistic regression with non-negative weights: more evidence never speaks against a value."""

import numpy as np

from vision.image.arrays import BoolArray, FloatArray

WEIGHT_PENALTY = 0.1
"""Strength of the quadratic penalty on weights."""
MAX_NEWTON_STEPS = 60


def fit(seen: FloatArray, good: BoolArray, weight: FloatArray) -> FloatArray:
    """Fits the weights of the evidence by maximum likelihood; the best log odds come last.

    Args:
        seen: the evidence of each die, (dice, pieces).
        good: whether what the evidence speaks for is true of each, (dice,).
        weight: how much each counts, (dice,).

    Source: D. P. Bertsekas, Projected Newton methods for optimization problems with simple
    constraints, SIAM Journal on Control and Optimization 20 (1982), 221-246.
    """
    count, pieces = seen.shape
    known = np.concatenate([seen, np.ones((count, 1))], axis=1)
    sign = np.where(good, 1.0, -1.0)
    small = np.append(np.full(pieces, WEIGHT_PENALTY), 0.0)

    def loss(at: FloatArray) -> float:
        lost = weight * np.logaddexp(0, -sign * (known @ at))
        return float(lost.sum() + (small * at**2).sum())

    at = np.append(np.full(pieces, 0.3), -1.0)
    now = loss(at)
    for _ in range(MAX_NEWTON_STEPS):
        doubt = 1 / (1 + np.exp(np.clip(sign * (known @ at), -500, 500)))
        slope = -known.T @ (weight * sign * doubt) + 2 * small * at
        free = (at > 0) | (slope < 0)
        free[-1] = True
        part = known[:, free]
        curved = part.T @ (part * (weight * doubt * (1 - doubt))[:, None])
        curved[np.diag_indices_from(curved)] += 2 * small[free] + 1e-9
        step = np.zeros_like(at)
        step[free] = -np.linalg.solve(curved, slope[free])
        share = 1.0
        while share > 1e-9:
            tried = at + share * step
            tried[:-1] = np.maximum(tried[:-1], 0)
            then = loss(tried)
            if then < now:
                break
            share /= 2
        if share <= 1e-9 or now - then < 1e-9 * now:
            break
        at, now = tried, then
    return at
