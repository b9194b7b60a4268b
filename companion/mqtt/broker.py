"""A connection to an MQTT broker that is made again whenever it is lost (paho-mqtt, MQTT 5).

paho-mqtt is imported when a connection is made: without `[mqtt]` in the configuration nothing of it is
loaded.
"""

from __future__ import annotations

import logging
import queue
import select
import ssl
from collections.abc import Callable, Sequence
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple

from companion.core.clock import monotonic
from companion.core.config import Broker
from companion.core.errors import CompanionError, Unavailable

logger = logging.getLogger(__name__)

KEEP_ALIVE_S = 20
"""Seconds after which a connection without an answer counts as lost."""
RETRY_S = (1, 30)
"""Seconds until a lost connection is tried again: first, and at most."""


class ReceivedMessage(NamedTuple):
    """A message from the broker."""

    topic: str
    payload: bytes
    retained: bool
    """It was stored by the broker before this connection subscribed."""


class Acknowledged(NamedTuple):
    """The broker's answer to a message of quality 1."""

    id: int
    ok: bool
    reason: str


class LastWill(NamedTuple):
    """What the broker publishes, retained, when the connection is lost."""

    topic: str
    payload: bytes


class BrokerConnection:
    """One connection. The callbacks run on the library's thread and must only put into queues.

    Args:
        config: where the broker is, and how to be admitted.
        name: id of this client; the broker disconnects an older client with the same id.
        will: see LastWill; None: nothing.
        keeps_session_s: for how long the broker keeps messages for this client while it is away, in seconds;
            0: not at all.
        by_hand: received messages are acknowledged with `done`, not when they arrive.
        answers: the broker's answers are kept in `acknowledged` until somebody takes them.

    Raises:
        Unavailable: paho-mqtt is not installed, or the password or the certificate cannot be read.
    """

    def __init__(
        self,
        config: Broker,
        name: str,
        will: LastWill | None = None,
        *,
        keeps_session_s: int = 0,
        by_hand: bool = False,
        answers: bool = True,
    ) -> None:
        try:
            from paho.mqtt import client as paho
            from paho.mqtt.enums import CallbackAPIVersion
            from paho.mqtt.packettypes import PacketTypes
            from paho.mqtt.properties import Properties
        except ImportError as error:
            raise Unavailable("mqtt.not_installed") from error
        self._config = config
        make_properties: Any = Properties
        self._session = make_properties(PacketTypes.CONNECT)
        self._session.SessionExpiryInterval = keeps_session_s
        self._clean = paho.MQTT_CLEAN_START_FIRST_ONLY if keeps_session_s == 0 else False
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=name,
            protocol=paho.MQTTv5,
            manual_ack=by_hand,
        )
        if config.user:
            self._client.username_pw_set(config.user, password_of(config))
        if config.tls:
            self._client.tls_set_context(tls_context(config))
        if will is not None:
            self._client.will_set(will.topic, will.payload, qos=1, retain=True)
        self._client.reconnect_delay_set(*RETRY_S)
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_subscribe = self._on_subscribe
        if answers:
            self._client.on_publish = self._on_publish
        self.acknowledged: queue.SimpleQueue[Acknowledged] = queue.SimpleQueue()
        self.connects = 0
        """How often it has been connected."""
        self.refusal = ""
        """Why the broker did not admit this client; empty: it did, or it cannot be reached."""
        self._subscriptions: list[tuple[str, int]] = []
        self._subscribed = False
        self._received = 0
        self._retry_at = 0.0
        self._retry_s = RETRY_S[0]

    def receive(
        self, topics: list[str], take: Callable[[ReceivedMessage, int], None], unsure: Sequence[str] = ()
    ) -> None:
        """Subscribes to topics at every connect. `take` gets each message with its number for `done`; it runs
        on the library's thread or in `serve`. Called once, before `start` or `serve`.

        Args:
            unsure: topics of quality 0: their messages are not acknowledged, and none waits for a client that
                is away.
        """
        self._subscriptions = [(topic, 1) for topic in topics] + [(topic, 0) for topic in unsure]

        def received(_client: Any, _userdata: Any, message: Any) -> None:
            self._received += 1
            take(
                ReceivedMessage(str(message.topic), bytes(message.payload), bool(message.retain)), message.mid
            )

        self._client.on_message = received

    def done(self, number: int) -> None:
        """Acknowledges a received message of quality 1 (with `by_hand`)."""
        if number:
            self._client.ack(number, 1)

    def start(self) -> None:
        """Connects on a thread of its own, again and again until it succeeds; returns at once."""
        self._prepare()
        self._client.loop_start()

    def serve(self, seconds: float, most: int) -> None:
        """Does on the caller's thread what `start` does on another one: connects, sends, and takes what
        arrives. To be called again and again, by one thread.

        A thread that also does other work costs a fraction of two that contend for Python's lock.

        Args:
            seconds: waits at most so long for something to arrive.
            most: takes about so many messages.
        """
        client = self._client
        if client.socket() is None and not self._reconnected(seconds):
            return
        end = self._received + most
        wait_ms = seconds * 1000
        while (sock := client.socket()) is not None and self._received < end:
            if client.want_write():
                client.loop_write()
            poll = select.poll()
            poll.register(sock, select.POLLIN | (select.POLLOUT if client.want_write() else 0))
            if not getattr(sock, "pending", int)() and not poll.poll(wait_ms):
                break
            before, wait_ms = -1, 0.0
            while before < self._received < end and client.socket() is not None:
                before = self._received
                client.loop_read()
        client.loop_misc()

    def _prepare(self) -> None:
        self._client.connect_async(
            self._config.host,
            self._config.port,
            keepalive=KEEP_ALIVE_S,
            clean_start=self._clean,
            properties=self._session,
        )

    def _reconnected(self, seconds: float) -> bool:
        """Whether a connection could be begun; waits at most some seconds for the moment to try it."""
        now = monotonic()
        if now < self._retry_at:
            sleep(min(seconds, self._retry_at - now))
            return False
        self._retry_at = now + self._retry_s
        self._retry_s = min(self._retry_s * 2, RETRY_S[1])
        self._prepare()
        try:
            self._client.reconnect()
        except OSError as error:
            logger.info("the broker %s cannot be reached: %s", self._config.host, error)
            return False
        return True

    def stop(self) -> None:
        """Disconnects; the last will is not published. A second call is harmless."""
        self._client.disconnect()
        self._client.loop_stop()

    @property
    def connected(self) -> bool:
        """Whether the broker has admitted this client and answered its subscriptions, and the connection is
        not known to be lost: what is sent to it from now on arrives."""
        return self._subscribed and bool(self._client.is_connected())

    def publish(self, topic: str, payload: bytes, *, sure: bool, retain: bool = False) -> int:
        """Sends a message; never waits.

        Args:
            sure: quality 1: it is sent again after a lost connection until the broker acknowledges it.

        Returns:
            Its number, which `acknowledged` names.
        """
        return int(self._client.publish(topic, payload, qos=int(sure), retain=retain).mid)

    # --- on the library's thread --------------------------------------------------------------------------

    def _on_connect(self, client: Any, _userdata: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            if str(reason) != self.refusal:
                logger.warning("the broker %s refuses this client: %s", self._config.host, reason)
            self.refusal = str(reason)
            return
        self.refusal = ""
        self._retry_s = RETRY_S[0]
        self.connects += 1
        self._subscribed = not self._subscriptions
        if self._subscriptions:
            client.subscribe(self._subscriptions)

    def _on_subscribe(
        self, _client: Any, _userdata: Any, _number: int, reasons: Any, _properties: Any
    ) -> None:
        for (topic, _), reason in zip(self._subscriptions, reasons, strict=False):
            if reason.is_failure:
                logger.warning("the broker %s refuses the topic %s: %s", self._config.host, topic, reason)
        self._subscribed = True

    def _on_disconnect(
        self, _client: Any, _userdata: Any, _flags: Any, reason: Any, _properties: Any
    ) -> None:
        self._subscribed = False
        logger.info("the connection to the broker %s ended: %s", self._config.host, reason)

    def _on_publish(self, _client: Any, _userdata: Any, number: int, reason: Any, _properties: Any) -> None:
        self.acknowledged.put(Acknowledged(number, not reason.is_failure, str(reason)))


def password_of(config: Broker) -> str | None:
    """The password in the configured file; None: no file is configured.

    Raises:
        Unavailable: it cannot be read.
    """
    if not config.password_file:
        return None
    path = Path(config.password_file).expanduser()
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable("mqtt.no_password", path=path, why=str(error)) from error


def tls_context(config: Broker) -> ssl.SSLContext:
    """Verifies the broker's certificate and name, with the configured authority or those of the system.

    Raises:
        Unavailable: the certificate of the authority cannot be read.
    """
    path = Path(config.ca_file).expanduser() if config.ca_file else None
    try:
        context = ssl.create_default_context(cafile=path)
    except (OSError, ssl.SSLError) as error:
        raise Unavailable("mqtt.no_certificate", path=config.ca_file, why=str(error)) from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def check(config: Broker, name: str, seconds: float = 3.0) -> str:
    """Connects once. Returns why it was not possible; empty: the broker admitted this client."""
    import time

    try:
        connection = BrokerConnection(config, name)
    except CompanionError as error:
        return str(error)
    connection.start()
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end and not connection.connected and not connection.refusal:
            time.sleep(0.02)
        return "" if connection.connected else connection.refusal or "no answer"
    finally:
        connection.stop()
