"""Runs the program as on Windows, as far as Linux can pretend: python -m tests.rigs.windows ...

Our own modules see `sys.platform` as Windows has it, cannot import what Windows lacks, and miss the
attributes that its `os`, `signal`, `socket`, `select` and `time` lack. Libraries are loaded before.
"""

import builtins
import errno
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType, SimpleNamespace

LACKING_MODULES = frozenset(
    {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
)
OURS = frozenset(
    {"appliance", "calibration", "dicetray", "firmware", "games", "simulator", "vision"}
)

LACKING_ATTRIBUTES: Mapping[ModuleType, str] = {
    os: "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK fchmod fchown fork getegid geteuid "
    "getgid getpgid getuid killpg mkfifo nice openpty posix_fadvise pread pwrite set_blocking "
    "setsid sched_getaffinity statvfs sync sysconf ttyname uname ST_RDONLY",
    signal: "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGTSTP SIGUSR1 SIGUSR2 "
    "alarm pthread_kill setitimer",
    socket: "AF_UNIX SO_PEERCRED SO_REUSEPORT SOCK_CLOEXEC SOCK_NONBLOCK TCP_USER_TIMEOUT",
    select: "EPOLLIN POLLIN POLLOUT POLLHUP epoll poll",
    time: "CLOCK_BOOTTIME clock_gettime pthread_getcpuclockid tzset",
}
"""The names the standard library of Windows lacks (its documentation: "Availability: Unix")."""

LIBRARIES = (
    *("asyncio", "cv2", "email.parser", "gpiozero", "gpiozero.pins.mock", "logging", "mpremote"),
    *("multiprocessing", "numpy", "onnxruntime", "paho.mqtt.client", "serial", "serial.tools"),
    *("serial.tools.list_ports", "shutil", "sqlite3", "starlette.applications"),
    *("starlette.routing", "starlette.staticfiles", "subprocess", "tempfile", "threading"),
    *("uvicorn", "uvicorn.config", "webbrowser", "concurrent.futures.thread"),
)
"""Loaded before anything is taken away: they have branches of their own for Windows."""


class Lacking:
    """A module without some of its attributes."""

    def __init__(self, module: ModuleType, lacking: Sequence[str]) -> None:
        self._module, self._lacking = module, frozenset(lacking)

    def __getattr__(self, name: str) -> object:
        if name in self._lacking:
            raise AttributeError(f"module {self._module.__name__!r} has no attribute {name!r}")
        return getattr(self._module, name)


class SignalsThere:
    """The signals of Windows by name."""

    def __init__(self) -> None:
        lacking = LACKING_ATTRIBUTES[signal].split()
        every = signal.Signals.__members__
        self.__members__ = {name: value for name, value in every.items() if name not in lacking}

    def __getitem__(self, name: str) -> signal.Signals:
        return self.__members__[name]


class Bytes:
    """Stands for `msvcrt`; locks bytes as it does, and has no keys."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        import fcntl

        self._flock = fcntl.flock
        self._how = fcntl.LOCK_EX | fcntl.LOCK_NB

    def locking(self, handle: int, how: int, count: int) -> None:
        """Locks bytes from where the file is read next."""
        assert how == self.LK_NBLCK
        try:
            self._flock(handle, self._how)
        except BlockingIOError as error:
            raise PermissionError(errno.EACCES, "Permission denied") from error

    def kbhit(self) -> bool:
        """True if a key was pressed."""
        return False

    def getwch(self) -> str:
        """The next key."""
        return "\x04"


def pretend() -> None:
    """From here on, our modules find what they would find on Windows."""
    for name in LIBRARIES:
        import_module(name)
    usual = builtins.__import__
    seen = {name.__name__: Lacking(name, text.split()) for name, text in LACKING_ATTRIBUTES.items()}
    seen_os = seen["os"]
    vars(seen_os).update(O_BINARY=0, O_NOINHERIT=0)
    vars(seen["signal"]).update(Signals=SignalsThere())
    kernel = SimpleNamespace(GetStdHandle=int, GetConsoleMode=lambda *_: 0)
    windll = SimpleNamespace(kernel32=kernel)
    seen["ctypes"] = Lacking(import_module("ctypes"), ())
    vars(seen["ctypes"]).update(windll=windll)
    seen["msvcrt"] = Bytes()  # type: ignore[assignment]

    def imported(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> object:
        importer = str((globals or {}).get("__name__", "")).partition(".")[0]
        if importer in OURS and not level:
            if name.partition(".")[0] in LACKING_MODULES:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if name in seen:
                return seen[name]
        return usual(name, globals, locals, fromlist or (), level)

    builtins.__import__ = imported  # type: ignore[assignment]
    sys.platform = "win32"


if __name__ == "__main__":
    pretend()
    from appliance.cli.main import main

    sys.exit(main(sys.argv[1:]))
