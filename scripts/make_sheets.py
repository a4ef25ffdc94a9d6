#!/usr/bin/env python3
"""Draws the screens by which it is judged whether the board is understood, each on a sheet.

A sheet has the pages of a screen in order, with the seconds that each stays, and its number for a
name, so that it can be given to somebody who knows nothing else. What the screens mean is in a file
beside them, `truth.md`.

Run it with the checkout's own Python: `.venv/bin/python scripts/make_sheets.py --language de OUT`.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import cv2
import numpy as np

from appliance.screens.draw import film
from appliance.screens.drawing.film import Film, Still
from appliance.words import ENGLISH, language_codes, set_language
from tests.rigs.gallery.judged import JUDGED
from tests.rigs.rendering.led_photo import photograph
from vision.frame import Image

_PITCH = 10
"""Pixels from light to light."""
_CAPTION_ROWS = 26
_LEAST_S = 0.2
"""What stays for less is an animation, and has nothing to read."""
_ONCE = {ENGLISH: "once", "de": "einmal"}


def stills_to_read(shown: Film) -> tuple[tuple[Still, bool], ...]:
    """The pages of a film in order, and of each whether it comes up only once."""
    parts = (*((still, True) for still in shown.opening), *((still, False) for still in shown.loop))
    return tuple((still, once) for still, once in parts if still.seconds >= _LEAST_S)


def sheet(shown: Film, once_word: str) -> Image:
    """The pages of a film below each other, each under the seconds that it stays, BGR."""
    parts = list[Image]()
    for still, once in stills_to_read(shown):
        photo = photograph(still.picture, _PITCH)
        caption = np.full((_CAPTION_ROWS, photo.shape[1], 3), 255, np.uint8)
        text = f"{still.seconds:.1f} s" + f" ({once_word})" * once
        cv2.putText(
            caption, text, (4, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA
        )
        parts += [caption, photo]
    return np.vstack(parts)


def truth(films: list[Film]) -> str:
    """What each screen means, and the words on its pages."""
    lines = ["# What each screen means\n"]
    for number, (judged, shown) in enumerate(zip(JUDGED, films, strict=True), 1):
        words = " | ".join(" / ".join(still.picture.words) for still, _ in stills_to_read(shown))
        lines.append(f"- **{number:02}**: {judged.means}\n  {words}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes a sheet for each screen in a language, and what they mean."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder to write to")
    parser.add_argument("--language", choices=language_codes(), default=ENGLISH)
    args = parser.parse_args()
    set_language(args.language)
    args.out.mkdir(parents=True, exist_ok=True)
    films = [film(judged.prompt) for judged in JUDGED]
    for number, shown in enumerate(films, 1):
        drawn = sheet(shown, _ONCE.get(args.language, _ONCE[ENGLISH]))
        cv2.imwrite(str(args.out / f"{number:02}.png"), drawn)
    (args.out / "truth.md").write_text(truth(films), encoding="utf-8")


if __name__ == "__main__":
    main()
