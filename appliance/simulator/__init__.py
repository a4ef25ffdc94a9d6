"""Players, and the whole appliance, without hardware.

For example, a whole appliance with a player, as fast as it goes:

    from appliance.simulator.appliance import SimulatedAppliance

    with SimulatedAppliance(session, journal, pins, lights=(), seed=1) as simulated:
        while not simulated.over:
            simulated.step()
            simulated.let_play()
        print(simulated.summary())
"""
