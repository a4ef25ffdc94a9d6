#!/usr/bin/env python3
"""Makes the site of the documents: prepares its pages, then has a generator build them.

    .venv/bin/python scripts/make_site.py [--with mkdocs] [--out build/site]

The documents are written to be read as files. What they need to be a site is done here, before any
generator, so that MkDocs and Zensical build the same: pages from the project's root are added,
links become links of the site, and pictures can be enlarged.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = {"README.md": "index.md"} | {
    name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
}
"""Documents in the project's root, and their names in the site."""
FOLDERS = {"docs/print": "print/dicetray-a4.pdf"}
"""Folders that documents link to, and what the site links to instead."""
GENERATORS = {
    "mkdocs": ("-m", "mkdocs", "--quiet", "build", "--strict"),
    "zensical": ("-m", "zensical", "build", "--strict", "--clean"),
}
"""What builds the site, as arguments for Python."""

_INLINE = re.compile(r"(?<!`)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
_PICTURE = re.compile(r"^( *)(!\[[^\]]*\]\(([^)\s]+)\))$", re.MULTILINE)
_REFERENCE = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.MULTILINE)


def prepare(folder: Path) -> None:
    """Writes the pages of the site, and all that they show or link to, into a new folder."""
    shutil.copytree(DOCS, folder)
    for page in DOCS.glob("**/*.md"):
        uri = page.relative_to(DOCS).as_posix()
        (folder / uri).write_text(prepared(page.read_text("utf-8"), f"docs/{uri}", uri), "utf-8")
    for name, uri in PAGES.items():
        text = (ROOT / name).read_text("utf-8")
        (folder / uri).write_text(prepared(text, name, uri), "utf-8")


def prepared(markdown: str, source: str, uri: str) -> str:
    """A document as a page of the site.

    Args:
        markdown: the document.
        source: where it is, relative to the project's root.
        uri: where its page is in the site.
    """

    def inline(found: re.Match[str]) -> str:
        text, target, anchor = found.groups()
        if "issues/new?" in target:
            # A form of GitHub, which is nowhere beside the site.
            return str(text)
        address = of_site(source, uri, target)
        # A file of the project that is not a page: only its name remains.
        return (
            f"{text} (`{within(source, target)}`)"
            if not address
            else (f"[{text}]({address}{anchor or ''})")
        )

    def reference(found: re.Match[str]) -> str:
        return f"[{found[1]}]: {of_site(source, uri, found[2])}"

    linked = _REFERENCE.sub(reference, _INLINE.sub(inline, markdown))
    return deepened(_PICTURE.sub(r"\1[\2](\3)", linked))


def deepened(markdown: str) -> str:
    """The text as Python-Markdown requires it.

    The contents of list items are indented by four, and a blank line follows an item that has
    paragraphs.
    """
    lines: list[str] = []
    inside = parted = False
    for line in markdown.split("\n"):
        text = line.lstrip(" ")
        depth = len(line) - len(text)
        if text and not depth:
            if inside and parted and _ITEM.match(text) and lines[-1]:
                lines.append("")
            inside, parted = bool(_ITEM.match(text)), False
        elif inside and not text:
            parted = True
        elif inside and depth in (2, 3, 6, 7):
            line = " " * (4 if depth < 4 else 8) + text
        lines.append(line)
    return "\n".join(lines)


def within(source: str, target: str) -> str:
    """Where a link in a document leads, relative to the project's root."""
    return normpath(join(dirname(source), target))


def of_site(source: str, uri: str, target: str) -> str:
    """The address of a link's target in the site, relative to a page; empty if it is not there."""
    if ":" in target:
        return target
    path = within(source, target)
    made = PAGES.get(path) or FOLDERS.get(path) or path.removeprefix("docs/")
    return relpath(made, dirname(uri) or ".") if made != path or path in PAGES else ""


def build(generator: str, out: Path) -> int:
    """Builds the site into a folder, which it replaces; returns the generator's exit status."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        prepare(work / "pages")
        settings = (ROOT / "mkdocs.yml").read_text("utf-8")
        settings = settings.replace("paths: [.]", f"paths: ['{ROOT}']")
        (work / "mkdocs.yml").write_text(settings, "utf-8")
        command = [sys.executable, *GENERATORS[generator]]
        status = subprocess.run(command, cwd=work, check=False).returncode
        if not status:
            shutil.rmtree(out, ignore_errors=True)
            out.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(work / "site", out)
    return status


def main() -> int:
    """Parses the command line, and builds the site."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--with", dest="generator", choices=GENERATORS, default="mkdocs", help="what builds it"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "site", help="folder to write to"
    )
    given = parser.parse_args()
    return build(given.generator, given.out.resolve())


if __name__ == "__main__":
    sys.exit(main())
