#!/bin/sh
# One would guess: cv2.imdecode turns an AVIF upright, as it does a JPEG with an EXIF orientation.
# It obeys neither `irot` nor `imir`, the boxes that say so (ISO/IEC 23008-12), and Pillow writes
# just these where it is given an EXIF orientation.
# Seen with opencv-python-headless 4.14.0.94 and 5.0.0.93, and Pillow 13.0.0, on x86-64.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet "opencv-python-headless==${OPENCV:-4.14.0.94}" \
    numpy pillow==13.0.0
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys

import cv2
from PIL import Image

exif = Image.Exif()
exif[274] = 6  # a quarter to the right
seen = {}
for suffix in (".jpg", ".avif"):
    path = f"{sys.argv[1]}/turned{suffix}"
    Image.new("RGB", (64, 48), "red").save(path, exif=exif)
    seen[suffix] = cv2.imread(path).shape[:2]
print("OpenCV", cv2.__version__, seen)
sys.exit(seen != {".jpg": (64, 48), ".avif": (48, 64)})
PYTHON
