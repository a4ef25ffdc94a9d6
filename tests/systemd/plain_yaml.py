"""Reads plain YAML, as far as our files use it, without a package that the tests would need.

Mappings, lists, `|` and `|-` blocks, quoted and plain texts, comments. All scalars are texts.
Anything else is an error, so a file that this reads is read alike by every YAML parser.
"""

import json
import re
from typing import TypeAlias

Node: TypeAlias = "str | list[Node] | dict[str, Node]"

_KEY = re.compile(r"([\w.@-]+):(?: +(.*))?$")
_PLAIN = re.compile(r"[^\s&*!|>%@`'\"\[\]{},#?:-](?:(?!: | #).)*$|-[^ ].*$|[$][^\n]*$")


class _Reader:
    def __init__(self, text: str) -> None:
        if "\t" in text:
            raise ValueError("expected no tabs")
        self.lines = text.split("\n")
        self.at = 0

    def indent(self) -> int:
        """Spaces before the next line that says something; -1 at the end."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip() and not line.lstrip().startswith("#"):
                return len(line) - len(line.lstrip())
            self.at += 1
        return -1

    def node(self, indent: int) -> Node:
        line = self.lines[self.at].strip()
        return self.items(indent) if line.startswith("- ") else self.mapping(indent)

    def items(self, indent: int) -> list[Node]:
        found: list[Node] = []
        while self.indent() == indent and self.lines[self.at].startswith("- ", indent):
            rest = self.lines[self.at][indent + 2 :]
            if _KEY.match(rest) and not rest.startswith('"'):
                self.lines[self.at] = " " * (indent + 2) + rest
                found.append(self.mapping(indent + 2))
            else:
                self.at += 1
                found.append(self.value(rest, indent))
        return found

    def mapping(self, indent: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        while self.indent() == indent and not self.lines[self.at].startswith("- ", indent):
            line = self.lines[self.at].strip()
            if (key := _KEY.match(line)) is None or key[1] in found:
                raise ValueError(f"line {self.at + 1}: expected a new key, found {line}")
            self.at += 1
            found[key[1]] = self.value(key[2] or "", indent)
        if self.indent() > indent:
            raise ValueError(f"line {self.at + 1}: indented too far")
        return found

    def value(self, text: str, indent: int) -> Node:
        if text in ("|", "|-"):
            return self.block(indent) + ("\n" if text == "|" else "")
        if text:
            return _scalar(text)
        inner = self.indent()
        return self.node(inner) if inner > indent else ""

    def block(self, indent: int) -> str:
        found = list[str]()
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            found.append(line)
            self.at += 1
        inner = min(len(line) - len(line.lstrip()) for line in found if line.strip())
        return "\n".join(line[inner:] for line in found).rstrip("\n")


def _scalar(text: str) -> Node:
    if text.startswith(('"', "[")):
        made: Node = json.loads(text)
        return made
    if not _PLAIN.match(text):
        raise ValueError(f"expected a plain text, found {text}")
    return text


def read(text: str) -> dict[str, Node]:
    """The one document of a file.

    Raises:
        ValueError: it is not YAML, or more than this reads.
    """
    lines = text.split("\n")
    if lines.count("---") == 1:
        before = lines[: lines.index("---")]
        if any(line.strip() and not line.startswith("#") for line in before):
            raise ValueError("expected one document")
        lines[lines.index("---")] = ""
    reader = _Reader("\n".join(lines))
    if reader.indent() != 0:
        raise ValueError("expected a mapping at the left edge")
    found = reader.mapping(0)
    if reader.indent() != -1:
        raise ValueError(f"line {reader.at + 1}: expected a key")
    return found
