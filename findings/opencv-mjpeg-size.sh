#!/bin/sh
# One would guess: when the pictures of an MJPEG stream change their size, as when a phone is turned,
# cv2.VideoCapture returns them in their new size. It stretches them to the size of the first, whatever their
# shape, and CAP_PROP_FRAME_WIDTH and HEIGHT stay as they were.
# Seen with opencv-python-headless 4.14.0.94 and 5.0.0.93 on x86-64.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet "opencv-python-headless==${OPENCV:-4.14.0.94}" numpy
"$folder/venv/bin/python" - <<'PYTHON'
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from time import sleep

import cv2
import numpy as np


class Stream(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=part")
        self.end_headers()
        for shape, grey in [((48, 64, 3), 10)] * 5 + [((64, 48, 3), 200)] * 5:
            data = cv2.imencode(".jpg", np.full(shape, grey, np.uint8))[1].tobytes()
            head = f"--part\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            self.wfile.write(head.encode() + data + b"\r\n")
            sleep(0.05)


server = HTTPServer(("127.0.0.1", 0), Stream)
Thread(target=server.serve_forever, daemon=True).start()
capture = cv2.VideoCapture(f"http://127.0.0.1:{server.server_port}/", cv2.CAP_FFMPEG)
seen = []
while True:
    good, picture = capture.read()
    if not good:
        break
    width, height = capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
    seen.append((picture.shape, "dark" if picture.mean() < 100 else "bright", width, height))
print("OpenCV", cv2.__version__, sorted(set(seen)))
wanted = {((48, 64, 3), shade, 64.0, 48.0) for shade in ("dark", "bright")}
sys.exit(set(seen) != wanted)
PYTHON
