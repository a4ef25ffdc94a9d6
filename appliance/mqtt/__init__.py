"""Publishes the game to an MQTT broker.

    from appliance.config.settings import MqttConfig
    from appliance.mqtt.messages import Composer

    Composer(MqttConfig(broker="mqtt://broker.local", names=True), clock=lambda: 0.0)

It needs the extra `mqtt`; the player's service never imports it.
"""
