"""A scene: everything a picture of the tray depends on, and how much work goes into the picture."""

from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from simulator.render.dice_model import DieBody
from simulator.render.hand import HandPose
from simulator.render.light import Light, Lighting
from simulator.render.pinhole import CameraModel, look_down
from simulator.render.prints import Print
from simulator.render.sensor import Sensor
from simulator.render.tray_model import TrayModel
from vision.geometry.profile import Profile
from vision.image.arrays import Floats

STANDARD_LIGHTING = Lighting(
    lights=(
        Light(position=(-420.0, -520.0, -1500.0), radius=140.0, power=(1.5, 1.6, 1.7)),
        Light(position=(0.0, 0.0, -370.0), radius=75.0, hole=55.0, power=(0.55, 0.55, 0.55)),
    ),
    ambient=(0.75, 0.72, 0.70),
)
"""A ceiling lamp and the diffuse ring round the camera."""


class Cover(Protocol):
    """Something that is held over the tray."""

    def shade(self, points: Floats, lamps: Floats) -> Floats:
        """Share of lamps (n, 3) that it hides from points (rows, columns, 3)."""

    def draw(self, picture: Floats, scene: "Scene") -> None:
        """Draws it over the picture, in place."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Where moving things are at one instant of an exposure."""

    dice: tuple[DieBody, ...]
    hand: HandPose | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A tray, what lies in it, the light on it and the camera above.

    Attributes:
        camera: geometry of the camera.
        tray: the tray and the table.
        lighting: the light.
        dice: the dice, at the middle of the exposure.
        hand: the hand, if there is one.
        card: what is held over the tray, if there is one.
        sensor: what the camera does to the light.
        smear: instants of the exposure, each with the same dice in the same order; empty for a
            picture without motion blur.
        prints: sheets on the rim and in the tray, the lower ones first.
    """

    camera: CameraModel = field(default_factory=look_down)
    tray: TrayModel = field(default_factory=TrayModel)
    lighting: Lighting = STANDARD_LIGHTING
    dice: tuple[DieBody, ...] = ()
    hand: HandPose | None = None
    card: Cover | None = None
    sensor: Sensor = field(default_factory=Sensor)
    smear: tuple[Moment, ...] = ()
    prints: tuple[Print, ...] = ()

    def moments(self) -> tuple[Moment, ...]:
        """The instants that a picture is averaged over, at least one."""
        return self.smear or (Moment(self.dice, self.hand),)

    def with_size(self, size: tuple[int, int]) -> "Scene":
        """This scene in a picture of another size (width, height)."""
        return replace(self, camera=self.camera.resized(size))


def with_exposure_share(scene: Scene, share: float) -> Scene:
    """A scene with a share of its exposure."""
    sensor = replace(scene.sensor, exposure=scene.sensor.exposure * share)
    return scene if share == 1.0 else replace(scene, sensor=sensor)


def pixels_per_mm(scene: Scene) -> float:
    """Scale of the picture at the centre of the floor."""
    distance = float(sum(a**2 for a in scene.camera.position))
    return float(scene.camera.focal[0] / distance**0.5)


def camera_parameters(scene: Scene, size: tuple[int, int] | None = None) -> Profile:
    """The profile of a perfect calibration: the geometry alone, for pictures of (width, height).

    Profiles and scenes share the world's frame: millimetres, x right and y down in the
    picture, z into the floor.
    """
    camera = scene.camera.resized(size) if size else scene.camera
    return Profile(
        size=camera.size,
        camera=camera.matrix,
        distortion=np.array(camera.distortion),
        rotation=np.array(camera.rotation),
        translation=np.array(camera.translation),
        tray=scene.tray.corners[:, :2].astype(np.float64),
    )


@dataclass(frozen=True, slots=True)
class Quality:
    """How much work goes into a picture.

    Attributes:
        oversample: rays per pixel and axis on dice.
        shadow_rays: rays per light for the shadows of dice.
        background_rays: rays per light for the shadows of the tray.
        fast: takes noise from a cached field and omits bloom and colour fringes.
    """

    oversample: int = 3
    shadow_rays: int = 16
    background_rays: int = 24
    fast: bool = False


STILL_QUALITY = Quality()
LIVE_QUALITY = Quality(oversample=2, shadow_rays=4, background_rays=24, fast=True)

GLANCE_QUALITY = Quality(oversample=1, shadow_rays=2, background_rays=6, fast=True)
"""For small pictures that are only compared with one another, never read."""
