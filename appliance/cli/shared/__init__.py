"""Common parts of the commands: arguments, errors, stopping, and the parts wired together.

For example:

    from appliance.cli.shared.starting import GameOptions, setup_from
    from appliance.config import Config

    print(setup_from(GameOptions(game="power"), Config()))
"""
