"""A phone's camera app, or any other server of MJPEG over HTTP, that shows given pictures."""

import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2

from vision.frame import Image

_BOUNDARY = b"frame"
RATE = 15.0
"""Pictures a second."""


@contextmanager
def streamed(
    picture: Callable[[], Image | None], rate: float = RATE, lets_in: str = ""
) -> Iterator[str]:
    """The address of a stream, until the end of the block.

    Args:
        picture: what to show next, asked at every picture; None ends the stream.
        rate: pictures a second.
        lets_in: whom it shows them, as `user:password`; empty for everybody.
    """
    known = f"Basic {b64encode(lets_in.encode()).decode()}"
    stop = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if lets_in and self.headers["Authorization"] != known:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(200)
            kind = f"multipart/x-mixed-replace; boundary={_BOUNDARY.decode()}"
            self.send_header("Content-Type", kind)
            self.end_headers()
            try:
                while not stop.wait(1 / rate) and (image := picture()) is not None:
                    _, data = cv2.imencode(".jpg", image)
                    head = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"
                    self.wfile.write(head % (_BOUNDARY, len(data)) + data.tobytes() + b"\r\n")
            except OSError:
                return

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/video"
    finally:
        stop.set()
        server.shutdown()
        server.server_close()
        thread.join()
