#!/bin/sh
# One would guess: no marker of DICT_4X4_50 is found in a mirrored picture, as from a webcam's preview.
# Ids 8, 9, 17 and 47 are their own mirror images: they are found, with their corners the other way round.
# Seen with opencv-python-headless 4.14.0.94 and 5.0.0.93 on x86-64.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet "opencv-python-headless==${OPENCV:-4.14.0.94}" numpy
"$folder/venv/bin/python" - <<'PYTHON'
import sys

import cv2
import numpy as np

markers = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
detector = cv2.aruco.ArucoDetector(markers)
seen = []
for number in range(50):
    page = np.full((400, 400), 255, np.uint8)
    page[100:300, 100:300] = cv2.aruco.generateImageMarker(markers, number, 200)
    _, found, _ = detector.detectMarkers(cv2.flip(page, 1))
    if found is not None:
        seen += [(number, int(each)) for each in found.ravel()]
print("OpenCV", cv2.__version__, seen)
sys.exit(seen != [(8, 8), (9, 9), (17, 17), (47, 47)])
PYTHON
