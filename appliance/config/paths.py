"""Where the configuration, games and profile are kept."""

import os
from pathlib import Path

from appliance.config import Config, GamesConfig
from appliance.errors import ConfigError

DEFAULT_FILE = Path("/etc/dicetray.toml")
"""Where the installer puts the configuration."""


def state_folder(*, make: bool = True) -> Path:
    """Where a user's games are kept, made if it is missing (XDG base directories).

    ConfigError if it cannot be made.
    """
    try:
        base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        folder = Path(base) / "dicetray"
        if make:
            folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise ConfigError(
            f"the folder for the games cannot be made: {error}",
            "name one that can be written as XDG_STATE_HOME, or a file with --journal",
        ) from error
    return folder


def journal_path(config: Config) -> Path:
    """The configured journal, or one of the user's own where the appliance is not installed.

    Somebody who named another place, such as a stick, does not want games to go elsewhere when it
    is missing: that is reported.
    """
    configured = Path(config.games.journal)
    if configured.parent.is_dir() or configured != Path(GamesConfig().journal):
        return configured
    return state_folder() / configured.name


def runtime_folder() -> Path:
    """Where the appliance meets other processes: its unit's folder, or one of the user's own."""
    own = os.environ.get("RUNTIME_DIRECTORY")
    return Path(own) if own else state_folder()


TRAY_FILE = "tray.profile"
"""The tray's profile beside the games, where the configuration names none."""


def profile_file(config: Config) -> Path:
    """Where the tray's profile is kept: as configured, else beside the games."""
    if config.camera.profile:
        return Path(config.camera.profile)
    return journal_path(config).parent / TRAY_FILE
