"""Random trays, dice and lights.

For example:

    from appliance.simulator.render.renderer import render
    from appliance.simulator.scenes.installations import random_installation

    picture = render(random_installation(1).scene)
"""
