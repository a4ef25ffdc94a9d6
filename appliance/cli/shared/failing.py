"""Words for people when the program fails unexpectedly, and the report for its developers.

Expected errors have a type and a sentence of their own. Any other error is a bug in the program:
its traceback goes into a file, not onto somebody's terminal.
"""

import errno
import logging
import os
import sys
import threading
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO, TypeGuard

from appliance.cli.shared.extras import EXTRA_OF_PACKAGE, how_to_add
from appliance.errors import DiscreetFormatter, printable, without_passwords
from appliance.journal.origin import own_version
from vision.files.ordinary import remove_file, write_all

log = logging.getLogger(__name__)

EXIT_BAD_INPUT = 2
"""Exit status for input, files or devices that cannot be used."""

EXIT_SOFTWARE = 70
"""Exit status for a bug in the program (EX_SOFTWARE of sysexits.h)."""

EXIT_UNREAD = 141
"""Exit status when nobody reads the output any more, as a shell reports SIGPIPE."""

NO_MEMORY = b"dicetray: internal error (out of memory). The computer has no memory left.\n"
"""The message where not even a sentence can be made any more."""

MAX_REPORTS = 20
"""Most reports kept in a folder; the oldest are deleted first."""

_REPORT_NAME = "report-{}.txt"


def log_to_stderr() -> None:
    """Sends what is logged to stderr, without passwords."""
    handler = logging.StreamHandler()
    handler.setFormatter(DiscreetFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def report(error: Exception, args: Namespace, arguments: Sequence[str]) -> int:
    """Says on stderr what has ended a command; returns the exit status for it.

    Expected errors are a sentence each; any other is a bug, with a report in a file.
    """
    if _is_expected(error):
        _print_to_stderr(f"dicetray: {printable(str(error))}")
        return EXIT_BAD_INPUT
    if isinstance(error, ModuleNotFoundError):
        extra = EXTRA_OF_PACKAGE.get((error.name or "").partition(".")[0])
        if extra is None:
            return _report_bug(error, args, arguments)
        how = how_to_add(extra)
        _print_to_stderr(f"dicetray: this needs {error.name}, which is not installed; {how}")
        return EXIT_BAD_INPUT
    if nobody_reads_output(error):
        # Nothing left to say, neither here nor at interpreter exit.
        with suppress(OSError):
            sys.stderr.close()
        return EXIT_UNREAD
    serves = getattr(args, "serves", False) and not is_output_full(error)
    if is_system_error(error) and not serves:
        _print_to_stderr(f"dicetray: {system_sentence(error)}")
        return EXIT_BAD_INPUT
    return _report_bug(error, args, arguments)


def _is_expected(error: Exception) -> bool:
    """True for what a room raises on purpose; a room that is not loaded has raised nothing."""
    bases = (
        ("appliance.errors", "ApplianceError"),
        ("calibration.errors", "CalibrationError"),
        ("games.values", "RulesError"),
        ("vision.errors", "VisionError"),
    )
    rooms = ((sys.modules.get(module), name) for module, name in bases)
    return any(isinstance(error, getattr(room, name)) for room, name in rooms if room)


def _print_to_stderr(sentence: str) -> None:
    """Says it on stderr, if possible; keeps the interpreter from retrying at exit."""
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        with suppress(OSError):
            sys.stderr.close()


def _report_bug(error: Exception, args: Namespace, arguments: Sequence[str]) -> int:
    """Reports a bug in the program; a service's log gets the traceback too."""
    try:
        _tell_bug(error, args, arguments)
    except MemoryError:
        # A text that is there already can still be written.
        with suppress(OSError):
            os.write(2, NO_MEMORY)
    return EXIT_SOFTWARE


def _tell_bug(error: Exception, args: Namespace, arguments: Sequence[str]) -> None:
    try:
        text = report_text(error, arguments)
        file = write_report(text, report_folders(args))
    except (MemoryError, OSError, ImportError):
        # What the report needs cannot be loaded where there is no memory, or no file can be opened.
        file = None
    with suppress(OSError):
        if not sys.stderr.isatty() and getattr(args, "serves", False):
            log.error("the program has failed", exc_info=error)
        _print_to_stderr(
            "\n".join(failure_sentences(error, file, plays=getattr(args, "plays", False)))
        )


def report_folders(args: Namespace) -> tuple[Path, ...]:
    """Where a report may be kept, best first: beside the named games, then in state folders."""
    journal = getattr(args, "journal", None)
    named = journal is not None and str(journal) != ":memory:"
    beside = (Path(str(journal)).absolute().parent,) if named else ()
    service = tuple(Path(p) for p in os.environ.get("STATE_DIRECTORY", "").split(":") if p)
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")  # noqa: PTH111
    return (*beside, *service, Path(base) / "dicetray")


def report_text(error: BaseException, arguments: Sequence[str]) -> str:
    """Everything known about a failure, as text; of addresses only the scheme."""
    # A start that does not fail is not to wait for these.
    import platform
    import traceback

    about = (
        f"dicetray {own_version()}, Python {platform.python_version()}",
        platform.platform(),
        datetime.now().astimezone().isoformat(timespec="seconds"),
        f"arguments: {' '.join(arguments)}",
    )
    text = "\n".join((*about, "", *traceback.format_exception(error)))
    return without_passwords(text, only_scheme=True)


def write_report(text: str, where: Iterable[Path]) -> Path | None:
    """Writes a report into the first folder that can take it; None if none can."""
    name = _REPORT_NAME.format(datetime.now().strftime("%Y%m%d-%H%M%S"))
    for folder in where:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / name
            # It may contain paths and names: only its owner may read it.
            write_all(file, text.encode("utf-8", "replace"), mode=0o600)
            for old in sorted(folder.glob(_REPORT_NAME.format("*")))[:-MAX_REPORTS]:
                remove_file(old)
        except OSError:
            continue
        return file
    return None


def failure_sentences(error: BaseException, file: Path | None, *, plays: bool) -> tuple[str, ...]:
    """Sentences for people: what happened, what became of the game, where the report is.

    The file is None where no report could be written; `plays` says whether a game may have been
    in progress.
    """
    short = "out of memory" if isinstance(error, MemoryError) else type(error).__name__
    saved = " Your games are saved." if plays else ""
    bug = "This is a bug in dicetray, not something you did."
    if isinstance(error, MemoryError):
        bug = "The computer has no memory left."
    first = f"dicetray: internal error ({short}). {bug}{saved}"
    if file is None:
        return (first,)
    return first, f"Please report it, with this file: {file}"


def nobody_reads_output(error: BaseException) -> bool:
    """True if nobody reads our output any more: `... | head`, or a terminal that was closed."""
    if not isinstance(error, OSError) or error.errno != errno.EIO:
        return isinstance(error, BrokenPipeError)
    return any(map(_is_closed_terminal, (sys.stdout, sys.stderr)))


_SYSTEM_ERRNOS = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG),
        *(errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP),
        *(errno.ENOTDIR, errno.EISDIR, errno.EEXIST),
    }
)


def is_system_error(error: BaseException) -> TypeGuard[OSError]:
    """True if a disk, a path or a permission is at fault rather than the program."""
    return isinstance(error, OSError) and error.errno in _SYSTEM_ERRNOS


def is_output_full(error: BaseException) -> bool:
    """True if there is no room for the output; errors of files carry the file's name."""
    return isinstance(error, OSError) and error.errno == errno.ENOSPC and not error.filename


def system_sentence(error: OSError) -> str:
    """The sentence that people read about such an error."""
    return printable(f"{error.filename or 'output'}: {error.strerror}; is there room, is it yours?")


def _is_closed_terminal(stream: TextIO) -> bool:
    """True for a terminal that was closed; a disk may fail with the same error."""
    try:
        os.get_terminal_size(stream.fileno())
    except OSError as error:
        return error.errno == errno.EIO
    return False


@contextmanager
def thread_errors_reported(arguments: Sequence[str], where: Sequence[Path]) -> Iterator[None]:
    """Reports errors in other threads, and those that Python can only print, in the same way.

    The program continues: whatever waits for such a thread's work notices that it is missing.
    """

    def failed(error: BaseException | None) -> None:
        if isinstance(error, Exception) and not nobody_reads_output(error):
            file = write_report(report_text(error, arguments), where)
            name = type(error).__name__
            log.error("a part of the program has failed (%s); report: %s", name, file)

    before = threading.excepthook, sys.unraisablehook
    threading.excepthook = lambda args: failed(args.exc_value)
    sys.unraisablehook = lambda args: failed(args.exc_value)
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = before
