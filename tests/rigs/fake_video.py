"""Films that Chromium shows as its camera (`--use-file-for-fake-video-capture`)."""

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Image

RATE = 30
"""Pictures a second that Chromium plays (media/capture/video/file_video_capture_device.cc)."""
_NOISES = 4


def write_film(path: Path, parts: Iterable[tuple[Image, float]]) -> Path:
    """Writes a film of pictures, each with a sensor's noise for so many seconds; it is repeated."""
    with path.open("wb") as file:
        for image, seconds in parts:
            noisy = [_with_noise(image, number) for number in range(_NOISES)]
            for number in range(round(seconds * RATE)):
                file.write(noisy[number % _NOISES])
    return path


def _with_noise(image: Image, seed: int) -> bytes:
    noise = np.random.default_rng(seed).integers(0, 3, image.shape, np.uint8)
    _, data = cv2.imencode(".jpg", image + np.minimum(noise, 255 - image))
    return data.tobytes()


def chromium_arguments(film: Path | None) -> list[str]:
    """The arguments that make Chromium's only camera show a film, without asking anybody.

    Without a film there are three cameras, whose pictures Chromium draws.
    """
    cameras = (
        ("=device-count=3",) if film is None else ("", f"--use-file-for-fake-video-capture={film}")
    )
    return [
        "--no-sandbox",
        # For the whole browser: with a page's own setting, 3 of 12 words that it was closed were
        # lost.
        "--ignore-certificate-errors",
        "--use-fake-ui-for-media-stream",
        f"--use-fake-device-for-media-stream{cameras[0]}",
        *cameras[1:],
    ]
