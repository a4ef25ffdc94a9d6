"""How dice fall, lie and are taken.

For example:

    from appliance.simulator.motion.simulated_tray import SimulatedTray
    from appliance.simulator.motion.watched_tray import WatchedTray

    tray = SimulatedTray(seed=1, kinds=kinds)
    watched = WatchedTray(tray, kinds)
    watched.throw({0: 6, 1: 3}, {})
    while watched.busy:
        tray.advance(1 / 15)
    print(watched.lying())
"""
