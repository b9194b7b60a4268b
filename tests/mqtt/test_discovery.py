"""The discovery of Home Assistant: its rules, copied from the source of 2024.3.3, and its templates.

The structs below are the schemas of `homeassistant/components/mqtt` (`mixins.py`: device, origin, common
keys; `sensor.py`, `event.py`, `button.py`). A key that they do not have is refused here, though Home
Assistant drops it silently. `make home-assistant` asks Home Assistant itself.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment
from mosquitto_broker import Consumer, Mosquitto, until
from msgspec import Meta

from companion.api.commands import Caller, EnterEvent
from companion.mqtt.discovery import discovery, verdict_codes

GAMES = Path(__file__).parents[2] / "companion" / "games"
VERDICT = re.compile(r"\bVerdict\([^,()]+, *\"(\w+)\"")
Text = Annotated[str, Meta(min_length=1)]
Topic = Annotated[str, Meta(min_length=1, max_length=65535, pattern=r"^[^+#\0]+$")]
Icon = Annotated[str, Meta(pattern=r"^[\w]+:[\w-]+$")]


class Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class HomeAssistantDevice(Strict, forbid_unknown_fields=True, kw_only=True):
    identifiers: Annotated[list[Text], Meta(min_length=1)]
    name: Text
    manufacturer: Text
    model: Text
    sw_version: Text
    configuration_url: Annotated[str, Meta(pattern=r"^https?://[^/]+/")] | msgspec.UnsetType = msgspec.UNSET


class Origin(Strict, forbid_unknown_fields=True, kw_only=True):
    name: Text
    sw_version: Text


class Entity(Strict, forbid_unknown_fields=True, kw_only=True):
    name: Text
    availability_topic: Topic
    availability_template: Text
    device: HomeAssistantDevice
    origin: Origin
    unique_id: Text
    object_id: Text
    icon: Icon | msgspec.UnsetType = msgspec.UNSET


class Sensor(Entity, forbid_unknown_fields=True, kw_only=True):
    state_topic: Topic
    value_template: Text
    json_attributes_topic: Topic | msgspec.UnsetType = msgspec.UNSET
    json_attributes_template: Text | msgspec.UnsetType = msgspec.UNSET


class EventEntity(Entity, forbid_unknown_fields=True, kw_only=True):
    qos: Literal[0, 1, 2]
    state_topic: Topic
    value_template: Text
    event_types: Annotated[list[Text], Meta(min_length=1)]
    device_class: Literal["button", "doorbell", "motion"] | msgspec.UnsetType = msgspec.UNSET


class Button(Entity, forbid_unknown_fields=True, kw_only=True):
    qos: Literal[0, 1, 2]
    command_topic: Topic


TYPES = {"sensor": Sensor, "event": EventEntity, "button": Button}


def entities(commands: bool = True) -> dict[tuple[str, str], Any]:
    found = {}
    for topic, payload in discovery("window", commands=commands, pages="http://192.168.1.20:8080/"):
        prefix, kind, node, name, last = topic.split("/")
        assert (prefix, node, last) == ("homeassistant", "companion-window", "config")
        found[kind, name] = msgspec.json.decode(payload, type=TYPES[kind]) if payload else None
    return found


def rendered(template: str, value: Any) -> str:
    return ImmutableSandboxedEnvironment().from_string(template).render(value_json=value)


def test_every_entity_keeps_the_rules_of_home_assistant() -> None:
    found = entities()
    assert {kind for kind, _ in found} == {"sensor", "event", "button"}
    ids = [one.unique_id for one in found.values()]
    assert len(ids) == len(set(ids)) == 10


def test_buttons_are_removed_without_consent() -> None:
    found = entities(commands=False)
    assert [name for (kind, name), one in found.items() if one is None] == ["undo", "pause", "go_on"]


def test_every_verdict_is_announced() -> None:
    written = {code for path in GAMES.rglob("*.py") for code in VERDICT.findall(path.read_text())}
    assert len(written) > 10
    assert written <= set(verdict_codes())


@pytest.mark.parametrize(
    ("name", "state", "shown"),
    [
        ("game", {"title": "The Nasty 7"}, "The Nasty 7"),
        ("game", {"title": ""}, "None"),
        ("turn", {"turn": "Ida"}, "Ida"),
        ("turn", {"turn": None}, "None"),
        ("round", {"round": 2}, "2"),
        ("winner", {"winner": ["Ida", "Jo"]}, "Ida, Jo"),
        ("winner", {"winner": []}, "None"),
        ("scores", {"scores": {"Ida": 3, "Jo": 0}}, "Ida 3, Jo 0"),
        ("scores", {"scores": {}}, "None"),
        ("scores", {"scores": {"x" * 300: 1}}, "x" * 255),
    ],
)
def test_sensors(name: str, state: dict[str, Any], shown: str) -> None:
    assert rendered(entities()["sensor", name].value_template, state) == shown


def test_events_and_availability_of_real_messages(
    broker: Mosquitto, played: Any, consumer: Callable[..., Consumer]
) -> None:
    seen = consumer()
    played.device(broker)
    played.begin()
    played.play("Ida")
    call = EnterEvent({"event": "heard", "player": "Ida", "words": ["two"]})
    played.table.command(call, Caller("referee"))
    until(lambda: seen.on("verdict"))
    found = entities()
    event = found["event", "verdict"]
    [verdict] = seen.on("verdict")
    fired = msgspec.json.decode(rendered(event.value_template, verdict))
    assert fired["event_type"] in event.event_types
    assert fired["player"] == "Ida"
    assert rendered(event.value_template, verdict | {"late": True}) == ""
    for one in seen.on("event"):
        assert rendered(found["event", "press"].value_template, one) == "", "no button was pressed"
    press = seen.on("event")[-1] | {"source": "buttons"}
    pressed = msgspec.json.decode(rendered(found["event", "press"].value_template, press))
    assert (pressed["event_type"], pressed["event"]) == ("pressed", "heard")
    status = seen.on("status")[-1]
    assert rendered(event.availability_template, status) == "online"
    assert rendered(event.availability_template, status | {"online": False}) == "offline"
