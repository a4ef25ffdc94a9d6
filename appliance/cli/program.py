"""The command `dicetray` as a process."""

import gc
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_COLLECT_AFTER = 25_000
"""New objects after which Python looks for reference cycles, in place of some hundred: what a start
makes stays, and looking at it again and again takes a tenth of the start."""


def program() -> "NoReturn":
    """Runs the command of this process's arguments, and ends the process with its status."""
    gc.set_threshold(_COLLECT_AFTER)
    # Until signals are handled, Ctrl-C ends it as the others do: without a traceback of imports,
    # which is why there are none above.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from appliance.cli.main import main
    from appliance.cli.shared.leaving import leave
    from appliance.cli.shared.stopping import status_when_told

    try:
        status = main()
    except KeyboardInterrupt as told:
        status = status_when_told(told)
    leave(status)


if __name__ == "__main__":
    program()
