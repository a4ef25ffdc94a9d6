"""Everything around a game: menus, names, settings, new games.

What lies over the game is a stack of pages, the top one last:

    from appliance.inputs import Button, Pressed
    from appliance.table.menu.console import Console
    from appliance.table.menu.preferences import Brightness
    from appliance.table.menu.step import advance

    console = Console().push(Brightness(3))
    console, requests = advance(console, Pressed(Button.RIGHT))
"""
