"""The firmware as a package, and the way of it onto a Pico."""
