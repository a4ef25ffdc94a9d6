"""Errors of this room. Each says what was expected, what was found and what to do."""


class VisionError(Exception):
    """Base of everything that vision raises on purpose."""


class PictureError(VisionError, ValueError):
    """A picture that cannot be read: no picture, truncated, empty, too large, wrong shape."""


class ProfileError(VisionError, ValueError):
    """A profile that cannot be used: damaged, of another version, of another picture size."""
