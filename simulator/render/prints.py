"""Printed sheets in the empty scene: the plates on the tray's rim, the lens calibration board."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.markers.printed import (
    MARKER_IDS,
    PLATE_MM,
    PrintedSheet,
    printed_board,
    printed_plate,
    rasterize,
)
from simulator.render import light as lights
from simulator.render.pinhole import CameraModel, pixel_box, ray_directions
from simulator.render.texture import sample_picture
from simulator.render.tray_model import TrayModel, share_hidden_by_tray
from vision.geometry.camera import rotation_of
from vision.image.arrays import FloatArray, Floats

_SHEET_PX_PER_MM = 20
_PAPER_ALBEDO = 0.78
_INK_ALBEDO = 0.035
_PAPER_ROUGHNESS = 0.75


@dataclass(frozen=True, slots=True)
class Print:
    """A printed sheet in the scene.

    Attributes:
        sheet: what is printed.
        place: of its centre, millimetres.
        yaw: its rotation, clockwise in the picture, radians.
        height: of its centre above the floor, millimetres.
        tilt: rotations about its own x and y axes, radians; (0, 0) is level.
        round_mm: radius of its corners.
    """

    sheet: PrintedSheet
    place: tuple[float, float]
    yaw: float = 0.0
    height: float = 0.0
    tilt: tuple[float, float] = (0.0, 0.0)
    round_mm: float = 0.0

    @property
    def rotation(self) -> FloatArray:
        """From the sheet's frame (x right, y down, z into it) to the world's, (3, 3)."""
        (a, b), yaw = self.tilt, rotation_of((0.0, 0.0, self.yaw))
        return np.asarray(yaw @ rotation_of((a, 0.0, 0.0)) @ rotation_of((0.0, b, 0.0)))

    def to_world(self, points: FloatArray) -> FloatArray:
        """World points (n, 3) of places (n, 2) on the sheet, millimetres from its top left."""
        local = np.zeros((len(points), 3))
        local[:, :2] = points - np.array(self.sheet.size) / 2
        return np.asarray(
            local @ self.rotation.T + np.array((*self.place, -self.height)), np.float64
        )


def rim_plates(
    tray: TrayModel,
    shifts: tuple[tuple[float, float], ...] = ((0.0, 0.0),) * 4,
    turns: tuple[float, ...] = (0.0,) * 4,
    corners: tuple[int, ...] = (0, 1, 2, 3),
) -> tuple[Print, ...]:
    """The four plates glued on the rim, each with its inner corner at a corner of the opening.

    Args:
        tray: defines the rim and the corners.
        shifts: how far out of place each was glued, millimetres.
        turns: how far each was turned, radians.
        corners: which of them are there, as indices into `MARKER_IDS`.
    """
    x, y = tray.rim_inner
    out = PLATE_MM / 2
    middles = ((-x - out, -y - out), (x + out, -y - out), (x + out, y + out), (-x - out, y + out))
    return tuple(
        Print(
            printed_plate(k),
            (middles[k][0] + shifts[k][0], middles[k][1] + shifts[k][1]),
            turns[k],
            tray.wall_height,
        )
        for k in range(len(MARKER_IDS))
        if k in corners
    )


def board_in_tray(
    place: tuple[float, float] = (0.0, 0.0),
    yaw: float = 0.0,
    height: float = 0.0,
    tilt: tuple[float, float] = (0.0, 0.0),
) -> Print:
    """The board in the tray."""
    return Print(printed_board(), place, yaw, height, tilt)


@lru_cache(maxsize=12)
def _sheet_whiteness(sheet: PrintedSheet, blur_mm: float) -> Floats:
    """Whiteness of a sheet, 0 to 1, averaged over a pixel."""
    sharp = rasterize(sheet, _SHEET_PX_PER_MM).astype(np.float32) / 255
    sigma = blur_mm * _SHEET_PX_PER_MM
    if sigma > 0.3:
        sharp = np.asarray(
            cv2.GaussianBlur(sharp, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE), np.float32
        )
    return sharp


@dataclass(frozen=True, slots=True, eq=False)
class PrintSeen:
    """A sheet as the pixels of a part of the picture see it.

    Attributes:
        part: rows and columns of the picture.
        cover: share of each pixel that the sheet fills, (rows, columns).
        points: world points, (rows, columns, 3).
        depth: distance along the ray, (rows, columns).
        steady: light that nothing can block, (rows, columns, 3).
        direct: what each light adds.
    """

    part: tuple[slice, slice]
    cover: Floats
    points: Floats
    depth: Floats
    steady: Floats
    direct: tuple[Floats, ...]


def see_print(
    item: Print, camera: CameraModel, tray: TrayModel, lighting: lights.Lighting, samples: int
) -> PrintSeen | None:
    """The print as the camera sees it, or None if it sees nothing of it."""
    wide, tall = item.sheet.size
    outline = item.to_world(np.array(((0, 0), (wide, 0), (wide, tall), (0, tall)), np.float64))
    if (box := pixel_box(camera, outline, 2)) is None:
        return None
    part = np.s_[box[0] : box[1], box[2] : box[3]]
    rays = ray_directions(camera)[part]
    shape = rays.shape[:2]
    flat = np.ascontiguousarray(rays.reshape(-1, 3), np.float64)
    turned = item.rotation
    origin = camera.position
    middle = np.array((*item.place, -item.height))
    normal = -turned[:, 2]
    reach = ((middle - origin) @ normal) / (flat @ normal)
    points = origin + flat * reach[:, None]
    local = (points - middle) @ turned[:, :2] + np.array((wide, tall)) / 2
    pixel = float(np.median(reach)) / camera.focal[0]
    # How far inside a rectangle that is smaller by the radius all around.
    beyond = item.round_mm - np.minimum(local, np.array((wide, tall)) - local)
    outside = np.hypot(*np.maximum(beyond, 0.0).T)
    edge = item.round_mm - outside - np.minimum(beyond.max(axis=1), 0.0)
    cover = np.clip(edge / pixel + 0.5, 0, 1) * (reach > 0)
    # A box one pixel wide has the standard deviation of a Gaussian of 0.29 pixels.
    ink = _sheet_whiteness(item.sheet, round(0.29 * pixel, 3))
    white = sample_picture(
        ink,
        (local[:, 0] * _SHEET_PX_PER_MM - 0.5).astype(np.float32),
        (local[:, 1] * _SHEET_PX_PER_MM - 0.5).astype(np.float32),
    )
    albedo = np.repeat(_INK_ALBEDO + (_PAPER_ALBEDO - _INK_ALBEDO) * white, 3, axis=1).astype(
        np.float32
    )
    places = points.astype(np.float32)
    normals = np.repeat(normal[None].astype(np.float32), len(flat), 0)
    seen = flat.astype(np.float32)
    reflected, cosine = lights.mirror_rays(seen, normals)
    gloss = (lights.fresnel_reflectance(cosine) * np.float32(1 - 0.85 * _PAPER_ROUGHNESS))[:, None]
    inside = item.height < tray.wall_height - 1
    open_sky = np.float32(0.85 if inside else 1.0)
    steady = albedo * lights.ambient_light(lighting, normals) * (open_sky / np.float32(np.pi))
    direct = []
    for light in lighting.lights:
        shining = np.ones(len(flat), np.float32)
        if inside:
            shining = 1 - share_hidden_by_tray(tray, places, light.samples(samples))
        diffuse = albedo * lights.irradiance(light, places, normals) / np.float32(np.pi)
        shine = gloss * lights.glare_radiance(light, places, reflected, _PAPER_ROUGHNESS)
        both = (diffuse + shine) * np.array(light.power, np.float32) * shining[:, None]
        direct.append(both.reshape(*shape, 3).astype(np.float32))
    return PrintSeen(
        part,
        cover.reshape(shape).astype(np.float32),
        places.reshape(*shape, 3),
        reach.reshape(shape).astype(np.float32),
        steady.reshape(*shape, 3).astype(np.float32),
        tuple(direct),
    )
