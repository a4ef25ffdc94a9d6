"""What a calibration would find out about a simulated tray, without a wizard and its ten throws."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from appliance.simulator.motion.simulated_tray import SimulatedTray
from appliance.simulator.motion.watched_tray import profile_of
from appliance.simulator.render.dice_model import DieBody, lying
from appliance.simulator.render.quality import LIVE
from appliance.simulator.render.renderer import render
from appliance.simulator.render.scene import Scene
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.learning import learn_dice
from vision.reading import POWER_FACES, Kind

_SHOWN = (*5 * [Kind.BLACK], Kind.RED, Kind.POWER)


Draw = Callable[[Scene], Image]


def _drawn(scene: Scene) -> Image:
    return render(scene, None, None, LIVE)


def learnt_profile(tray: SimulatedTray, size: tuple[int, int], draw: Draw = _drawn) -> Profile:
    """The true geometry, the empty tray, and the looks of the dice in pictures of it.

    Args:
        tray: the tray; dice that lie in it are not seen.
        size: width and height of the full pictures, pixels.
        draw: makes them.
    """
    empty = replace(tray.scene(size), dice=(), hand=None, smear=())
    return learn_dice(profile_of(tray, size), *_seen(empty, draw)).profile


@lru_cache(maxsize=1)
def _seen(empty: Scene, draw: Draw) -> tuple[Image, Image, tuple[tuple[str, Image], ...]]:
    """Pictures of the empty tray, of one die of each kind, and of each face of the Power die."""

    def picture(*dice: DieBody) -> Image:
        return draw(replace(empty, dice=dice))

    apart = [
        lying(kind, "double" if kind is Kind.POWER else 4, (27.0 * k - 81, 9.0 * (k % 2)), 0.4 * k)
        for k, kind in enumerate(_SHOWN)
    ]
    faces = tuple(
        (face, picture(lying(Kind.POWER, face, (10.0 * k - 25, 8.0), 0.5 * k)))
        for k, face in enumerate(POWER_FACES)
    )
    return picture(), picture(*apart), faces
