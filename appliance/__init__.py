r"""The appliance: everything that runs on the Raspberry Pi around vision and rules.

The command line is on top of it; whoever wants the parts begins with a game and a session:

    from appliance.inputs import Button, Pressed
    from appliance.screens.draw import pages
    from appliance.table.session.prompting import prompt
    from appliance.table.session.session import Setup, new_session
    from appliance.table.session.step import step

    session = new_session(Setup("classic", ("ANNA", "BOB")))
    session = step(session, Pressed(Button.HINT))
    print("\n".join(pages(prompt(session))[0].rows()))
"""

import sys

from appliance.moved import MovedFinder

sys.meta_path.append(MovedFinder())
