"""All around a game: menus, names, settings, new games.

What lies over the game is a page, the uppermost last:

    from appliance.inputs import Button, Pressed
    from appliance.table.menu.console import Desk
    from appliance.table.menu.main_menu import Brightness
    from appliance.table.menu.step import advance

    desk = Desk().push(Brightness(3))
    desk, requests = advance(desk, Pressed(Button.RIGHT))
    print(desk.brightness, requests)
"""
