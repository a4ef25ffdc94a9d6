"""The time that speech takes is known without espeak-ng, and checked with it."""

import subprocess
import wave
from pathlib import Path
from shutil import which

import pytest

from appliance.devices.speech_time import speech_s
from appliance.devices.voice import PROGRAM, espeak_command
from tests.paths import ROOT

RECORDS = ROOT / "tests/appliance/service/spoken"
GERMAN = (
    "Anna, Wurf 1: 3 2 4 6 1. Wirf die anderen, oder OK: werten.",
    "Ben: große Straße, 40 Punkte. Anna: wirf 5 Würfel. Anna 106, Ben 71.",
    "Auf Feld 10: fünfer von Ben, 20 Punkte, dafür zwei fünfen.",
    "Ben gibt. Alle ziehen zwei Würfel und verdecken sie. Anna, preflop. Check.",
    "Noch 38 bis zum Bonus von 35: 25 von 63.",
)
WITHIN = 0.12


def test_it_grows_with_what_is_said() -> None:
    seconds = [speech_s(said, "en") for said in ((), ("Anna.",), ("Anna.", "Held: 2."))]
    assert seconds == sorted(set(seconds))
    assert speech_s(("Anna +5.",), "fr") == speech_s(("Anna plus 5.",), "en")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_comma_is_a_shorter_pause_than_the_end_of_a_sentence(language: str) -> None:
    whole, comma, ended = (speech_s((said,), language) for said in ("a b.", "a, b.", "a. b."))
    assert whole < comma < ended


@pytest.mark.skipif(which(PROGRAM) is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize("language", ["en", "de"])
def test_espeak_takes_as_long(language: str, tmp_path: Path) -> None:
    texts = list(GERMAN)
    if language == "en":
        files = sorted(RECORDS.iterdir())
        lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
        texts = lines[:: len(lines) // 20]
    file = tmp_path / "said.wav"
    taken = known = 0.0
    for text in texts:
        command = (*espeak_command(language, ""), "-w", str(file))
        subprocess.run(command, input=text.encode(), check=True, timeout=20)
        with wave.open(str(file)) as sound:
            taken += sound.getnframes() / sound.getframerate()
        known += speech_s((text.strip(),), language)
    assert known == pytest.approx(taken, rel=WITHIN)
