"""The share of dice that are read wrong, as a check of some throws tells it.

The interval is Clopper and Pearson's (1934): exact, never too narrow. With no error in n dice its
one-sided 95 % bound is 1 - 0.05**(1/n), about 3/n: the rule of three.
"""

import math
from bisect import bisect_left
from dataclasses import dataclass

CONFIDENCE = 0.95
ERROR_GOALS = (0.05, 0.01, 0.005, 0.001)
"""Shares of wrong dice that the statement may name as the next goal."""
MAX_WRONG_SHARE = 0.01
"""Of a check that is passed."""
MAX_UNREAD_SHARE = 0.25
"""Of a check that is passed: in hard rendered trays a sixth of the dice is asked about."""


@dataclass(frozen=True, slots=True)
class Check:
    """Dice that a player has confirmed or corrected.

    Attributes:
        dice: how many were read and checked.
        wrong: how many of them were read wrong.
        unread: how many more lay there that were not seen, or would have been asked about.
    """

    dice: int = 0
    wrong: int = 0
    unread: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.wrong <= self.dice or self.unread < 0:
            raise ValueError(
                f"expected 0 <= wrong <= dice and 0 <= unread, found {self.wrong} of {self.dice}, "
                f"{self.unread}"
            )

    def plus(self, throw: "Check") -> "Check":
        """The check with one more throw checked."""
        return Check(self.dice + throw.dice, self.wrong + throw.wrong, self.unread + throw.unread)

    def with_throw(self, dice: int, wrong: int) -> "Check":
        """The check with one more throw checked; a later correction also counts as one."""
        return self.plus(Check(dice, wrong))

    @property
    def failed(self) -> bool:
        """True if more was read wrong, or not read, than in a tray to play with."""
        unread_share = self.unread / max(1, self.dice + self.unread)
        return self.wrong > MAX_WRONG_SHARE * self.dice or unread_share > MAX_UNREAD_SHARE


def probability_of_at_most(wrong: int, dice: int, share: float) -> float:
    """Probability that at most `wrong` of `dice` are wrong if each is with probability `share`."""
    if share <= 0:
        return 1.0
    if share >= 1:
        return 1.0 if wrong >= dice else 0.0
    # Each term follows from the one before; logarithms keep the first from underflowing.
    odds = math.log(share) - math.log1p(-share)
    term = dice * math.log1p(-share)
    total = math.exp(term)
    for k in range(1, wrong + 1):
        term += math.log((dice - k + 1) / k) + odds
        total += math.exp(term)
    return min(1.0, total)


def upper_bound(check: Check, sure: float = CONFIDENCE) -> float:
    """One-sided upper bound on the share of wrong dice, at confidence `sure`."""
    if check.wrong >= check.dice:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if probability_of_at_most(check.wrong, check.dice, middle) > 1 - sure:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def dice_needed(check: Check, goal: float) -> int:
    """How many more dice without an error bring the bound below `goal`; 0 if it already is."""
    if not 0 < goal < 1:
        raise ValueError(f"expected a goal between 0 and 1, found {goal}")
    if check.dice and upper_bound(check) < goal:
        return 0

    def enough(more: int) -> bool:
        return upper_bound(Check(check.dice + more, check.wrong)) < goal

    many = 1
    while not enough(many):
        many *= 2
    return bisect_left(range(many), True, key=enough)


def next_goal(check: Check) -> float:
    """The next round bound to aim for, mostly worth about twice the dice or more."""
    now = upper_bound(check) if check.dice else 1.0
    # A goal just below the present bound would be dull: aim for half of it or less.
    return next((goal for goal in ERROR_GOALS if goal <= 0.5 * now), ERROR_GOALS[-1])


def accuracy_statement(check: Check) -> str:
    """The sentence for *about*, such as "60 dice, 0 wrong: error below 4.9 %; 239 more ..."."""
    if check.dice == 0:
        return "not checked yet: throw the dice in the check"
    bound = _rounded_up_percent(upper_bound(check))
    unread = f", {check.unread} more not read" if check.unread else ""
    found = f"{check.dice} dice, {check.wrong} wrong{unread}: error below {bound}"
    goal = next_goal(check)
    more = dice_needed(check, goal)
    if more == 0:
        return found
    return f"{found}; {more} more without an error to get below {_rounded_up_percent(goal)}"


def accuracy_on_board(check: Check) -> tuple[str, str]:
    """Two short lines for the board of 16 characters a line."""
    if check.dice == 0:
        return "NOT CHECKED", "YET"
    long = len(f"{check.dice}{check.wrong}") > 4
    dice = f"{check.dice}:" if long else f"{check.dice} DICE"
    return (
        f"{dice} {check.wrong} WRONG",
        f"ERROR < {_rounded_up_percent(upper_bound(check)).replace(' ', '')}",
    )


def unread_on_board(check: Check) -> tuple[tuple[str, str], ...]:
    """Two more such lines about what was not read; none where everything was."""
    if not check.unread:
        return ()
    return ((f"{check.unread} NOT READ", f"OF {check.dice + check.unread} DICE"),)


def _rounded_up_percent(share: float) -> str:
    """A share in percent, rounded up to two digits, or hundredths: a bound is never understated."""
    percent = share * 100
    if percent >= 100:
        return "100 %"
    digits = 0 if percent >= 10 else 1 if percent >= 1 else 2
    step = 10**digits
    return f"{math.ceil(round(percent * step, 6)) / step:g} %"
