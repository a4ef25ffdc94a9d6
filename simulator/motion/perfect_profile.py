"""A simulated tray's profile as calibration would find it, without a wizard and its ten throws."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from simulator import render as renderer_sources
from simulator.motion.simulated_tray import SimulatedTray
from simulator.motion.watched_tray import geometry_of_tray
from simulator.render.dice_model import DieBody, flat_die
from simulator.render.renderer import render
from simulator.render.scene import LIVE_QUALITY, Scene
from vision.errors import ProfileError
from vision.files.ordinary import remove_file
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.geometry.profile_file import load_profile, save_profile
from vision.learning import learn_dice
from vision.reading import POWER_FACES, Kind

_KINDS_SHOWN = (*5 * [Kind.BLACK], Kind.RED, Kind.POWER)


PROFILE_FILE_NAME = "rendered-{}x{}-{}.profile"
"""File name of a learnt profile: size of the pictures, and a hash of what it was learnt from."""

Draw = Callable[[Scene], Image]


def _render_live(scene: Scene) -> Image:
    return render(scene, None, None, LIVE_QUALITY)


def learn_profile(tray: SimulatedTray, size: tuple[int, int], draw: Draw = _render_live) -> Profile:
    """A profile of the true geometry, the empty tray, and how dice look in pictures of it.

    Args:
        tray: the tray; dice that lie in it are ignored.
        size: width and height of the full pictures, pixels.
        draw: draws them.
    """
    empty = replace(tray.scene(size), dice=(), hand=None, smear=())
    return learn_dice(geometry_of_tray(tray, size), *_pictures_to_learn_from(empty, draw)).profile


def kept_profile(tray: SimulatedTray, size: tuple[int, int], folder: Path) -> Profile | None:
    """The profile that `cached_profile` has kept in `folder`; None if there is none."""
    with suppress(ProfileError):
        return load_profile(_cache_file(tray, size, folder))
    return None


def cached_profile(tray: SimulatedTray, size: tuple[int, int], folder: Path) -> Profile:
    """The exact profile, cached in a file in `folder`, as drawing its pictures takes seconds.

    A different tray or renderer gets a new file; the old one is removed.
    """
    if (kept := kept_profile(tray, size, folder)) is not None:
        return kept
    file = _cache_file(tray, size, folder)
    profile = learn_profile(tray, size)
    # If there is no room for the file, the profile is learnt again next time.
    with suppress(ProfileError, OSError):
        save_profile(profile, file)
        for other in set(folder.glob(PROFILE_FILE_NAME.format(*size, "*"))) - {file}:
            remove_file(other)
    return profile


def _cache_file(tray: SimulatedTray, size: tuple[int, int], folder: Path) -> Path:
    hashed = _hash_of_scene_and_renderer(tray.scene(size))
    return folder / PROFILE_FILE_NAME.format(*size, hashed)


def _hash_of_scene_and_renderer(scene: Scene) -> str:
    """A hash of the empty tray and of the code that draws it."""
    empty = replace(scene, dice=(), hand=None, smear=())
    made_from = hashlib.sha256(repr(empty).encode())
    for source in sorted(Path(renderer_sources.__path__[0]).glob("*.py")):
        made_from.update(source.read_bytes())
    return made_from.hexdigest()[:16]


@lru_cache(maxsize=1)
def _pictures_to_learn_from(
    empty: Scene, draw: Draw
) -> tuple[Image, tuple[Image], tuple[tuple[str, tuple[Image]], ...]]:
    """Pictures of the empty tray, of one die of each kind, and of each face of the Power die."""

    def picture(*dice: DieBody) -> Image:
        return draw(replace(empty, dice=dice))

    apart = [
        flat_die(
            kind, "double" if kind is Kind.POWER else 4, (27.0 * k - 81, 9.0 * (k % 2)), 0.4 * k
        )
        for k, kind in enumerate(_KINDS_SHOWN)
    ]
    faces = tuple(
        (face, (picture(flat_die(Kind.POWER, face, (10.0 * k - 25, 8.0), 0.5 * k)),))
        for k, face in enumerate(POWER_FACES)
    )
    return picture(), (picture(*apart),), faces
