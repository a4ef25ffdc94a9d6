"""The session at the table: a pure state machine, the only place where readings meet rules.

`menu` is everything around a game, `session` a single game. A press or a throw goes in; the next
console and the requests to carry out for it come out:

    from appliance.inputs import Button, Pressed
    from appliance.table.menu.console import Console
    from appliance.table.menu.asking import console_prompt
    from appliance.table.menu.step import advance

    console, requests = advance(Console(), Pressed(Button.OK))
    print(console_prompt(console), requests)
"""
