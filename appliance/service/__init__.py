"""The appliance: wires the parts together and runs the loop.

For example:

    from appliance.service.appliance import Appliance
    from appliance.service.devices import Devices
    from appliance.service.installation import CalibratedTray

    tray = CalibratedTray(profile_path)
    devices = Devices(board, keys)
    appliance = Appliance(devices, tray.watched(), journal, listen=print)
    appliance.start()
    for frame in camera.frames():
        appliance.feed(frame)
"""
