"""What this firmware calls itself in HELLO and on the boot screen."""

VERSION = (1, 0, 0)
BUILD = b"dev"  # up to 8 bytes; the flashing tool writes the files' hash here
