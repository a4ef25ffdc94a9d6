"""The appliance: everything that runs on the Raspberry Pi around vision and rules."""
