"""Draws scenes in a process of its own, so that its caches do not count as the appliance's."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from simulator.render.renderer import render
from simulator.render.scene import Quality, Scene
from vision.frame import Image


def _draw(scene: Scene, seed: int, quality: Quality) -> Image:
    return render(scene, None, np.random.default_rng(seed), quality)


class RenderProcess:
    """Draws one scene after another; its process starts with the first."""

    def __init__(self) -> None:
        # Spawned: a fork would inherit the threads' locks.
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        self._pid = 0

    def draw(self, scene: Scene, seed: int, quality: Quality) -> Image:
        """The scene's picture; returns when it is drawn."""
        self._pid = self._pid or self._pool.submit(os.getpid).result()
        return self._pool.submit(_draw, scene, seed, quality).result()

    @property
    def cpu_s(self) -> float:
        """Processor time that it has taken, seconds."""
        if not self._pid:
            return 0.0
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """Ends the process."""
        self._pool.shutdown()
