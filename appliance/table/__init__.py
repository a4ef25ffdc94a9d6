"""The session at the table: a pure state machine, the only room where readings meet rules.

`menu` is all around a game, `session` one game. A press or a throw goes in, the next console and
what is to be done for it come out:

    from appliance.inputs import Button, Pressed
    from appliance.table.menu.console import Console
    from appliance.table.menu.prompting import console_prompt
    from appliance.table.menu.step import advance

    console, requests = advance(Console(), Pressed(Button.OK))
    print(console_prompt(console), requests)
"""
