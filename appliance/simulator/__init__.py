"""A tray, a hand, players and a board without hardware.

For example, a whole appliance with a player, as fast as it goes:

    from appliance.simulator.appliance import House

    with House(session, journal, pins, lights=(), seed=1) as house:
        while not house.over:
            house.step()
            house.let_play()
        print(house.summary())
"""
