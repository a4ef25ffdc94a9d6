"""Tells a broker of messages how the game stands, and follows what all trays of a club tell it.

    from appliance.config.settings import MqttConfig
    from appliance.mqtt.messages import Composer

    Composer(MqttConfig(broker="mqtt://broker.local", names=True), clock=lambda: 0.0)

It needs the extra `mqtt`, or `club`; the player's service never imports it.
"""
