"""The program's own sentences, with gaps for what it puts into them.

Of a text that it has made, only what stands in its source may leave the house. A gap shows what was
put there if the source asks for a number there (`{free:d}`, `%.1f`), if it says by `{version:s}`
that it may be shared, or if that is a sentence of ours again; else it shows `(set)`.
"""

import ast
import builtins
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from errno import errorcode
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from appliance.alerts import Alert
from appliance.service.phase import Phase
from appliance.service.starts import END_UNKNOWN, RUNNING

SET = "(set)"
"""Stands for whatever stays in the house."""

_PACKAGES = ("appliance", "calibration", "games", "vision")
_LEFT_OUT = frozenset({"languages", "screens", "simulator", "strategy"})
"""Folders whose texts are in no report and no log."""

_MIN_WORDS = 2
"""One word alone could be somebody's password."""

_MAX_LETTERS = 2000
_DEEPEST = 6
_MOST_FITS = 3
"""How many sentences are tried for one text; those with the most own signs come first."""

_GAP = re.compile(r"%[-+ 0]?\d*(?:\.\d+)?(?P<kind>[dfgrs])|\{\w*\}")
"""A gap of a text that is filled later: by a log's arguments, or by `format`."""

_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,}(?![A-Za-z])")
_NUMBER = re.compile(r"-?\d{1,5}(?:\.\d{1,4})?%?")
"""Of six digits it could be a PIN."""

_SHARED = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .+-]{0,39}")
_SEPARATORS = ("; ", ": ", " - ", ", ")
"""Where the program joins sentences."""


class Gap(Enum):
    """The content that a gap may show."""

    NUMBER = _NUMBER
    SHARED = _SHARED
    OURS = None
    """Only what is a sentence of ours itself."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text of the source; between two of its texts is a gap."""

    texts: tuple[str, ...]
    gaps: tuple[Gap, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are in any text made of it; one beside a gap may go on in the gap."""
        last = len(self.texts) - 1
        glued = (f"{'x' * (i > 0)}{t}{'x' * (i < last)}" for i, t in enumerate(self.texts))
        return tuple(word for text in glued for word in _WORD.findall(text))

    @property
    def letters(self) -> int:
        """How many signs of it are not in gaps."""
        return sum(map(len, self.texts))

    def contents(self, text: str) -> tuple[str, ...] | None:
        """The contents of the gaps in a text that was made of it; None if it was not."""
        first, last = self.texts[0], self.texts[-1]
        if not self.gaps:
            return () if text == first else None
        if not text.startswith(first) or not text[len(first) :].endswith(last):
            return None
        rest = text[len(first) : len(text) - len(last)]
        found: list[str] = []
        for between in self.texts[1:-1]:
            content, seen, rest = rest.partition(between) if between else ("", " ", rest)
            if not seen:
                return None
            found.append(content)
        return (*found, rest)


class OwnWords:
    """Tells what of a text may leave the house.

    Args:
        names: what is shown for a name that somebody has given a player.
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self._names = names or {}
        self._shared: dict[tuple[str, int], str] = {}

    def shared(self, text: str) -> str:
        """The text, with `(set)` in place of all that is not the program's own."""
        return self._share(text, _DEEPEST)

    def label(self, text: str) -> str:
        """A word that the doctor calls something; else as any text."""
        return text if text in _source().labels else self.shared(text)

    def _share(self, text: str, depth: int) -> str:
        if (text, depth) not in self._shared:
            self._shared[text, depth] = self._share_anew(text, depth)
        return self._shared[text, depth]

    def _share_anew(self, text: str, depth: int) -> str:
        if text in _PHRASES or _OF_STARTS.fullmatch(text):
            return text
        if place := _of_traceback(text):
            return place
        if (name := text.strip("'\"")) in self._names:
            return self._names[name]
        if not depth or len(text) > _MAX_LETTERS:
            return SET
        made = ((s, s.contents(text)) for s in _source().candidates(text))
        fits = [(sentence, found) for sentence, found in made if found is not None]
        fits.sort(key=lambda fit: -fit[0].letters)
        told = [self._fill(*fit, depth) for fit in fits[:_MOST_FITS]]
        return max((*told, self._share_parts(text, depth)), key=_telling)

    def _fill(self, sentence: Sentence, contents: tuple[str, ...], depth: int) -> str:
        shown = [sentence.texts[0]]
        for gap, content, text in zip(sentence.gaps, contents, sentence.texts[1:], strict=True):
            plain = gap.value is not None and gap.value.fullmatch(content)
            shown += [content if plain else content and self._share(content, depth - 1), text]
        return "".join(shown)

    def _share_parts(self, text: str, depth: int) -> str:
        """The parts of a joined text, each shared for itself, parted where most can be told."""
        told = [SET]
        for separator in _SEPARATORS:
            if separator in text:
                parts = [self._share(part, depth - 1) for part in text.split(separator)]
                shown = [p for i, p in enumerate(parts) if p != SET or parts[i - 1 : i] != [SET]]
                told.append(separator.join(shown))
        return max(told, key=_telling)


def _telling(shown: str) -> int:
    """How much a text tells: the letters and digits in it that are not in gaps."""
    return sum(map(str.isalnum, shown.replace(SET, "")))


class _Source:
    """The sentences in the source, found by their words."""

    def __init__(self) -> None:
        self.labels: set[str] = set()
        self._by_word: dict[str, list[Sentence]] = defaultdict(list)
        found = dict.fromkeys(
            sentence
            for package in _PACKAGES
            for path, text in _modules(files(package))
            for sentence in self._sentences_of(path, text)
        )
        found |= dict.fromkeys(Sentence((alert.sentence,)) for alert in Alert)
        found |= dict.fromkeys(map(_split_at_gaps, _OF_SYSTEMD))
        words = {sentence: sentence.words for sentence in found}
        for sentence, own in words.items():
            # A page's markup is hardly words.
            if len(own) >= _MIN_WORDS and "<" not in sentence.texts[0]:
                # Long words are rare.
                self._by_word[max(own, key=len)].append(sentence)

    def candidates(self, text: str) -> Iterator[Sentence]:
        """The sentences of which a text may be made."""
        for word in set(_WORD.findall(text)):
            yield from self._by_word.get(word, ())

    def _sentences_of(self, path: str, text: str) -> Iterator[Sentence]:
        of_doctor = "/diagnostics/" in path or path.endswith("/doctor.py")
        for node in _strings(ast.parse(text)):
            sentence = _sentence_of(node)
            if of_doctor and not sentence.gaps:
                self.labels.add(sentence.texts[0])
            yield sentence


@cache
def _source() -> _Source:
    return _Source()


def _modules(folder: Traversable, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and text of each module of a package."""
    for entry in folder.iterdir():
        if entry.is_dir():
            if entry.name not in _LEFT_OUT:
                yield from _modules(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(".py"):
            yield f"{path}/{entry.name}", entry.read_text(encoding="utf-8")


def _strings(tree: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """The texts of a module, without what only describes it."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Expr(ast.Constant()):
                pass
            case ast.Constant(str()):
                yield node
            case ast.JoinedStr():
                yield node
                for value in node.values:
                    if isinstance(value, ast.FormattedValue):
                        yield from _strings(value.value)
            case _:
                yield from _strings(node)


def _sentence_of(node: ast.Constant | ast.JoinedStr) -> Sentence:
    if isinstance(node, ast.Constant):
        return _split_at_gaps(str(node.value))
    texts, gaps = [""], list[Gap]()
    for value in node.values:
        if isinstance(value, ast.Constant):
            texts[-1] += str(value.value)
        elif isinstance(value, ast.FormattedValue):
            gaps.append(_gap_of(value))
            texts.append("")
    return Sentence((*texts[:-1], texts[-1].rstrip("\n")), tuple(gaps))


def _gap_of(value: ast.FormattedValue) -> Gap:
    match value.format_spec:
        case ast.JoinedStr([ast.Constant(str(form))]) if form[-1:] in tuple("dfg%"):
            return Gap.NUMBER
        case ast.JoinedStr([ast.Constant("s")]):
            return Gap.SHARED
    return Gap.OURS


_FRAME = re.compile(
    rf' *File "(?:[^"]*?/)?((?:{"|".join(_PACKAGES)})/[a-z0-9_/]+\.py)", line (\d{{1,5}}), in (\S+)'
)
_CLASS = re.compile(rf"((?:{'|'.join(_PACKAGES)})(?:\.[a-z0-9_]+)+)\.([A-Za-z_]+)")
_NAMELESS = frozenset({"<module>", "<lambda>", "<genexpr>", "<listcomp>", "<dictcomp>"})


def _of_traceback(text: str) -> str | None:
    """The part of a traceback that is about our own source: a place in it, or a class of errors."""
    if found := _FRAME.fullmatch(text):
        path, line, name = found.groups()
        if name in _defined_in(path):
            return f"{path}:{line} {name}"
    elif (found := _CLASS.fullmatch(text)) and found[2] in _defined_in(
        f"{found[1].replace('.', '/')}.py"
    ):
        return text
    return None


@cache
def _defined_in(path: str) -> frozenset[str]:
    """The names of functions and classes in a file of ours; empty if there is no such file."""
    package, _, rest = path.partition("/")
    file = files(package).joinpath(rest)
    if not file.is_file():
        return frozenset()
    return _NAMELESS | {
        node.name
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


def _split_at_gaps(text: str) -> Sentence:
    texts, gaps, at = list[str](), list[Gap](), 0
    for found in _GAP.finditer(text):
        texts.append(text[at : found.start()])
        gaps.append(Gap.NUMBER if found["kind"] in ("d", "f", "g") else Gap.OURS)
        at = found.end()
    return Sentence((*texts, text[at:].rstrip("\n")), tuple(gaps))


_OF_SQLITE = (
    *("database disk image is malformed", "file is not a database", "database or disk is full"),
    *("attempt to write a readonly database", "unable to open database file", "disk I/O error"),
    *("database is locked", "database table is locked", "database schema has changed"),
)
"""SQLite's words about a file (sqlite3ErrStr in its main.c)."""

_RESULTS = (
    *("success", "protocol", "timeout", "exit-code", "signal", "core-dump", "watchdog"),
    *("start-limit-hit", "resources", "oom-kill"),
)
"""`Result=` of a unit (systemd, service_result_table in src/core/service.c)."""

_SIGNALS = (
    *("HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "SEGV", "PIPE", "ALRM"),
    *("TERM", "SYS", "XCPU"),
)
_STATUSES = (
    *("SUCCESS", "FAILURE", "INVALIDARGUMENT", "SOFTWARE", "n/a", "CHDIR", "EXEC", "GROUP", "USER"),
    *("NAMESPACE", "SECCOMP", "RUNTIME_DIRECTORY", "STATE_DIRECTORY", "CREDENTIALS"),
)
"""Systemd's words for the exit statuses of the program, and its own (src/shared/exit-status.c)."""
_PROGRAMS = ("python", "dicetray", "sh", "espeak-ng", "aplay")
"""The programs that may run in the unit, as the kernel calls them."""

_OF_SYSTEMD = (
    *(f"Failed with result '{result}'." for result in _RESULTS),
    "Scheduled restart job, restart counter is at %d.",
    "Main process exited, code=exited, status=%d/%s",
    *(f"Main process exited, code=exited, status=%d/{status}" for status in _STATUSES),
    *(
        f"Main process exited, code={code}, status=%d/{name}"
        for code in ("killed", "dumped")
        for name in (*_SIGNALS, "%s")
    ),
    *(
        f"Killing process %d ({program}) with signal SIG{name}."
        for program in (*_PROGRAMS, "%s")
        for name in _SIGNALS
    ),
    "A process of this unit has been killed by the OOM killer.",
    "start operation timed out. Terminating.",
    "start operation timed out. Killing.",
    "State 'stop-sigterm' timed out. Killing.",
    "State 'stop-watchdog' timed out. Killing.",
    "Processes still around after SIGKILL. Ignoring.",
    "Watchdog timeout (limit %ds)!",
    "Watchdog timeout (limit %s)!",
    *(
        f"{word} %s - dicetray: reads dice in a tray and keeps the score{end}"
        for word, end in (
            ("Starting", "..."),
            ("Started", "."),
            ("Stopping", "..."),
            ("Stopped", "."),
        )
    ),
)
"""Systemd's words about the service (src/core/service.c, unit.c and job.c)."""

_OF_PYTHON = (
    "Traceback (most recent call last):",
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
    *(
        name
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException)
    ),
)
"""The parts of a traceback, and the classes of Python's own errors."""

_PHASE = rf"(?:{'|'.join(phase.key for phase in Phase)})"
_END = rf"(?:{_PHASE}|{RUNNING}) \((?:{'|'.join((*_RESULTS, END_UNKNOWN))})\)"
_OF_STARTS = re.compile(rf"{_END}(?:, {_END})*|{_PHASE}(?:, {_PHASE})+")
"""Starts that failed; phases that are left out, two or more, as one word could be a password."""

_PHRASES = frozenset(
    {
        *(SET, "dicetray.service", *_OF_SQLITE, *_OF_PYTHON),
        *(os.strerror(number) for number in errorcode),
    }
)
"""The phrases of others that may be shared as they are."""
