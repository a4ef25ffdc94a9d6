#!/usr/bin/env python3
"""The virtual hardware of run_owner.sh, inside its virtual machine, as root.

owner_in_vm.py camera      feeds /dev/video10 for ever with what /run/lab/show names
owner_in_vm.py board       puts the Pico in, and runs the firmware in MicroPython behind it
owner_in_vm.py pins        makes the pins, once after each start
owner_in_vm.py press PIN   a press of a tenth of a second
"""

import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
SHOW = Path("/run/lab/show")
FPS = 6
sys.path.insert(0, str(HERE / "demos"))


def camera() -> None:
    """Frames of the film that SHOW names, then its last one, always with a sensor's noise."""
    import numpy as np
    from loop_cam import Feed  # type: ignore[import-not-found]

    chance = np.random.default_rng(8)
    noise = chance.normal(0, 2, (4, 480, 640, 3)).round().astype(np.int8)
    feed = Feed(10, 640, 480)
    name, film, number = "", np.zeros((1, 480, 640, 3), np.uint8), 0
    while True:
        wanted = SHOW.read_text().strip() if SHOW.exists() else "empty"
        if wanted != name:
            name, film, number = wanted, np.load(HERE / "frames" / f"{wanted}.npy"), 0
        frame = film[min(number, len(film) - 1)].astype(np.int16)
        frame += noise[number % len(noise)]
        feed.write(np.clip(frame, 0, 255).astype(np.uint8))
        number += 1
        time.sleep(1 / FPS)


def board() -> None:
    """The Pico's end of the cable; the picture that it shows goes to /run/lab/board."""
    sys.path.insert(0, str(HERE / "repo"))
    sys.path.insert(0, str(HERE / "repo" / "tests" / "lab"))
    import usb_pico  # type: ignore[import-not-found]
    from usb_in_vm import Gadget  # type: ignore[import-not-found]

    from appliance.simulator import micropython
    from appliance.simulator.board import SimulatedBoard

    pico = SimulatedBoard(
        interpreter=micropython.find(),
        settings={"CURRENT_LIMIT_MA": 3500, "WATCHDOG_MS": 0},
        cable=Gadget(usb_pico),
    )
    seen = ""
    while True:
        lights = pico.lights()
        now = "dark" if lights.dark else "\n".join(lights.picture.rows())
        if now != seen:
            seen = now
            Path("/run/lab/board").write_text(now + "\n")
        time.sleep(0.5)


def main() -> None:
    """Does what the first argument names."""
    what = sys.argv[1]
    if what == "camera":
        camera()
    elif what == "board":
        board()
    else:
        import gpio_sim  # type: ignore[import-not-found]

        if what == "pins":
            gpio_sim.fake_pi()
            print(gpio_sim.Sim().chip)
        else:
            sim = gpio_sim.Sim()
            sim.press(int(sys.argv[2]))
            time.sleep(0.15)
            sim.release(int(sys.argv[2]))


if __name__ == "__main__":
    main()
