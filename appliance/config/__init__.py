"""The configuration: one TOML file, checked whole before anything starts."""

from appliance.config.parsing import load, parse
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
    "parse",
]
