"""A tray, dice, a hand, a camera and a scoreboard's Pico that behave like real ones.

    from simulator.motion.simulated_tray import SimulatedTray
    from vision.reading import Kind

    tray = SimulatedTray(1, {0: Kind.BLACK, 1: Kind.RED})
    tray.throw({0: 6, 1: 3})
    while tray.busy:
        tray.advance(1 / 15)

Players, and the appliance that is put together from these, are in `appliance/simulator/`.
"""
