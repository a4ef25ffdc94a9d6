"""Pictures of a tray with dice, hands and cards in it.

For example:

    from simulator.render.dice_model import flat_die
    from simulator.render.renderer import render
    from simulator.render.scene import Scene
    from vision.reading import Kind

    scene = Scene(dice=(flat_die(Kind.BLACK, 5, (20.0, -10.0), 0.4),))
    picture = render(scene, (320, 180))
"""
