r"""The configuration: one TOML file, checked whole before anything starts.

For example:

    from appliance.config import load

    config = load(path)
    print(config.scoreboard.brightness, config.games.players)
"""

from appliance.config.parsing import load, mistakes
from appliance.config.settings import CameraConfig, Config, GamesConfig, ScoreboardConfig

__all__ = ["CameraConfig", "Config", "GamesConfig", "ScoreboardConfig", "load", "mistakes"]
