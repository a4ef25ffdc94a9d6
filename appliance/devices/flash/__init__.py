"""The firmware as a package, and how it gets onto a Pico.

For example:

    from appliance.devices.flash.package import Package
    from appliance.devices.flash.pico import flash

    package = Package.shipped()
    print(package.version, package.build, sorted(package.hashes()))
    print(flash(port, package, report=print))
"""
