r"""The configuration: one TOML file, checked whole before anything starts.

For example:

    from appliance.config import load

    config = load(path)
    print(config.scoreboard.brightness, config.games.players)
"""

from appliance.config.parsing import load, mistakes
from appliance.config.settings import (
    HIGHEST_PIN,
    ButtonsConfig,
    BuzzerConfig,
    CameraConfig,
    Config,
    GamesConfig,
    ScoreboardConfig,
)

__all__ = [
    "HIGHEST_PIN",
    "ButtonsConfig",
    "BuzzerConfig",
    "CameraConfig",
    "Config",
    "GamesConfig",
    "ScoreboardConfig",
    "load",
    "mistakes",
]
