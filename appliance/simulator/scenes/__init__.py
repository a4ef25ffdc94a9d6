"""Random trays, dice and lights.

For example:

    import numpy as np

    from appliance.simulator.render.renderer import render
    from appliance.simulator.scenes.installations import installation
    from vision.reading import Kind

    scene = installation(1).laid(np.random.default_rng(1), [(Kind.BLACK, 5), (Kind.RED, None)])
    picture = render(scene)
"""
