"""Random trays, dice and lights.

For example:

    from appliance.simulator.render.renderer import render
    from appliance.simulator.scenes.installations import installation

    picture = render(installation(1).scene)
"""
