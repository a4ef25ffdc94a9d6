#!/bin/sh
# One would guess: cv2.imdecodemulti(data, flags, range=(2, 3)) returns the third picture of any
# file, or none. Of an animated WebP it returns the first, and says that it succeeded.
# Seen with opencv-python-headless 4.11.0.86, 4.14.0.94 and 5.0.0.93 on x86-64.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet "opencv-python-headless==${OPENCV:-4.14.0.94}" numpy
"$folder/venv/bin/python" - <<'PYTHON'
import sys

import cv2
import numpy as np

shades = [np.full((48, 64, 3), shade, np.uint8) for shade in (10, 120, 240)]
seen = {}
for suffix in (".tiff", ".webp"):
    data = cv2.imencodemulti(suffix, shades)[1]
    good, pictures = cv2.imdecodemulti(data, cv2.IMREAD_COLOR, range=(2, 3))
    seen[suffix] = (good, [round(float(picture.mean())) for picture in pictures])
print("OpenCV", cv2.__version__, seen)
sys.exit(seen != {".tiff": (True, [240]), ".webp": (True, [10])})
PYTHON
