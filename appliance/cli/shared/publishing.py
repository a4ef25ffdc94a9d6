"""Shows games elsewhere, as configured: on the score page, and at an MQTT broker."""

from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from shlex import join

from appliance.cli.shared.extras import how_to_add
from appliance.cli.shared.launch import Launch
from appliance.config import Config
from appliance.config.paths import runtime_folder
from appliance.journal.journal import Journal
from appliance.service.past_games import past_games
from appliance.service.snapshot import Publisher
from appliance.service.view import Viewer
from appliance.words import say


def open_publisher(config: Config, viewer: Viewer, journal: Journal, stack: ExitStack) -> Publisher:
    """Publishes a game to other programs of this machine, until the stack ends."""
    past = partial(past_games, journal) if config.mqtt.broker else None
    page = {"host": config.web.host, "port": config.web.port}
    publisher = Publisher(runtime_folder(), viewer, journal.origin, page, past)
    stack.callback(publisher.close)
    return publisher


def serves_scores(config: Config) -> bool:
    """True if there is a score page, and the packages that serve it."""
    return config.web.serve != "off" and find_spec("starlette") is not None


def how_to_follow(launch: Launch, config: Config, pin: str) -> list[str]:
    """How to see the game elsewhere, as configured: a sentence for the score page, one for MQTT."""
    named = () if launch.config is None else ("--config", str(launch.config))
    sentences = []
    if config.web.serve != "off" and not find_spec("starlette"):
        sentences.append(
            say("The score page needs more packages: {command}", command=how_to_add("web"))
        )
    elif config.web.serve != "off":
        command, url = join((launch.program, "web")), f"http://localhost:{config.web.port}/"
        sentences.append(
            say(
                "The score page: start {command} in another terminal, open {url}, PIN {pin}.",
                command=command,
                url=url,
                pin=pin[:6],
            )
        )
    if config.mqtt.broker:
        command = join((launch.program, "mqtt", *named))
        club = join((launch.program, "club", *named))
        sentences.append(
            say(
                "MQTT: start {command} in another terminal; {club} shows all tables of the broker.",
                command=command,
                club=club,
            )
        )
    return sentences
