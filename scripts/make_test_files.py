"""Makes the films and pictures of `tests/data` that OpenCV cannot write.

pip install av==18.1.0 pillow==13.0.0
python scripts/make_test_files.py
"""

import argparse
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "tests/data"
STAMPS_MS = (0, 33, 67, 100, 400, 433, 467, 900, 933, 1500, 1516, 1533, 2600, 2633)
FILMS = {
    "variable.mp4": ("libx264", "mp4", {}),
    "variable.webm": ("libvpx-vp9", "webm", {}),
    "b-frames.avi": ("mpeg4", "avi", {"bf": "2"}),
    "no-times.h264": ("libx264", "h264", {}),
}


def film(name: str, codec: str, form: str, options: dict[str, str]) -> None:
    """Fourteen frames, each lighter than the one before."""
    import av

    with av.open(FOLDER / "films" / name, "w", format=form) as container:
        stream = container.add_stream(codec, rate=30, options=options)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        for number, stamp in enumerate(STAMPS_MS):
            shade = np.full((48, 64, 3), 16 * number, np.uint8)
            frame = av.VideoFrame.from_ndarray(shade, "bgr24")
            frame.pts = stamp if "variable" in name else 33 * number
            frame.time_base = Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def turned(orientation: int) -> None:
    """A picture, white and blue above and red below, as a phone held this way stores it."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (64, 48), "red")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 31, 23), fill="white")
    draw.rectangle((32, 0, 63, 23), fill="blue")
    exif = Image.Exif()
    exif[274] = orientation
    picture.save(FOLDER / "turned" / f"{orientation}.avif", exif=exif, quality=100)


def main() -> None:
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    for name, (codec, form, options) in FILMS.items():
        film(name, codec, form, options)
    for orientation in range(1, 9):
        turned(orientation)
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main()
