"""Cameras that read files: a video, a picture, a folder of pictures.

Times are those of the film, or follow from frame numbers, so frames come as fast as they are asked
for. Files that are of no use (empty, huge, not ordinary files) are refused before they are decoded.
"""

import errno
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from appliance.errors import CameraError
from vision.errors import PictureError
from vision.files.ordinary import NotOrdinary, check_ordinary
from vision.frame import Frame, Image
from vision.geometry.sight import webcam_sight
from vision.image.files import Pictures
from vision.image.films import Film

log = logging.getLogger(__name__)

PICTURES = frozenset(
    {".avif", ".bmp", ".heic", ".heif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}
)
"""Suffixes of files that are taken to be pictures; everything else is tried as a video."""

DEFAULT_FPS = 30.0
_MAX_PICTURE_BYTES = 256 * 1024 * 1024


class VideoFile:
    """Frames of a video file.

    Args:
        path: the video.
        view: angle of view across the diagonal, degrees; None if it is not known.

    Raises:
        CameraError: there is no such file, or it is not a video that OpenCV can decode.
    """

    def __init__(self, path: Path, view: float | None = None) -> None:
        _must_be_file(path)
        self.name, self._view = str(path), view
        try:
            self._film = Film(path)
        except PictureError as error:
            raise CameraError(
                f"{path}: cannot be decoded as a video or picture",
                "it may be damaged, or of a kind that this OpenCV does not know: "
                "convert it to MP4 (H.264), JPEG or PNG",
            ) from error

    def frames(self) -> Iterator[Frame]:
        """All frames from the current one to the end."""
        try:
            for frame in self._film.frames():
                yield replace(frame, sight=webcam_sight("", frame.size, self._view))
        except PictureError as error:
            raise CameraError(str(error)) from error

    def close(self) -> None:
        """Closes the file."""
        self._film.close()


class PictureFile:
    """One picture, delivered for a while as by a camera above a tray at rest.

    Args:
        path: the picture.
        hold: number of frames for which it is shown.
        fps: frames a second.
        view: as for `VideoFile`.

    Raises:
        CameraError: the file is missing or not a picture.
    """

    def __init__(
        self, path: Path, hold: int, fps: float = DEFAULT_FPS, view: float | None = None
    ) -> None:
        self.name, self._hold, self._fps, self._view = str(path), hold, fps, view
        self._image: Image | None = read_picture(path)

    def frames(self) -> Iterator[Frame]:
        """The picture, `hold` times."""
        for index in range(self._hold):
            if self._image is None:
                return
            yield _frame(self._image, index / self._fps, index, self._view)

    def close(self) -> None:
        """Forgets the picture."""
        self._image = None


class PictureFolder:
    """The pictures of a folder in order of their names, as frames of one camera.

    Args:
        path: the folder.
        hold: number of frames for which each picture is shown; 1 for the frames of a video, more
            for single pictures, which a watcher must see at rest for a while.
        fps: frames a second.
        view: as for `VideoFile`.

    Raises:
        CameraError: there is no such folder, or no picture in it. A picture that cannot be read
            raises when its turn comes.
    """

    def __init__(
        self, path: Path, hold: int, fps: float = DEFAULT_FPS, view: float | None = None
    ) -> None:
        try:
            files = [p for p in path.iterdir() if p.suffix.lower() in PICTURES]
        except OSError as error:
            known = {
                errno.ENOTDIR: "this is a file, not a folder of pictures",
                errno.ENOENT: "there is no such folder",
            }
            found = known.get(error.errno or 0, f"the folder cannot be read: {error.strerror}")
            raise CameraError(f"{path}: {found}") from error
        self.name, self._fps, self._hold, self._view = str(path), fps, hold, view
        self._files = sorted(files)
        self._closed = False
        if not self._files:
            raise CameraError(
                f"{path}: holds no pictures ({', '.join(sorted(PICTURES))})",
                "name the folder that holds them",
            )

    def frames(self) -> Iterator[Frame]:
        """Every picture, `hold` times."""
        index = 0
        for file in self._files:
            image = read_picture(file)
            for _ in range(self._hold):
                if self._closed:
                    return
                yield _frame(image, index / self._fps, index, self._view)
                index += 1

    def close(self) -> None:
        """Ends the frames."""
        self._closed = True


def _frame(image: Image, time_s: float, index: int, view: float | None) -> Frame:
    height, width = image.shape[:2]
    return Frame(image, time_s, index, sight=webcam_sight("", (width, height), view))


def read_picture(path: Path) -> Image:
    """Reads a picture file as (height, width, 3) BGR.

    Raises:
        CameraError: the file is missing, empty, huge or not a picture.
    """
    _must_be_file(path)
    try:
        stored = Pictures(path)
        if stored.count > 1:
            log.warning("%s: holds %d pictures; the first is shown", path, stored.count)
        return stored.picture()
    except PictureError as error:
        raise CameraError(str(error)) from error


def _must_be_file(path: Path) -> None:
    try:
        check_ordinary(path)
        size = path.stat().st_size
    except NotOrdinary as error:
        advice = f"for a folder of pictures use dir:{path}" if path.is_dir() else ""
        raise CameraError(f"{path}: expected a file, found {error.found}", advice) from error
    except FileNotFoundError as error:
        found = f"{path}: there is no such file or folder"
        raise CameraError(found) from error
    except PermissionError as error:
        raise CameraError(f"{path}: may not be read", "change its owner or mode") from error
    except OSError as error:
        raise CameraError(f"{path}: cannot be read: {error.strerror}") from error
    if size == 0:
        raise CameraError(f"{path}: the file is empty")
    if path.suffix.lower() in PICTURES and size > _MAX_PICTURE_BYTES:
        raise CameraError(
            f"{path}: expected a picture of at most {_MAX_PICTURE_BYTES >> 20} MiB, "
            f"found {size >> 20} MiB",
            "make it smaller",
        )
