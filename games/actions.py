"""Numbers for the players' actions: the same action has the same number in every state of a game.

Programs that learn to play want a fixed list of actions and, for each state, those of them that
are legal. Choices say more than that: a card lies on another space in each game, a call costs other
chips. So an action is named by what does not change, such as `take 2` or `call`:

    from games.actions import actions, legal_actions
    from games.registry import find_game

    game = find_game("classic")
    assert actions(game)[0] == "score aces"

Dice of one kind that show the same face are alike, so most rolls can keep the same faces in several
ways; `distinct_choices` has one choice for each.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from games.game import Game
from games.notation.events import KEEP_VERB, find_verb, verb_text
from games.notation.verbs import Verb
from games.values import Choice, Event, Keep, RulesError


def actions(game: Game[Any]) -> tuple[str, ...]:
    """The names of all actions of a game; an action's number is its place in them."""
    return tuple(_number_by_name(game.verbs, game.keeps))


@cache
def _number_by_name(verbs: tuple[Verb[Any], ...], keeps: tuple[Keep, ...]) -> Mapping[str, int]:
    own = (f"{verb.word} {words}".rstrip() for verb in verbs for words in verb.actions)
    names = (*own, *(verb_text(KEEP_VERB, keep) for keep in keeps))
    return {name: number for number, name in enumerate(names)}


def action_number(game: Game[Any], choice: Event) -> int:
    """The number of the action that a choice of a player is.

    Raises:
        RulesError: for an event that no player chooses, such as a throw.
    """
    verb = find_verb(game, choice)
    name = f"{verb.word} {(verb.action or verb.write)(choice)}".rstrip()
    try:
        return _number_by_name(game.verbs, game.keeps)[name]
    except KeyError:
        raise RulesError(f"expected an action of {game.name}, got {name!r}") from None


def legal_actions(game: Game[Any], state: Any) -> Mapping[int, Choice]:
    """The legal choices by the numbers of their actions; empty where no player is asked.

    Raises:
        RulesError: where chance is reported by people, as a card that was turned up.
    """
    return {action_number(game, choice): choice for choice in distinct_choices(game, state)}


def distinct_choices(game: Game[Any], state: Any) -> Sequence[Choice]:
    """The legal choices, but of those that keep the same faces only the first."""
    return tuple(alike[0] for alike in alike_choices(game, state))


def alike_choices(game: Game[Any], state: Any) -> Sequence[Sequence[Choice]]:
    """The legal choices, those that keep the same faces together, in the order of the first."""
    kinds, faces = game.dice_kinds, game.dice(state)
    found = dict[Choice | tuple[tuple[str, str], ...], list[Choice]]()
    for choice in game.choices(state):
        key: Choice | tuple[tuple[str, str], ...] = choice
        if isinstance(choice, Keep):
            key = tuple(sorted((kinds[slot], str(faces[slot])) for slot in choice.slots))
        found.setdefault(key, []).append(choice)
    return tuple(found.values())
