"""All around a game: menus, names, settings, new games."""
