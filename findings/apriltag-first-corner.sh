#!/bin/sh
# One would guess: of the same AprilTag (36h11), OpenCV and the AprilTag library name the same corner first.
# Of a tag that OpenCV has drawn upright OpenCV's first corner is the top left, the library's the top right,
# and the library goes on against the clock.
# Seen with opencv-python-headless 4.14.0.94 and pupil-apriltags 1.0.4.post11 on x86-64.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet "opencv-python-headless==${OPENCV:-4.14.0.94}" numpy \
    "pupil-apriltags==${APRILTAGS:-1.0.4.post11}"
"$folder/venv/bin/python" - <<'PYTHON'
import sys

import cv2
import numpy as np
from pupil_apriltags import Detector

tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
page = np.full((400, 400), 255, np.uint8)
page[100:300, 100:300] = cv2.aruco.generateImageMarker(tags, 5, 200)


def names(corners):
    vertical, horizontal = ("top", "bottom"), ("left", "right")
    return [f"{vertical[int(y > 200)]} {horizontal[int(x > 200)]}" for x, y in np.reshape(corners, (4, 2))]


(by_opencv,), _, _ = cv2.aruco.ArucoDetector(tags).detectMarkers(page)
(by_library,) = Detector(families="tag36h11").detect(page)
seen = names(by_opencv), names(by_library.corners)
print("OpenCV", cv2.__version__, *seen, sep="\n  ")
clockwise = ["top left", "top right", "bottom right", "bottom left"]
sys.exit(seen != (clockwise, ["top right", "top left", "bottom left", "bottom right"]))
PYTHON
