"""The saved games as they may leave the house: new files, written from what was understood.

Lines are read as events and written again; of a line that is none, only verbs and small numbers
stay, so that whoever replays the game finds it. Of what is remembered, whoever has the PIN, and
players of games that are gone, stay in the house.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from appliance.diagnostics.own_words import SET
from appliance.errors import JournalError
from appliance.journal.bringing import BRINGING
from appliance.journal.files import LOCK
from appliance.journal.going import GOING
from appliance.journal.journal import Journal
from appliance.journal.library import SETTINGS
from appliance.journal.log import blank_seeds, line_to_text, lines_from_text
from appliance.journal.packs import PACKS
from appliance.journal.reader import MEMORY
from appliance.journal.reading import has_games, reading
from appliance.journal.saved_game import SavedGame
from appliance.table.menu.settings import Settings, from_text, number_of_unnamed
from appliance.table.session.session import Seeded, Setup
from games.computers import strength_of
from games.game import Game
from games.lots import SEED_PATTERN
from games.notation.events import COMMON_VERBS
from games.registry import OWN_GAMES, find_game
from games.values import OptionValue, RulesError

_VERSION = re.compile(r"\d{1,3}(?:\.\d{1,3}){2}(?:(?:a|b|rc)\d{1,3})?(?:\+(?:keyboard|demo))?")
_EDITION = re.compile(r"\d{1,4}")
_SEED = re.compile(rf"{SEED_PATTERN.pattern}|-{{16}}")
_SMALL_NUMBER = re.compile(r"\d{1,3}")


def names_in(journal: Path) -> tuple[str, ...]:
    """The names that people have given to players of the games that are there, each once.

    A journal or game that cannot be read yields none.
    """
    found: dict[str, None] = {}
    with suppress(JournalError, OSError):
        if has_games(journal):
            with reading(journal) as games:
                for saved in games.games():
                    found |= dict.fromkeys(saved.players)
    return tuple(filter(_is_given, found))


def shared_games(journal: Path, shown: Mapping[str, str]) -> dict[str, bytes]:
    """The files of a journal with all games that can be read, by name; none if none can.

    Which trays the games were played on, and which games of other journals they are, nobody can
    tell from them.

    Args:
        journal: the saved games.
        shown: what each given name is shown as.
    """
    salt = token_hex(16)
    with suppress(JournalError, OSError), Journal(MEMORY) as written:
        with reading(journal) as games:
            # A game that was going on may be in a pack by now.
            found = {saved.identity or str(saved.id): saved for saved in games.games()}
            settings = games.remembered(SETTINGS)
        fresh = [_shared_game(saved, shown, salt) for saved in found.values()]
        fresh.sort(key=lambda saved: saved.id)
        written.bring_in([(saved.id, saved) for saved in fresh])
        if settings is not None:
            written.remember(SETTINGS, _shared_settings(settings, shown))
        names = (name for folder in (GOING, PACKS, "") for name in written.files.names(folder))
        return {name: written.files.read(name) for name in names if name not in (LOCK, BRINGING)}
    return {}


def _is_given(name: str) -> bool:
    return strength_of(name) is None and number_of_unnamed(name) is None


def _shared_name(name: str, shown: Mapping[str, str]) -> str:
    return shown.get(name, SET) if _is_given(name) else name


def _hidden(identity: str, salt: str) -> str:
    """Another identity, the same for the same one, which only this archive has."""
    return sha256(f"{salt} {identity}".encode()).hexdigest()[: len(identity)]


def _shared_game(saved: SavedGame, shown: Mapping[str, str], salt: str) -> SavedGame:
    lines, uncounted = saved.lines, saved.uncounted
    if not saved.ended:
        lines, uncounted = (tuple(map(blank_seeds, texts)) for texts in (lines, uncounted))
    return SavedGame(
        id=saved.id,
        game=saved.game if saved.game in OWN_GAMES else SET,
        edition=saved.edition if _EDITION.fullmatch(saved.edition) else SET,
        players=tuple(_shared_name(player, shown) for player in saved.players),
        options=_shared_options(saved.game, saved.options),
        version=saved.version if _VERSION.fullmatch(saved.version) else SET,
        ended=saved.ended,
        lines=_shared_lines(saved, lines),
        identity=_hidden(saved.identity, salt),
        tray=_hidden(saved.tray, salt),
        uncounted=_shared_lines(saved, uncounted),
    )


def _shared_options(
    name: str, options: Sequence[tuple[str, OptionValue]]
) -> tuple[tuple[str, OptionValue], ...]:
    if name not in OWN_GAMES:
        return ()
    game = find_game(name)
    return tuple(
        (option, _shared_option(game, option, value))
        for option, value in options
        if option in game.options
    )


def _shared_option(game: Game[Any], option: str, value: OptionValue) -> OptionValue:
    if any(value == each and type(value) is type(each) for each in game.options[option]):
        return value
    if game.deck is not None and option == game.deck.option:
        with suppress(RulesError):
            # The cards of the owner's own deck: kinds and numbers.
            return game.deck.read_again(str(value))
    return SET


def _shared_lines(saved: SavedGame, lines: Sequence[str]) -> tuple[str, ...]:
    if saved.game not in OWN_GAMES:
        return (SET,) * len(lines)
    setup = Setup(saved.game, saved.players, saved.options)
    verbs = {verb.word for verb in (*COMMON_VERBS, *setup.rules.verbs)}
    return tuple(_shared_line(setup, line, verbs) for line in lines)


def _shared_line(setup: Setup, line: str, verbs: set[str]) -> str:
    with suppress(RulesError, IndexError):
        (read,) = lines_from_text(setup, (line,))
        if not isinstance(read, Seeded) or _SEED.fullmatch(read.seed):
            return line_to_text(setup, read)
    kept = (w if w in verbs or _SMALL_NUMBER.fullmatch(w) else SET for w in line.split())
    return " ".join(kept)


def _shared_settings(text: str, shown: Mapping[str, str]) -> str:
    """How games were set up, brightness, language and voice; of names those of games there are."""
    found = from_text(text)

    def known(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(_shared_name(n, shown) for n in names if n in shown or not _is_given(n))

    setups = tuple(
        replace(setup, players=known(setup.players))
        for setup in found.setups
        if setup.game in OWN_GAMES
    )
    kept = Settings(
        names=known(found.names),
        setups=setups,
        brightness=found.brightness,
        language=found.language,
        voice=found.voice,
        beginners=found.beginners,
        winners=frozenset(known(sorted(found.winners))),
    )
    return kept.text
