#!/bin/sh
# One would guess: cv2.VideoCapture.read leaves out a part of an MJPEG stream that was cut off, and returns
# False once the stream is over. It returns False for that part, too, and goes on after it.
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

WHOLE_AFTER = 25


class Stream(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=part")
        self.end_headers()
        for number in range(5 + WHOLE_AFTER):
            grey = 50 if number < 5 else 150
            data = cv2.imencode(".jpg", np.full((48, 64, 3), grey, np.uint8))[1].tobytes()
            data = data[: len(data) // 2] if number == 4 else data
            head = f"--part\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            try:
                self.wfile.write(head.encode() + data + b"\r\n")
            except OSError:
                return
            sleep(0.05)


server = HTTPServer(("127.0.0.1", 0), Stream)
Thread(target=server.serve_forever, daemon=True).start()
capture = cv2.VideoCapture(f"http://127.0.0.1:{server.server_port}/", cv2.CAP_FFMPEG)
seen = []
while len(seen) < 40:
    good, picture = capture.read()
    seen.append(round(float(picture.mean())) if good else None)
print("OpenCV", cv2.__version__, seen)
first = seen.index(None)
sys.exit(seen[first + 1] != 150)
PYTHON
