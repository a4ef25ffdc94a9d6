"""Least squares by Levenberg's and Marquardt's method, with the spread of what was found.

Each value known beforehand enters as one more residual, in units of its doubt.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.image.arrays import FloatArray

_MAX_ITERATIONS = 200  # a known lens takes some ten, one that is not up to a hundred

Residuals = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The unknowns that explain best what was seen.

    Attributes:
        x: their values, (n,).
        residuals: that remain, in units of their doubts.
        jacobian: of the residuals there, (residuals, n).
    """

    x: FloatArray
    residuals: FloatArray
    jacobian: FloatArray

    def covariance(self, seen: int) -> FloatArray:
        """Of the unknowns, (n, n).

        Args:
            seen: how many residuals, from the first, are of what was seen: where they are larger
                than their doubts predict, the result is trusted less.
        """
        off = self.residuals[:seen]
        worse = max(1.0, float(off @ off) / max(1, seen - len(self.x)))
        normal = self.jacobian.T @ self.jacobian
        regular = normal + 1e-12 * np.diag(np.diag(normal))
        return np.asarray(worse * np.linalg.inv(regular), np.float64)


def jacobian_of(of: Residuals, x: FloatArray, steps: FloatArray) -> FloatArray:
    """The Jacobian of `of` by finite differences, (values, unknowns)."""
    here = of(x)
    columns = []
    for k, step in enumerate(steps):
        moved = x.copy()
        moved[k] += step
        columns.append((of(moved) - here).ravel() / step)
    return np.stack(columns, axis=1)


def fit(of: Residuals, start: FloatArray, steps: FloatArray) -> Fit:
    """The unknowns with the smallest sum of squares.

    Args:
        of: residuals of some unknowns, in units of their doubts.
        start: where the search begins, (n,).
        steps: for finite differences of each unknown, (n,).
    """
    x, here = start, of(start)
    damping = 1e-3
    jacobian = jacobian_of(of, x, steps)
    for _ in range(_MAX_ITERATIONS):
        normal = jacobian.T @ jacobian
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -(jacobian.T @ here))
        there = of(x + step)
        if there @ there < here @ here:
            better = here @ here - there @ there
            x, here = x + step, there
            damping = max(damping / 10, 1e-12)
            if better < 1e-9 * (1 + here @ here):
                break
            jacobian = jacobian_of(of, x, steps)
        else:
            damping *= 10
            if damping > 1e12:
                break
    return Fit(x, here, jacobian_of(of, x, steps))
