"""The map quotes what a throw and two presses print on their way through the code."""

import os
import re

import pytest

from tests.docs.one_throw import walk
from tests.paths import ROOT

PAGE = ROOT / "docs" / "house.md"
QUOTED = re.compile(r"<!-- printed: ([\w ]+) -->\n(.*?)<!-- end of \1 -->\n", re.DOTALL)


@pytest.mark.slow
def test_the_map_quotes_what_is_printed_on_the_way() -> None:
    """With DICETRAY_UPDATE_GOLDEN set, the quotations are rewritten, for inspection."""
    printed = {part: f"```text\n{text}\n```\n" for part, text in walk().items()}
    page = PAGE.read_text(encoding="utf-8")
    if os.environ.get("DICETRAY_UPDATE_GOLDEN"):
        page = QUOTED.sub(
            lambda found: (
                f"<!-- printed: {found[1]} -->\n{printed[found[1]]}<!-- end of {found[1]} -->\n"
            ),
            page,
        )
        PAGE.write_text(page, encoding="utf-8")
    quoted = dict(QUOTED.findall(page))
    assert list(quoted) == list(printed)
    for part, text in printed.items():
        assert quoted[part] == text, f"{part}: docs/house.md says how to renew it"
