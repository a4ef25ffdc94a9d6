"""How dice fall, lie and are taken.

For example:

    from simulator.motion.watched_tray import WatchedTray

    tray = WatchedTray(seed=1, kinds=kinds)
    tray.throw({0: 6, 1: 3})
    while tray.busy:
        tray.advance(1 / 15)
"""
