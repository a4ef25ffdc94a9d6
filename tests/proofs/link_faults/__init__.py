"""Breaks the line between the host and a simulated board on purpose, and watches every light.

The injector adds frames that nobody sent, newer than any real one, each damaged inside in one place
or more: if one of them were ever accepted, its lights would be seen.
"""

from tests.proofs.link_faults.trial import Result, Trial

__all__ = ["Result", "Trial"]
