"""The screens by which it is judged whether the board is understood are drawn in every language."""

import pytest

from appliance.screens.draw import film
from appliance.words import language_codes
from scripts.make_sheets import sheet, stills_to_read, truth
from tests.appliance.screens.test_reading import KINDS
from tests.rigs.gallery.judged import JUDGED
from tests.rigs.spoken import spoken
from tests.rigs.strict_drawing import strict_drawing


@pytest.mark.parametrize("code", language_codes())
def test_all_screens_that_are_judged_are_drawn_on_sheets(code: str) -> None:
    assert len(JUDGED) == 35
    with spoken(code), strict_drawing():
        films = [film(judged.prompt) for judged in JUDGED]
        for shown in films:
            some = stills_to_read(shown)
            drawn = sheet(shown, "once")
            assert len(some) >= 1
            assert drawn.shape[0] % len(some) == 0
        lines = truth(films).splitlines()
    assert [line[:6] for line in lines if line.startswith("- ")] == [
        f"- **{number:02}" for number in range(1, 36)
    ]


def test_every_kind_of_prompt_is_judged_and_none_twice() -> None:
    prompts = [judged.prompt for judged in JUDGED]
    assert len({repr(prompt) for prompt in prompts}) == len(prompts)
    missing = [kind for kind, is_one in KINDS.items() if not any(map(is_one, prompts))]
    assert not missing
    assert all(judged.means.endswith((".", "not.")) for judged in JUDGED)
