"""Simulated people at the table, who throw dice and press buttons.

For example, a player who throws, holds and chooses as the board asks:

    from appliance.simulator.people.player import SimulatedPlayer

    player = SimulatedPlayer(watched, buttons, rng, clumsy=0.1)
    for happened in news:
        player.notice(happened)
    player.act(prompt, time_s)
"""
