"""Custom cards for Free for All."""

from pathlib import Path

import pytest

from appliance.cli.main import main
from appliance.cli.shared.starting import GameOptions, environment_from, setup_from, with_deck
from appliance.config import Config, load
from appliance.config.parsing import default_deck_text
from appliance.errors import ConfigError
from appliance.table.session.session import Setup, new_session
from games.free_for_all.deck import DEFAULT_DECK


def own(folder: Path, name: str = "deck.toml") -> Path:
    file = folder / name
    text = default_deck_text().replace("size = 30", "size = 31")
    file.write_text(text.replace("{ copies = 2, points = 8 }", "{ copies = 3, points = 9 }"))
    return file


def test_the_deck_file_that_is_printed_is_the_usual_deck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "deck"]) == 0
    file = tmp_path / "deck.toml"
    file.write_text(capsys.readouterr().out)
    config = with_deck(Config(), file)
    setup = setup_from(GameOptions("free-for-all"), config)
    assert dict(setup.options) == {"cards": DEFAULT_DECK.text}


def test_a_deck_file_lies_beside_the_settings(tmp_path: Path) -> None:
    own(tmp_path)
    settings = tmp_path / "dicetray.toml"
    settings.write_text('[games]\ndeck = "deck.toml"\n')
    assert main(["config", "check", str(settings)]) == 0
    house = environment_from(load(settings)).house
    assert "3*large-straight:9" in str(house["cards"])
    first = setup_from(GameOptions("free-for-all", first="2"), load(settings))
    assert dict(first.options) == {"first": 1, **house}
    # Other games have no cards.
    assert setup_from(GameOptions("classic"), load(settings)).options == ()


def test_a_wrong_deck_file_is_named_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own(tmp_path)
    file.write_text(file.read_text().replace("size = 31", "size = 32"))
    settings = tmp_path / "dicetray.toml"
    settings.write_text('[games]\ndeck = "deck.toml"\n')
    assert main(["config", "check", str(settings)]) == 2
    assert "deck.toml: line" in capsys.readouterr().err
    with pytest.raises(ConfigError, match="No such file"):
        setup_from(GameOptions("free-for-all"), with_deck(Config(), tmp_path / "none"))


def test_a_game_of_the_menu_is_played_with_the_houses_cards(tmp_path: Path) -> None:
    house = environment_from(with_deck(Config(), own(tmp_path))).house
    setup = Setup("free-for-all", ("ANNA", "BOB"), (("bank", "when-full"),)).with_house_rules(house)
    assert len(new_session(setup).record.state.deck) == 31
    assert dict(setup.options)["bank"] == "when-full"
