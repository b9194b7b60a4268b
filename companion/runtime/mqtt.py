"""Makes the MQTT device of a running service, if the configuration names a broker."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.runtime.app import App

if TYPE_CHECKING:
    from companion.mqtt.device import MqttDevice
    from companion.mqtt.publishing import Retained

logger = logging.getLogger(__name__)


def mqtt_device(app: App) -> MqttDevice | None:
    """The device, not started; None without a broker, or if it cannot be made: that is logged, and the table
    is served without it."""
    if not app.config.mqtt.host:
        return None
    from companion.mqtt.device import MqttDevice, table_name
    from companion.mqtt.discovery import discovery

    mqtt = app.config.mqtt

    def greeting() -> Retained:
        if not mqtt.home_assistant:
            return ()
        return tuple(discovery(table_name(mqtt), commands=mqtt.commands, pages=app.host.address.url))

    try:
        return MqttDevice(
            mqtt, app.table, app.data.journal, app.data.path, clock=app.clock, greeting=greeting
        )
    except CompanionError as error:
        logger.error("MQTT is off: %s", error)
        return None
