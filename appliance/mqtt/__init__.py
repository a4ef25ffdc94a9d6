"""Publishes the game to an MQTT broker, and follows all trays of a club.

    from appliance.config.settings import MqttConfig
    from appliance.mqtt.messages import Composer

    Composer(MqttConfig(broker="mqtt://broker.local", names=True), clock=lambda: 0.0)

It needs the extra `mqtt`, or `club`; the player's service never imports it.
"""
