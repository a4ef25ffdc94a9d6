"""The commands of `dicetray`: each is a module of this package."""

import sys

COMMANDS = {
    "play": "play with a simulated tray in the terminal",
    "run": "watch a tray and keep the score",
    "look": "try your own camera over your own dice, and play",
    "web": "serve the scores to browsers in the room",
    "calibrate": "measure the tray and learn the dice",
    "read": "read the dice in pictures and videos",
    "score": "list what a throw scores",
    "replay": "print a recorded game",
    "games": "list, show, export and delete games",
    "review": "show the costliest decisions of a game, luck and skill",
    "stats": "show who wins how often, and whether the dice are fair",
    "mqtt": "publish the game to an MQTT broker",
    "club": "follow all tables of a club's evening, and keep the league",
    "stick": "copy games to and from a USB stick",
    "flash": "put the firmware on the scoreboard's Pico",
    "doctor": "check everything and say what to do",
    "config": "check the configuration, or print one with all defaults",
    "bench": "measure how accurately and fast dice are read",
    "dataset": "add to a set of labelled pictures",
    "new-game": "make a package for a game of your own",
    "completion": "complete commands and options with the Tab key",
}
"""Every command with the line on it in the help, in the order of the help."""


def report_bad_input(command: str, message: str) -> int:
    """Says on stderr what is wrong with a command's input; returns the exit status for it."""
    from appliance.errors import printable

    print(f"dicetray {command}: {printable(message)}", file=sys.stderr)
    return 2


DRAWING_LINE = "Drawing the tray ..."
"""The line that `play` prints at once, before imports that take a second."""
