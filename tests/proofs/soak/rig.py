"""The appliance as `dicetray run` wires it, in a room, with simulated Pico and buttons.

It can be stopped and restarted in the same process, so that anything a start leaves behind is
noticed. Time is the room's; only the serial link, held buttons and a camera's driver use real time.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

from gpiozero.pins.mock import MockFactory

from appliance.alerts import Alert
from appliance.config import Config
from appliance.devices.buttons import LONG_PRESS_S, Buttons
from appliance.devices.camera.feed import Failure, Feed
from appliance.devices.camera.threaded import LiveCamera, Shot
from appliance.devices.scoreboard import SerialScoreboard
from appliance.diagnostics.about import about
from appliance.inputs import Button, Chord, Pressed
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.mending import open_and_mend
from appliance.journal.sessions import load_session
from appliance.service.appliance import Appliance
from appliance.service.broadcast import SOCKET_FILE
from appliance.service.corrections import Corrections, fan_out
from appliance.service.devices import Devices, Tray
from appliance.service.environment import Environment
from appliance.service.loop import Loop
from appliance.service.past_games import past_games
from appliance.service.ports import Happened
from appliance.service.snapshot import Publisher
from appliance.service.systemd import Notifier
from appliance.service.view import Viewer
from appliance.simulator.people.mock_buttons import MockButtons
from tests.proofs.soak.bounce import BouncingPin
from tests.proofs.soak.camera import CameraFault, Lens
from tests.proofs.soak.power import SoakedFiles
from tests.proofs.soak.rooms import Room
from tests.rigs.faulty_board import FaultyBoard
from vision.frame import Frame

STALL_S = 2.0
"""Real seconds without a picture that count as a stall, as in the product."""

FINGERS = 4
"""How many times faster than ours fingers' time goes by: that they are down is waited for."""

KEPT_PICTURES = 10
"""Fewer than on the real appliance, so that the bound is reached within the run."""

_RETRY_S = 0.05
_PATIENCE_S = 20.0
_SILENCE_S = 0.01
"""Real seconds for which a camera that delivers nothing is waited for; the room's time goes on."""

_SILENT = (CameraFault.GONE, CameraFault.HANGS, CameraFault.ASLEEP)


class _CountedButtons(Buttons):
    """Counts what came of them."""

    came = 0

    def poll(self) -> tuple[Pressed | Chord, ...]:
        """The presses since the last call, counted."""
        presses = super().poll()
        self.came += len(presses)
        return presses


class _CountedFingers(MockButtons):
    """Count what they did; they hold buttons for less long than people must.

    Args:
        factory: gpiozero's mock pin factory.
        pins: BCM pin of each button.
        devices: gpiozero's buttons, in the same order.
    """

    def __init__(
        self, factory: MockFactory, pins: Mapping[Button, int], devices: Sequence[Any]
    ) -> None:
        super().__init__(factory, pins, hold_s=LONG_PRESS_S / FINGERS)
        self._devices = dict(zip(pins, devices, strict=True))
        self.made = 0

    def press(self, button: Button) -> None:
        """Press a button and release it; that a busy machine is late makes no long press of it."""
        self.made += 1
        self._devices[button].hold_time = LONG_PRESS_S
        super().press(button)

    def _hold(self, buttons: tuple[Button, ...]) -> None:
        for button in buttons:
            self._devices[button].hold_time = LONG_PRESS_S / FINGERS
        super()._hold(buttons)

    def hold(self, *buttons: Button) -> None:
        """Press buttons and keep them down."""
        self.made += len(buttons)
        super().hold(*buttons)


class ClosedPin(BouncingPin):
    """A pin that is connected to ground from the start: neither pull-up nor fingers raise it.

    Attributes:
        pressed_down: whether something stands on the button.
    """

    pressed_down = True

    def drive_high(self) -> None:
        """Opens the contact once nothing stands on the button."""
        if not self.pressed_down:
            super().drive_high()

    def _set_pull(self, value: str) -> None:
        self._pull = value
        self._state = False


class RecordingNotifier(Notifier):
    """Keeps what would be sent to systemd.

    Attributes:
        said: the last status.
        told: every status since this was last emptied, in parts.
        beats: how often the watchdog was fed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.said = ""
        self.told = set[str]()
        self.beats = 0

    def status(self, text: str) -> None:
        """Keeps it."""
        self.said = text
        self.told.update(text.split("; "))

    def alive(self) -> None:
        """Counts it."""
        self.beats += 1


class _Asked:
    """The feed's frames, each on request; waits as long as drawing one takes."""

    def __init__(self, feed: Feed, lens: Lens) -> None:
        self._feed, self._lens = feed, lens
        self.came = False

    def next(self, patience_s: float) -> Frame | Failure | None:
        """One frame taken now, or a failure; None from a camera that delivers nothing."""
        self._lens.ask()
        silent = self._lens.camera_fault in _SILENT
        news = self._feed.next(min(patience_s, _SILENCE_S) if silent else _PATIENCE_S)
        self.came = isinstance(news, Frame)
        return news

    def restart(self) -> None:
        """Restarts the feed."""
        self._feed.restart()


class Rig:
    """The appliance with its surroundings.

    Args:
        journal: the file of its games.
        pico: the scoreboard's Pico, which outlives the appliance.
        room: where it stands.
        clock: the room's time, seconds.
        pass_time: lets the room's time pass, in seconds.
        listen: gets everything that happens.
        seed: random seed.
        closed: a button whose contact is closed from the start.
        safe: whether it is in safe mode: without camera, and without the game going on.

    Attributes:
        journal: the games.
        files: where they are.
        mended: what was done about damaged games at the start.
        appliance: what is being soaked.
        loop: its main loop.
        notifier: what is sent to systemd.
        lens: the camera's lens.
        mock_buttons: the buttons to press.
        board: the host's end of the link.
        lock: to be held by whoever changes the room.
        low_voltage: whether the supply is too weak.
        stream: the socket of the event stream.
    """

    def __init__(
        self,
        journal: Path,
        pico: FaultyBoard,
        room: Room,
        clock: Callable[[], float],
        pass_time: Callable[[float], None],
        listen: Callable[[Happened], None],
        seed: int,
        closed: Button | None = None,
        *,
        safe: bool = False,
    ) -> None:
        self.low_voltage = False
        config = Config().buttons
        pins = dict(config.pins)
        with ExitStack() as stack:
            opened, self.mended = open_and_mend(journal)
            opened.close()
            self.files = SoakedFiles(folder_of(journal), pass_time)
            self.journal = stack.enter_context(Journal(journal, files=self.files))
            self.board = SerialScoreboard(pico.device)
            stack.callback(self.board.close)
            factory = MockFactory(pin_class=BouncingPin)
            stack.callback(factory.reset)
            if closed is not None:
                factory.pin(pins[closed], pin_class=ClosedPin)
            buttons = stack.enter_context(
                _CountedButtons(
                    pins,
                    config.lights,
                    pin_factory=factory,
                    clock=lambda: FINGERS * time.monotonic(),
                )
            )
            self.mock_buttons = _CountedFingers(factory, pins, buttons._devices)
            self._buttons = buttons
            self._factory, self._pins = factory, pins
            self.notifier = RecordingNotifier()
            self.lock = Lock()

            def take() -> Shot:
                with self.lock:
                    return room.shot(clock())

            self.lens = Lens(take)
            corrections = Corrections(journal.parent / "corrections", KEPT_PICTURES)
            self._viewer = Viewer(lambda: None)
            self.stream = journal.parent / SOCKET_FILE
            past = partial(past_games, self.journal)
            self._publisher = Publisher(journal.parent, self._viewer, past=past)
            stack.callback(self._publisher.close)
            last = self.journal.last()
            goes_on = last is not None and not last.ended and not safe
            feed = Feed(self._open, wait=lambda _: False)
            stack.callback(feed.close)
            self._asked = _Asked(feed, self.lens)
            devices = Devices(
                self.board,
                buttons,
                None if safe else self._asked,
                dim=self.board.set_brightness,
                chance=Random(seed),
                clock=clock,
            )
            self.appliance = Appliance(
                devices,
                Tray(room.watcher()),
                self.journal,
                Environment(
                    health=lambda: about(
                        self.board.status, self.appliance.frame_rate, journal.parent
                    ),
                ),
                session=load_session(self.journal, None) if goes_on else None,
                listen=fan_out(listen, corrections, self._viewer.hear, self._publisher.hear),
            )
            self.loop = Loop(
                devices,
                self.appliance,
                self.notifier,
                fan_out(corrections.look, self._viewer.look),
                show=lambda: self._publisher.publish(self.appliance),
                voltage_is_low=lambda: self.low_voltage,
                always=frozenset({Alert.SAFE_MODE} if safe else ()),
            )
            self.appliance.start()
            feed.start()
            self._stack = stack.pop_all()

    def _open(self) -> LiveCamera:
        return LiveCamera("room", self.lens.device, STALL_S, lambda _: time.sleep(_RETRY_S))

    @property
    def saw_frame(self) -> bool:
        """True if a frame arrived in the loop's last round."""
        return self._asked.came

    @property
    def well(self) -> bool:
        """True while nothing is wrong, by the status sent to systemd."""
        return self.notifier.said in ("", "all is well")

    def bounce(self, chance: Random | None) -> None:
        """Makes all contacts bounce by chance from now on; None for none."""
        for pin in self._pins.values():
            self._factory.pin(pin).chance = chance

    @property
    def unpressed(self) -> int:
        """How many presses have come that nobody made."""
        return self._buttons.came + self._buttons._queue.qsize() - self.mock_buttons.made

    def open_contact(self, button: Button) -> None:
        """Takes away what stands on a button."""
        pin = self._factory.pin(self._pins[button])
        pin.pressed_down = False
        pin.drive_high()

    def close(self) -> None:
        """Stops the appliance."""
        self.lens.camera_fault = None
        self._stack.close()
