"""The presses that lead to a choice of the list."""

from appliance.inputs import Button
from appliance.table.session.listing import count_of_entries, listed_choices
from appliance.table.session.session import Session
from games.values import Choice


def buttons_to(session: Session, choice: Choice) -> list[Button]:
    """The buttons that lead from the first entry of the list to this choice."""
    entries, index = count_of_entries(session), listed_choices(session).index(choice)
    if index < entries:
        return [Button.RIGHT] * index
    return [*[Button.RIGHT] * entries, Button.OK, *[Button.RIGHT] * (index - entries)]
