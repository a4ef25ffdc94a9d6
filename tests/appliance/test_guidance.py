"""The keys that texts name."""

import re

from appliance.guidance import KEY_BY_NAME
from tests.paths import ROOT


def test_every_key_that_a_text_names_is_known() -> None:
    texts = set[str]()
    for file in (ROOT / "appliance").rglob("*.py"):
        source = file.read_text("utf-8")
        if re.search(r"import .*\bguidance\b|^def guidance", source, re.M):
            texts |= set(re.findall(r'"([^"\n|]+)\|[^"\n]*"', source))
    assert len(texts) > 10
    # To throw real dice is no key.
    assert texts - KEY_BY_NAME.keys() == {"throw"}
