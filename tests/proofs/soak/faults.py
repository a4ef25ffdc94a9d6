"""Faults that an appliance may meet in the long run: each begins, lasts, and ends."""

import errno
import os
import shutil
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from random import Random
from typing import Protocol

from appliance.alerts import Alert
from appliance.devices.buttons import STUCK_S
from appliance.inputs import Button
from appliance.journal.files import folder_of
from appliance.service.loop import RESTART_FEED_AFTER_S, VOLTAGE_INTERVAL_S
from appliance.service.steady import MAX_PRESSES_IN_WINDOW
from tests.proofs.link_faults.injector import LINE_FAULTS, Injector
from tests.proofs.soak.camera import CameraFault
from tests.proofs.soak.memory import CAN_FAIL
from tests.proofs.soak.rig import FINGERS, STALL_S, Rig
from tests.proofs.soak.systemd import FOR_GOOD
from tests.rigs.faulty_board import FaultyBoard
from tests.rigs.mosquitto import PROGRAM

HEAL_S = 12.0
"""Seconds of room time within which all must be well again after most faults."""

YEARS_S = 20 * 365.25 * 86400.0
"""How far the clock of a Pi without a battery may be off."""

CAMERA_FAULTS = {
    CameraFault.GONE: Alert.CAMERA_GONE,
    CameraFault.HANGS: Alert.CAMERA_HANGS,
    CameraFault.FROZEN: Alert.CAMERA_FROZEN,
    CameraFault.BLACK: Alert.BLACK,
    CameraFault.DARK: Alert.DARK,
    CameraFault.WHITE: Alert.BRIGHT,
    CameraFault.SOFT: Alert.NOT_SHARP,
    CameraFault.ASLEEP: Alert.PHONE_ASLEEP,
}
"""The board's alert for each camera fault; for a pattern only where pictures are read."""

DISKS = {
    "disk full": (errno.ENOSPC, Alert.DISK_FULL),
    "disk read-only": (errno.EROFS, Alert.DISK_READ_ONLY),
    "disk broken": (errno.EIO, Alert.DISK_FAULT),
}
"""The system's error number for each, and what the board must say."""


class World(Protocol):
    """The parts that faults act on."""

    pico: FaultyBoard
    injector: Injector
    chance: Random

    @property
    @abstractmethod
    def rig(self) -> Rig:
        """The current appliance."""

    def restart(
        self, between: Callable[[], None] = lambda: None, closed: Button | None = None
    ) -> None:
        """Stops the appliance, does something, and starts it again, perhaps with a stuck button."""

    def play_until_begun(self) -> None:
        """Plays until a game is on the disk."""

    def rot(self) -> None:
        """Damages a file of the games while it is in use."""

    def rot_at_rest(self) -> None:
        """Damages such a file while the appliance is off, and checks that nothing went."""

    def look_for_lines(self) -> None:
        """Starts again, and checks that the damage took nothing away."""

    def read_games(self) -> None:
        """Reads all games as `dicetray games` does, and checks that they are there."""

    def kill_another(self) -> None:
        """Has another process write into the journal and kills it; for `restart`."""

    def jump(self, seconds: float) -> None:
        """Makes the frames' clock jump ahead."""

    def shift_wall_clock(self, seconds: float) -> None:
        """Makes the time of day wrong by this much from now on."""

    def set_wall_clock(self, time_s: float) -> None:
        """Makes it this time of day, seconds since 1970."""

    def cut_power(self) -> None:
        """Plays until the power fails at some write, and starts again on what that has left."""

    def fail_allocation(self) -> None:
        """Plays until an allocation fails somewhere in the appliance."""

    def starve(self, short: bool) -> None:
        """Leaves the appliance next to no memory from now on, or enough."""

    def bounce(self, bounces: bool) -> None:
        """Makes all contacts bounce from now on, or none."""

    def stop_broker(self) -> None:
        """Stops the broker, cleanly or not."""

    def turn_broker_hostile(self) -> None:
        """Lets one take its place that harms whoever comes, and leaves rubbish in it."""

    def start_broker(self) -> None:
        """Starts it again, and checks that it comes to know the whole game."""

    def crash_starts(self, count: int) -> None:
        """Starts again; the first so many starts crash in some phase, unless it is left out."""

    def reboot_pico_every(self, seconds: float) -> None:
        """Resets the Pico so often, in real seconds, from now on; 0 for no more."""

    def bring_games(self) -> None:
        """Restores a stick with games of another tray, and checks that they came."""

    def listen_asleep(self) -> None:
        """Connects to the event stream as a page does, and reads nothing."""

    def hang_up(self) -> None:
        """Ends that connection."""

    def upgrade(self) -> None:
        """Switches to another release, which is on trial."""

    def go_back(self) -> None:
        """Starts with the trial not over, and so with the release before."""

    def cut_upgrade(self) -> None:
        """Has an upgrade cut off at some step, with half of a copy made, and starts."""

    def lose_other_games(self) -> None:
        """Notes that all games but the present one are gone for good."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault.

    Attributes:
        name: for people.
        part: what it strikes; two faults of one part cannot last at once.
        begin: makes it happen.
        end: mends it.
        names: what the board must say while it lasts; None if nothing need be said.
        lasts_s: seconds of room time; a fault that must be named lasts until it is.
        heals_s: seconds of room time within which all must be well again once it is over.
        real_s: real seconds in addition, for what happens on the link, or with buttons.
    """

    name: str
    part: str
    begin: Callable[[World], None]
    end: Callable[[World], None] = field(default=lambda _: None)
    names: Alert | None = None
    lasts_s: float = 0.0
    heals_s: float = HEAL_S
    real_s: float = 0.0


def _camera_fault(camera_fault: CameraFault) -> Fault:
    def begin(world: World) -> None:
        world.rig.lens.camera_fault = camera_fault

    def end(world: World) -> None:
        world.rig.lens.camera_fault = None

    # Long enough for the camera's thread to give up on the driver and open it again.
    real_s = STALL_S + 1.0 if camera_fault is CameraFault.HANGS else 0.0
    return Fault(
        camera_fault.value,
        "camera",
        begin,
        end,
        CAMERA_FAULTS.get(camera_fault),
        lasts_s=4.0,
        real_s=real_s,
    )


def _long_hang() -> Fault:
    fault = _camera_fault(CameraFault.HANGS)
    return replace(
        fault,
        name="camera hangs until another thread opens it",
        lasts_s=RESTART_FEED_AFTER_S + 30.0,
    )


def _disk(name: str) -> Fault:
    error, alert = DISKS[name]

    def begin(world: World) -> None:
        world.rig.files.error = error

    def end(world: World) -> None:
        world.rig.files.error = 0

    return Fault(name, "disk", begin, end, alert, lasts_s=4.0)


def _delete_game(world: World) -> None:
    world.play_until_begun()
    for file in (folder_of(world.rig.journal.path) / "going").iterdir():
        file.unlink()


def _delete_all(world: World) -> None:
    world.play_until_begun()
    shutil.rmtree(folder_of(world.rig.journal.path))
    world.lose_other_games()


def _end_thread(world: World) -> None:
    """Makes the scoreboard's thread fail the next time it has to say when it is due."""
    link = world.rig.board._link

    def fails(now: float) -> float:
        del link.deadline
        raise ZeroDivisionError("the soak's")

    link.deadline = fails  # type: ignore[method-assign]


def _line(kind: str) -> Fault:
    def begin(world: World) -> None:
        world.injector.kind = kind

    return Fault(
        f"line: {kind}", "line", begin, lambda w: w.injector.heal(), lasts_s=2.0, real_s=0.4
    )


def _pull(world: World) -> None:
    world.pico.unplug(power=world.chance.random() < 0.5)


def _freeze(world: World) -> None:
    world.pico.freeze()


PUSHED = Button.HINT
"""The button on which something stands: players can do without it."""


def _open_contact(world: World) -> None:
    world.rig.open_contact(PUSHED)


def _slow_card(world: World) -> None:
    world.rig.files.slow = True


def _usual_card(world: World) -> None:
    world.rig.files.slow = False


def _weak_supply(world: World) -> None:
    world.rig.low_voltage = True


def _strong_supply(world: World) -> None:
    world.rig.low_voltage = False


def _wet_contact(world: World) -> None:
    for _ in range(MAX_PRESSES_IN_WINDOW + 20):
        world.rig.mock_buttons.press(PUSHED)


def _summer_time_ends(world: World) -> None:
    os.environ["TZ"] = "Europe/Berlin"
    time.tzset()
    world.set_wall_clock(SUMMER_TIME_ENDS_S - 5.0)


def _summer_time_has_ended(world: World) -> None:
    del os.environ["TZ"]
    time.tzset()
    world.shift_wall_clock(0.0)


SUMMER_TIME_ENDS_S = datetime(2026, 10, 25, 1, tzinfo=UTC).timestamp()
"""In the zone of Berlin."""

PICO_INTERVAL_S = 3.0

HARMS_S = 0.5
"""Real seconds for a hostile broker once somebody has come to it."""

ROT_S = 30.0
"""Seconds of room time played on with damaged files, about a turn."""

FAULTS: Sequence[Fault] = (
    *map(_camera_fault, CameraFault),
    _long_hang(),
    *map(_disk, DISKS),
    Fault("scoreboard's thread ends", "link", _end_thread, lasts_s=3.0, real_s=1.5),
    Fault("game deleted", "files", _delete_game, names=Alert.GAMES_GONE),
    Fault("all games deleted", "files", _delete_all, names=Alert.GAMES_GONE),
    Fault("games rot", "files", lambda w: w.rot(), lambda w: w.look_for_lines(), lasts_s=ROT_S),
    Fault("games rot while it is off", "files", lambda w: w.rot_at_rest()),
    Fault("games read meanwhile", "reader", lambda w: w.read_games()),
    Fault("stick of another tray", "reader", lambda w: w.bring_games()),
    Fault(
        "page falls asleep",
        "pages",
        lambda w: w.listen_asleep(),
        lambda w: w.hang_up(),
        lasts_s=20.0,
    ),
    Fault("each sync takes two seconds", "card", _slow_card, _usual_card, lasts_s=20.0),
    Fault(
        "low voltage",
        "supply",
        _weak_supply,
        _strong_supply,
        names=Alert.LOW_VOLTAGE,
        lasts_s=VOLTAGE_INTERVAL_S + 1.0,
        heals_s=VOLTAGE_INTERVAL_S + 2.0,
    ),
    Fault(
        "contact bounces without end", "button", _wet_contact, names=Alert.BUTTON_STUCK, lasts_s=2.0
    ),
    Fault(
        "contacts bounce as switches do",
        "button",
        lambda w: w.bounce(True),
        lambda w: w.bounce(False),
        lasts_s=20.0,
    ),
    Fault(
        "button closed from the start",
        "process",
        lambda w: w.restart(closed=PUSHED),
        _open_contact,
        names=Alert.BUTTON_STUCK,
        real_s=STUCK_S / FINGERS + 1.0,
    ),
    *map(_line, LINE_FAULTS),
    Fault("Pico pulled out", "Pico", _pull, lambda w: w.pico.plug(), lasts_s=3.0, real_s=0.5),
    Fault(
        "Pico restarts every three seconds",
        "Pico",
        lambda w: w.reboot_pico_every(PICO_INTERVAL_S),
        lambda w: w.reboot_pico_every(0.0),
        real_s=PICO_INTERVAL_S + 1.0,
    ),
    Fault("Pico rebooted", "Pico", lambda w: w.pico.reboot()),
    Fault("Pico hangs", "Pico", _freeze, lambda w: w.pico.thaw(), lasts_s=2.0, real_s=0.5),
    Fault("lights lose their registers", "Pico", lambda w: w.pico.lose_registers()),
    Fault("clock back 20 years", "clock", lambda w: w.shift_wall_clock(-YEARS_S)),
    Fault("clock right again", "clock", lambda w: w.shift_wall_clock(0.0)),
    Fault(
        "clock at 1970 until NTP sets it",
        "clock",
        lambda w: w.set_wall_clock(0.0),
        lambda w: w.shift_wall_clock(0.0),
        lasts_s=5.0,
    ),
    Fault("summer time ends", "clock", _summer_time_ends, _summer_time_has_ended, lasts_s=10.0),
    Fault("frames' clock an hour ahead", "frames", lambda w: w.jump(3600.0)),
    Fault("service restarted", "process", lambda w: w.restart()),
    Fault("another process killed as it writes", "process", lambda w: w.restart(w.kill_another)),
    Fault("power cut at a write", "process", lambda w: w.cut_power()),
    *([Fault("an allocation fails", "process", lambda w: w.fail_allocation())] * CAN_FAIL),
    Fault(
        "memory short", "memory", lambda w: w.starve(True), lambda w: w.starve(False), lasts_s=5.0
    ),
    *(
        [
            Fault(
                "broker restarts",
                "broker",
                lambda w: w.stop_broker(),
                lambda w: w.start_broker(),
                lasts_s=5.0,
            ),
            Fault(
                "broker hostile",
                "broker",
                lambda w: w.turn_broker_hostile(),
                lambda w: w.start_broker(),
                lasts_s=5.0,
                real_s=HARMS_S,
            ),
        ]
        * (PROGRAM is not None)
    ),
    Fault(
        "upgrade and back",
        "process",
        lambda w: w.upgrade(),
        lambda w: w.go_back(),
        lasts_s=5.0,
    ),
    Fault("release half copied", "process", lambda w: w.cut_upgrade()),
    Fault("a start crashes", "process", lambda w: w.crash_starts(1)),
    Fault(
        "starts crash until one leaves it out",
        "process",
        lambda w: w.crash_starts(FOR_GOOD),
        lambda w: w.crash_starts(0),
        names=Alert.SAFE_MODE,
        lasts_s=5.0,
    ),
)
"""Everything that is tried; wrong presses and misthrows are the players' own."""

STAND_INS = {
    "camera": "pictures made for it, under the real thread and its feed",
    "disk": "errors made for it, under the real journal",
    "card": "the room's clock, under the real journal",
    "supply": "what the loop is told of the voltage",
    "button": "mock pins, under the real gpiozero; no trace of a real switch",
    "clock": "time.time, shifted; what C libraries ask is not",
    "frames": "the room's clock",
    "button closed from the start": "a mock pin, under the real gpiozero",
    "service restarted": "the same process",
    "power cut at a write": "a disk that forgets what was not synced; the same process",
    "contacts bounce as switches do": "edges drawn within published times, and the debouncing",
    "upgrade and back": "both releases are this one; the switch is the real script's",
    "release half copied": "the same; a script killed before a step, and half of a copy",
    "broker hostile": "sockets of the room's own; the real broker keeps the rubbish",
    "phone as a camera falls asleep": "what a page would send, in the real link of a phone",
    "memory short": "a limit of the whole process while the loop works, no cgroup",
    "a start crashes": "systemd: a loop that keeps the real record of starts",
    "starts crash until one leaves it out": "systemd: a loop that keeps the real record of starts",
}
"""What stands in for the real thing, by the fault's name or its part; nothing does for others.

Their files, sockets, processes, threads, link and firmware are the real ones.
"""


def stand_in_of(fault: Fault) -> str:
    """What stands in for the real thing; empty where nothing does."""
    return STAND_INS.get(fault.name, STAND_INS.get(fault.part, ""))


NOT_AT_ONCE = (
    # What a disk refuses is in memory alone, and the board says so until it is on the disk.
    frozenset({"disk", "files"}),
    frozenset({"disk", "process"}),
    frozenset({"disk", "reader"}),
    # A restart is how it is found out what rot has taken.
    frozenset({"files", "process"}),
    # Both are the same alert.
    frozenset({"button", "process"}),
    # Without memory the appliance ends, as by a fault of its process.
    *(frozenset({part, "memory"}) for part in ("disk", "files", "reader", "button", "process")),
)
"""Parts whose faults contradict each other, besides two of the same part."""


IN_ONE_ORDER = frozenset(
    {
        # In safe mode no game begins, and a tray without games would take the stick for its own.
        ("starts crash until one leaves it out", "stick of another tray"),
    }
)
"""Names of faults of which the second cannot begin once the first has."""


def pairs_of(faults: Sequence[Fault]) -> list[tuple[Fault, Fault]]:
    """All pairs that can last at once, in both orders, or in the one that there is."""
    return [
        (first, second)
        for first in faults
        for second in faults
        if first.part != second.part
        and {first.part, second.part} not in NOT_AT_ONCE
        and (first.name, second.name) not in IN_ONE_ORDER
    ]


class WallClock:
    """Makes `time.time` another date, and wrong, for logs and all other callers."""

    def __init__(self) -> None:
        self._real = time.time
        self._date_off_s = self._off_s = 0.0
        time.time = self._now

    def _now(self) -> float:
        return self._real() + self._date_off_s + self._off_s

    def set_date(self, time_s: float) -> None:
        """Makes this the true time, seconds since 1970; what is shown is as wrong as before."""
        self._date_off_s = time_s - self._real()

    def shift(self, seconds: float) -> None:
        """Makes it wrong by this much from now on."""
        self._off_s = seconds

    def set(self, time_s: float) -> None:
        """Makes it show this time, seconds since 1970."""
        self._off_s = time_s - self._real() - self._date_off_s

    def close(self) -> None:
        """Restores the real one."""
        time.time = self._real
