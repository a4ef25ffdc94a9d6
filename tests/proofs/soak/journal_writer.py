"""A process that endlessly writes lines into a journal and reports each; made to be killed."""

import itertools
import sys

from appliance.journal.journal import Journal


def main(path: str) -> None:
    """Begins a game and appends to it; prints the game's number and how many lines are saved."""
    with Journal(path) as journal:
        game = journal.begin("classic", "", ("SCRIBE",), (), "")
        for count in itertools.count(1):
            journal.append(game, count - 1, ["holding 1"])
            print(game, count, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
