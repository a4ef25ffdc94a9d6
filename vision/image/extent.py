"""What a picture's file says of itself before it is decoded."""

from typing import NamedTuple


class Extent(NamedTuple):
    """How large the pictures in a file are, pixels, and how many; the size is of the largest."""

    width: int
    height: int
    pictures: int = 1

    @property
    def pixels(self) -> int:
        """Of one picture."""
        return self.width * self.height


class Truncated(ValueError):
    """The file ends before what its beginning announces."""


class Undecodable(ValueError):
    """The file is whole, but nothing that can be decoded; says what it is, and what to do."""
