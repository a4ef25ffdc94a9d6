"""shell.py REPORTS PROGRAM …: runs a program in the foreground of this terminal, as a shell does.

Ctrl-Z only stops what a shell can continue: this one continues it at once. What it saw goes to the
file descriptor REPORTS, one JSON object per line: `same` says whether the terminal's modes were the
same as before.
"""

import fcntl
import json
import os
import signal
import sys
import termios

JOB_CONTROL = (signal.SIGTTOU, signal.SIGTSTP, signal.SIGINT, signal.SIGQUIT)


def modes() -> list[object]:
    """The terminal's modes; none where it was closed."""
    try:
        return termios.tcgetattr(0)
    except termios.error:
        return []


def main(reports: int, program: list[str]) -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # What is typed while the program is stopped is not meant for the shell.
    for number in JOB_CONTROL:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    before = modes()
    pid = os.fork()
    if pid == 0:
        os.close(reports)
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        for number in (*JOB_CONTROL, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        os.execv(program[0], program)
    # The kernel tells only the shell that the window was closed (bash(1), SIGNALS).
    signal.signal(signal.SIGHUP, lambda *_: os.killpg(pid, signal.SIGHUP))
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        report: dict[str, object] = {"same": modes() in (before, [])}
        if os.WIFSTOPPED(status):
            os.tcsetpgrp(0, os.getpgrp())
            os.write(reports, (json.dumps(report | {"stopped": True}) + "\n").encode())
            os.tcsetpgrp(0, pid)
            os.killpg(pid, signal.SIGCONT)
        else:
            ended = {"status": os.waitstatus_to_exitcode(status)}
            os.write(reports, (json.dumps(report | ended) + "\n").encode())
            return


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
