"""Contents of the documents: commands, links, headings. Used by the tests beside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.paths import ROOT

FOLDERS = ("scripts/", ".venv/bin/", "systemd/", "tests/lab/")
PROGRAMS = ("dicetray", "sudo", "python", "python3", "systemctl", "journalctl")
"""The beginnings of commands, possibly after a setting."""

_SETTING = re.compile(r"(?:[A-Z][A-Z_]*=(?:\([^)]*\)|\S+)\s+)+")
_FOLDERS = "|".join(re.escape(folder) for folder in FOLDERS)
_COMMAND = re.compile(rf"(?:(?:{_FOLDERS})[\w./-]+|{'|'.join(PROGRAMS)})(?:\s|$)")
_HANDED_OUT = re.compile(r"(?:seq \d+ \| parallel|sbatch) .*?(\.venv/bin/python [^']+)")
"""What an engine is to run on each machine."""
_FENCE = re.compile(r"^\s*```")
_SHELLS = ("", "sh", "bash", "console", "shell", "text")
_INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it stands in a document.

    Attributes:
        where: file and line.
        text: the command without any remark about it.
        inline: whether it stands within a sentence.
    """

    where: str
    text: str
    inline: bool = False

    @property
    def settings(self) -> list[str]:
        """Names of environment variables that it sets."""
        return re.findall(r"([A-Z][A-Z_]*)=", self.text[: len(self.text) - len(self.bare)])

    @property
    def bare(self) -> str:
        """The command without settings, sudo, redirections and pipes."""
        text = _SETTING.sub("", self.text, count=1) if _SETTING.match(self.text) else self.text
        text = re.split(r"\s[|>]\s|\s&&\s|;\s", text)[0]
        return re.sub(r"^sudo (?:-u dicetray )?", "", text).strip()


def documents() -> list[Path]:
    """All documents of the project."""
    places = ("*.md", "docs/**/*.md", "findings/*.md", "scripts/*/*.md", "tests/lab/*.md")
    found = (ROOT.glob(place) for place in places)
    return [path for paths in found for path in sorted(paths)]


def outside_code(text: str) -> list[tuple[int, str]]:
    """Lines with their numbers, code blocks left out."""
    code = {number for number, _ in _code_lines(text)}
    return [(n, line) for n, line in enumerate(text.splitlines(), 1) if n not in code]


def _code_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines of fenced blocks of a shell or of no language, and of indented blocks."""
    fenced: str | None = None
    before, block = "", False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = None if fenced is not None else line.strip().strip("`").strip()
        elif fenced is not None:
            if fenced in _SHELLS:
                yield number, line
        elif line.startswith("    ") and (block or not before.strip()):
            block = True
            yield number, line
        elif line.strip():
            block = False
        before = line


def commands(path: Path) -> Iterator[Command]:
    """Every command of a document."""
    text = path.read_text(encoding="utf-8")
    name = str(path.relative_to(ROOT))
    joined, started = "", 0
    for number, line in _code_lines(text):
        started = started or number
        joined += line.strip()
        if joined.endswith("\\"):
            joined = joined[:-1].rstrip() + " "
            continue
        # A remark about a command follows two spaces, or a #.
        words = re.split(r"\s{2,}|\s#\s", joined.removeprefix("$ "))[0]
        if handed_out := _HANDED_OUT.match(joined):
            words = re.sub(r"\{\}|\$SLURM_ARRAY_TASK_ID", "2", handed_out[1])
        if _is_command(words):
            yield Command(f"{name}:{started}", words)
        joined, started = "", 0
    lines = "\n".join(line for _, line in outside_code(text))
    for found in _INLINE.finditer(lines):
        words = " ".join(found[1].split())
        if (" " in words and _is_command(words)) or re.fullmatch(
            r"scripts/(?:hardware/|training/)?[\w.-]+", words
        ):
            yield Command(f"{name} `{words}`", words, inline=True)


def _is_command(text: str) -> bool:
    return bool(_COMMAND.match(_SETTING.sub("", text, count=1)))


def links(path: Path) -> Iterator[str]:
    """Every link and picture of a document."""
    for _, line in outside_code(path.read_text(encoding="utf-8")):
        yield from _LINK.findall(_INLINE.sub("", line))


def anchors(path: Path) -> set[str]:
    """The anchors that links can name in a document, as GitHub derives them from headings."""
    found = set()
    for _, line in outside_code(path.read_text(encoding="utf-8")):
        if heading := re.match(r"#+ (.*)", line):
            words = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            found.add(re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-"))
    return found


def named_paths(path: Path) -> Iterator[str]:
    """Files of this project that a document names in a sentence."""
    lines = "\n".join(line for _, line in outside_code(path.read_text(encoding="utf-8")))
    rooms = (
        "appliance|calibration|examples|games|simulator|vision|firmware|scripts|systemd|tests|docs"
    )
    for found in _INLINE.finditer(lines):
        if re.fullmatch(rf"(?:{rooms})/[\w./-]*", found[1]):
            yield found[1]
