"""What `dicetray play` prints where it draws nothing."""

from types import SimpleNamespace
from typing import Any

import pytest

from appliance.cli.play import print_news
from calibration.wizard.stages import WizardStage, WizardStep


def test_each_step_of_a_calibration_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    house: Any = SimpleNamespace(firmware="", news=list, wizard=None, frames=7, time_s=0.5)
    show = print_news(house, as_json=False)
    show()
    for stage in (
        WizardStage(WizardStep.LIGHT),
        WizardStage(WizardStep.LIGHT),
        WizardStage(WizardStep.POWER, "freeze"),
    ):
        house.wizard = SimpleNamespace(stage=stage)
        show()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[-1] for line in lines] == [
        "calibrating: LIGHT",
        "calibrating: POWER DIE freeze",
    ]


def test_programs_get_nothing_but_events(capsys: pytest.CaptureFixture[str]) -> None:
    wizard = SimpleNamespace(stage=WizardStage(WizardStep.LIGHT))
    house: Any = SimpleNamespace(firmware="", news=list, wizard=wizard, frames=7, time_s=0.5)
    print_news(house, as_json=True)()
    assert capsys.readouterr().out == ""
