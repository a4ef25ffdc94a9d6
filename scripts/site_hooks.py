"""Hooks for the MkDocs site: pages from outside docs/, and the links to them.

The documents are written to be read as files; the site is made from them as they are.
"""

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
PAGES = {"README.md": "index.md"} | {
    name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
}
"""Documents in the project's root, and their names in the site."""
FOLDERS = {"docs/print": "print/dicetray-a4.pdf"}
"""Folders that documents link to, and what the site links to instead."""

_INLINE = re.compile(r"(?<!`)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
_REFERENCE = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.MULTILINE)


def on_files(files: Any, config: Any) -> Any:
    """Adds the documents in the project's root."""
    for name, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Turns links between files of the project into links of the site."""
    uri = page.file.src_uri
    source = next((name for name, made in PAGES.items() if made == uri), f"docs/{uri}")

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

    return deepened(_REFERENCE.sub(reference, _INLINE.sub(inline, markdown)))


def deepened(markdown: str) -> str:
    """The text with the contents of list items indented by four, as Python-Markdown requires."""
    lines, inside = markdown.split("\n"), False
    for number, line in enumerate(lines):
        text = line.lstrip(" ")
        depth = len(line) - len(text)
        if text and not depth:
            inside = bool(_ITEM.match(text))
        elif inside and depth in (2, 3, 6, 7):
            lines[number] = " " * (4 if depth < 4 else 8) + text
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
