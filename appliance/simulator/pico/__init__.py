"""The scoreboard without hardware: the firmware run by MicroPython.

For example:

    from appliance.devices.scoreboard import SerialScoreboard
    from appliance.simulator.pico.board import SimulatedBoard

    with SimulatedBoard() as pico:
        board = SerialScoreboard(pico.device)
        board.show(picture)
        print(pico.lights)
        board.close()
"""
