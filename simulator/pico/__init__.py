"""The scoreboard without hardware: the firmware run by MicroPython.

For example:

    from simulator.pico.board import SimulatedBoard

    with SimulatedBoard() as pico:
        print(pico.device, pico.interpreter.sentence)
        for row in pico.wait(lambda lights: any(lights.data)).rows():
            print(row)
"""
