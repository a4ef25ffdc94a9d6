#!/usr/bin/env python3
"""Prints, for every frame of a video or folder of pictures, what the watcher makes of it.

    python scripts/trace_watch.py VIDEO [--start N] [--stop N]

One line per frame: number, time, state of the tray, pixels of the small copy that moved, share that
a hand covers, quiet frames so far, careful readings of this rest, milliseconds, and events.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from appliance.devices.camera import open_camera
from appliance.errors import CameraError
from vision.events import Found, Moved, PickedUp, Roll, TrackedDie, TrayChanged, TrayEvent
from vision.reader import Reader
from vision.watch.watcher import Watcher


def spell(event: TrayEvent) -> str:
    """One event in a few words."""
    name = type(event).__name__
    if isinstance(event, TrayChanged):
        return f"{name}({event.state})"
    if isinstance(event, PickedUp):
        return f"{name}({' '.join(map(str, event.track_ids))})"
    rest = f" rest={event.rest_frame}" if isinstance(event, Roll) else ""
    dice = event.dice if isinstance(event, Roll | Found | Moved) else ()
    return f"{name}({' '.join(map(die_text, dice))}{rest})"


def die_text(die: TrackedDie) -> str:
    """Track, kind, value and doubt of a die, and whether it was thrown."""
    reading = die.reading
    doubt = "" if reading.sure else f"?{reading.state}"
    return f"{die.track_id}:{reading.kind}={reading.value}{doubt}{'*' if die.thrown else ''}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("video", type=Path, help="a video, or a folder of pictures")
    parser.add_argument("--start", type=int, default=0, help="first frame that is printed")
    parser.add_argument("--stop", type=int, default=sys.maxsize, help="last frame")
    args = parser.parse_args()
    watcher = Watcher(Reader())
    try:
        camera = open_camera(f"{'dir' if args.video.is_dir() else 'file'}:{args.video}")
        for frame in camera.frames():
            if frame.index > args.stop:
                break
            began = time.perf_counter()
            events = watcher.feed(frame)
            ms = 1000 * (time.perf_counter() - began)
            if frame.index >= args.start:
                t = watcher.trace
                print(
                    f"{frame.index:5d} {frame.time_s:7.3f}s {t.state:7s} moving {t.moving:5d} "
                    f"hand {t.hand:4.0%} quiet {t.rest.frames:3d} reads {t.readings} "
                    f"{ms:6.1f} ms  {'  '.join(map(spell, events))}"
                )
        print(f"  end  {'  '.join(map(spell, watcher.finish()))}")
    except CameraError as error:
        print(f"trace_watch: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
