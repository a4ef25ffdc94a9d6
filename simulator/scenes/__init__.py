"""Random trays, dice and lights.

For example:

    from simulator.render.renderer import render
    from simulator.scenes.installations import random_installation

    picture = render(random_installation(1).scene)
"""
