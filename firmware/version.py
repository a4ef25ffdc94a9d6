"""The firmware's version and build, as HELLO and the boot screen name them."""

VERSION = (1, 0, 0)
BUILD = b"dev"  # up to 8 bytes; the flashing tool writes the files' hash here
