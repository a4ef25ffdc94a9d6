"""Where configuration, games and profile lie."""

import os
from pathlib import Path

from appliance.config import Config, GamesConfig
from appliance.errors import ConfigError

DEFAULT_FILE = Path("/etc/dicetray.toml")
"""Where the installer puts the configuration."""


def state_path() -> Path:
    """Where a user's games are kept (XDG base directories), whether it is there or not.

    Raises:
        ConfigError: the user has no home.
    """
    try:
        base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    except RuntimeError as error:
        raise _no_folder(error) from error
    return Path(base) / "dicetray"


def state_folder() -> Path:
    """Where a user's games are kept, made if it is missing.

    Raises:
        ConfigError: it cannot be made.
    """
    folder = state_path()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _no_folder(error) from error
    return folder


def _no_folder(error: Exception) -> ConfigError:
    return ConfigError(
        f"expected a folder for the games, found: {error}",
        "name one that can be written as XDG_STATE_HOME, or a file with --journal",
    )


def journal_path(config: Config) -> Path:
    """The configured journal, or one of the user's own where the appliance is not installed.

    Whoever has named another place, such as a stick, does not want games to go elsewhere when it is
    not there: that is reported.
    """
    configured = Path(config.games.journal)
    if configured.parent.is_dir() or configured != Path(GamesConfig().journal):
        return configured
    return state_folder() / configured.name


TRAY_FILE = "tray.profile"
"""The tray's profile beside the games, where the configuration names none."""


def profile_file(config: Config) -> Path:
    """Where the tray's profile is kept: as configured, else beside the games."""
    if config.camera.profile:
        return Path(config.camera.profile)
    return journal_path(config).parent / TRAY_FILE
