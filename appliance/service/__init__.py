"""The appliance: wires the rooms together and runs the loop."""
