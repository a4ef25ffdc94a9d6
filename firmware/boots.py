"""The boot counter: how the host notices that the Pico has restarted.

It is kept in a file of four bytes, written once per start. On the Pico's littlefs such a write is
one small commit to a log that wanders over the free blocks; see docs/scoreboard.md for the wear.
"""

# ruff: noqa: PTH107, PTH123 - there is no pathlib on the Pico

BOOTS_FILE = "boots"
SERVICE_FILE = "service"


def count_boot(path: str = BOOTS_FILE) -> int:
    """Counts this start and returns its number, from 1; wraps at 2**30.

    If the file is missing or damaged, it counts from 1 again; if it cannot be written, it returns
    0: the board works, but a quick restart may go unnoticed until the link's time-out.
    """
    count = 0
    try:
        with open(path, "rb") as file:
            data = file.read(5)
        if len(data) == 4:
            count = int.from_bytes(data, "little")
    except OSError:
        pass
    count = (count + 1) & 0x3FFFFFFF
    try:
        with open(path, "wb") as file:
            file.write(count.to_bytes(4, "little"))
    except OSError:
        return 0
    return count


def ask_for_service(path: str = SERVICE_FILE) -> None:
    """Makes the next start, and only that one, stop at the REPL."""
    with open(path, "wb") as file:
        file.write(b"1")


def service_asked(path: str = SERVICE_FILE) -> bool:
    """True if the last run asked for the REPL; asking clears the request."""
    import os

    try:
        os.remove(path)
    except OSError:
        return False
    return True
