"""The commands of `dicetray`: each is a module of this package."""

COMMANDS = {
    "play": "play with a simulated tray in the terminal",
    "run": "watch a tray and keep the score",
    "calibrate": "measure the tray and learn the dice",
    "read": "read the dice in pictures and videos",
    "score": "list what a throw scores",
    "replay": "print a recorded game",
    "games": "list, show, export and delete games",
    "stats": "who wins how often, and whether the dice are fair",
    "flash": "put the firmware on the scoreboard's Pico",
    "doctor": "look at everything and say what to do",
    "config": "check the configuration, or print one with every default",
    "bench": "measure accuracy and cost",
    "dataset": "grow a set of labelled pictures",
}
"""What each is for, in the order of the help."""

DRAWING = "Drawing the tray ..."
"""What `play` says at once, before it imports what takes a second."""

EXAMPLES = """\
dicetray play                                   watch, play or learn: it asks
dicetray play --human --players ANNA BEN        two people at one keyboard
dicetray play --game power --clumsy 0.3         a player who makes mistakes
dicetray run --config /etc/dicetray.toml        what the service does
dicetray run --camera file:throws.mp4 --json    a film; one object an event
dicetray calibrate --camera v4l2:0              a USB camera, by keys
dicetray calibrate --camera pi --floor 300x200  no markers: by the rim
dicetray calibrate --simulate                   the wizard without a camera
dicetray read photo.jpg --annotate out.png      the reading is drawn in
dicetray read throws.mp4 --frames 0,40 --json   two frames of a film
dicetray score classic 33355                    the best choice first
dicetray score power 4 4 4 4 6 double --holds   holds, too
dicetray score holdem r5 b5 w5 y5 r6            names the hand
dicetray replay game.txt                        its turns, sheets, outcome
dicetray games list                             a line for each game
dicetray games show 12                          one game with its sheets
dicetray games export --format csv --output games.csv
dicetray games delete 12 13 --yes               for good
dicetray stats --picture dice.svg               how often each face fell
dicetray flash --dry-run                        looks for the Pico, no more
dicetray doctor --only camera scoreboard        two subjects; else all
dicetray doctor --bundle report.tar.gz          for whoever helps
dicetray config check /etc/dicetray.toml        names all mistakes
dicetray config default > dicetray.toml         a file to begin with
dicetray bench vision --data DIR --faults       what is read wrongly there
dicetray dataset add photo.jpg --truth black:3 red:5 --to DIR
dicetray dataset add --corrections --to DIR     what players put right
""".splitlines()
"""What the help of each command shows; those of an action begin with its name."""
