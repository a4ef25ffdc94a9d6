"""The appliance: wires the parts together and runs the loop.

For example:

    from appliance.service.appliance import Appliance
    from appliance.service.installation import CalibratedTray

    tray = CalibratedTray(profile_path)
    appliance = Appliance(None, journal, tray.guard.watcher(), board, keys, listen=print)
    appliance.start()
    for frame in camera.frames():
        appliance.feed(frame)
"""
