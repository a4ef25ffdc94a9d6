#!/usr/bin/env python3
"""Measures how long it takes from dice at rest to lights on the board, in simulation.

Frames are counted in simulated time at 30 frames a second; milliseconds are of this machine, from
the moment the deciding frame is handed to the appliance until the lights, decoded from the SPI
pins of the real firmware, show the throw. Run it with `.venv/bin/python scripts/bench_latency.py`.
"""

import argparse
import statistics
import time
from functools import partial

from appliance.config import Config
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.ports import Happened
from appliance.simulator.appliance import SimulatedAppliance, StreamSettings
from appliance.table.session.session import Setup
from simulator.pico.max7219 import Lights
from vision.events import Roll

FPS = 30.0


def shows(wanted: Picture | None, lights: Lights) -> bool:
    """True if the board shows this picture."""
    return Picture(lights.data) == wanted


def main() -> None:
    """Plays until enough rolls have been seen and prints medians and worst cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    buttons = Config().buttons
    frames: list[int] = []
    deciding_ms: list[float] = []
    total_ms: list[float] = []
    with Journal(":memory:") as journal:
        session = load_session(journal, Setup("classic", ("ANNA",), (("first", "roll-off"),)))
        with SimulatedAppliance(
            session,
            journal,
            dict(buttons.pins),
            buttons.lights,
            seed=args.seed,
            stream=StreamSettings(fps=FPS),
        ) as simulated:
            heard: list[Happened] = []
            simulated.hear = heard.append
            while len(frames) < args.rolls:
                frame = simulated.take_frame()
                # A camera has taken its picture by now; this one is rendered on first access.
                assert frame.image.size
                start = time.perf_counter()
                simulated.process_frame(frame)
                done = time.perf_counter()
                for happened in heard:
                    if isinstance(happened.input, Roll):
                        wanted = simulated.appliance.picture
                        simulated.pico.wait(partial(shows, wanted))
                        total_ms.append(1000 * (time.perf_counter() - start))
                        deciding_ms.append(1000 * (done - start))
                        frames.append(happened.input.frame - happened.input.rest_frame)
                heard.clear()
                simulated.let_play()
            player = simulated.player.hands
    print(
        f"rolls: {len(frames)}, dice {player.read}, asked {player.doubted}, wrong {player.misread}"
    )
    print(
        f"rest to roll: median {statistics.median(frames) / FPS * 1000:.0f} ms of frame time "
        f"({statistics.median(frames):.0f} frames), worst {max(frames) / FPS * 1000:.0f} ms"
    )
    for name, values in (("deciding frame", deciding_ms), ("frame to lights", total_ms)):
        print(f"{name}: median {statistics.median(values):.0f} ms, worst {max(values):.0f} ms")


if __name__ == "__main__":
    main()
