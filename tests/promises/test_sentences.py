"""Each promise stands on its page as its test says it, and has a fault that its test notices."""

import ast
import re

from scripts.try_faults import read_faults
from tests.paths import ROOT

PROMISES = sorted((ROOT / "tests/promises").glob("test_*.py"))
THIS = "test_sentences.py"


def plain(text: str) -> str:
    """A text without what sets it in type."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(text.replace("*", "").split())


def sentences() -> dict[str, tuple[str, str]]:
    """Of each test its page and its sentence."""
    found = {}
    for file in PROMISES:
        module = ast.parse(file.read_text("utf-8"))
        if file.name == THIS:
            continue
        page = re.search(r"What (\S+) promises", ast.get_docstring(module) or "")
        assert page, file
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                name = f"tests/promises/{file.name}::{node.name}"
                found[name] = page[1], ast.get_docstring(node) or ""
    return found


def test_each_test_is_a_sentence_of_its_page() -> None:
    for name, (page, sentence) in sentences().items():
        assert sentence, name
        assert plain(sentence) in plain((ROOT / page).read_text("utf-8")), (name, sentence)


def test_each_has_a_fault_that_breaks_it() -> None:
    noticing = {fault.noticed_by for fault in read_faults() if fault.room == "promises"}
    assert noticing == sentences().keys()
