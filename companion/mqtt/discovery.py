"""Home Assistant's MQTT discovery: one retained message for each entity of the table.

The keys are those of Home Assistant 2024.3 and later (https://www.home-assistant.io/integrations/mqtt/), one
message an entity. An entity that is not offered is removed by an empty message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.announce.codes import VERDICTS
from companion.core.version import VERSION
from companion.mqtt.messages import table_topic

PREFIX = "homeassistant"
"""First level of the topics that Home Assistant listens to."""
NOTHING = "None"
"""What a template gives for "not known" (Home Assistant's own word for it)."""

STATE_SENSORS = {
    "game": ("Game", "mdi:cards-playing", "value_json.title"),
    "turn": ("Turn", "mdi:account-arrow-right", "value_json.turn"),
    "round": ("Round", "mdi:counter", "value_json.round"),
    "winner": ("Winner", "mdi:trophy", "value_json.winner | join(', ')"),
}
"""Id -> name, icon and expression of the sensors that show one field of the state."""
SCORES = "{{ (value_json.scores.items() | map('join', ' ') | join(', ') or 'None')[:255] }}"
"""All scores in one line; a state of Home Assistant has at most 255 characters."""
VERDICT = (
    "{% if not value_json.late %}{{ {'event_type': value_json.verdict, 'player': value_json.player,"
    " 'game': value_json.name, 'rule': value_json.rule} | tojson }}{% endif %}"
)
PRESS = (
    "{% if value_json.source | default('') == 'buttons' and not value_json.late %}"
    "{{ {'event_type': 'pressed', 'event': value_json.event.event,"
    " 'player': value_json.event.player | default('')} | tojson }}{% endif %}"
)
"""An empty result is no event. What happened long ago starts no automation."""
BUTTONS = {
    "undo": ("Take back the latest move", "mdi:undo"),
    "pause": ("Stop the clock", "mdi:pause"),
    "go_on": ("Let the clock run", "mdi:play"),
}
"""Last level of the command's topic -> name and icon."""


def discovery(table: str, *, commands: bool, pages: str = "") -> Iterator[tuple[str, bytes]]:
    """The topics and payloads of all entities of a table.

    Args:
        commands: the owner allows the buttons.
        pages: address of the table's pages; empty: not known.
    """
    common = _common(table, pages)
    state = table_topic(table, "state")
    for name, (title, icon, expression) in STATE_SENSORS.items():
        template = f"{{{{ ({expression}) or '{NOTHING}' }}}}"
        sensor = {"name": title, "icon": icon, "state_topic": state, "value_template": template}
        yield _entity("sensor", table, name, common | sensor)
    scores = {
        "name": "Scores",
        "icon": "mdi:scoreboard",
        "state_topic": state,
        "value_template": SCORES,
        "json_attributes_topic": state,
        "json_attributes_template": "{{ value_json.scores | tojson }}",
    }
    yield _entity("sensor", table, "scores", common | scores)
    yield from _events(table, common)
    for name, (title, icon) in BUTTONS.items():
        topic = {"command_topic": table_topic(table, "command", name)}
        button = common | {"name": title, "icon": icon, "qos": 1} | topic
        yield _entity("button", table, name, button if commands else None)


def _events(table: str, common: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    verdict = {
        "name": "Verdict",
        "icon": "mdi:whistle",
        "qos": 1,
        "state_topic": table_topic(table, "verdict"),
        "value_template": VERDICT,
        "event_types": verdict_codes(),
    }
    yield _entity("event", table, "verdict", common | verdict)
    press = {
        "name": "Button",
        "device_class": "button",
        "qos": 1,
        "state_topic": table_topic(table, "event"),
        "value_template": PRESS,
        "event_types": ["pressed"],
    }
    yield _entity("event", table, "press", common | press)


def verdict_codes() -> list[str]:
    """The code of every verdict: Home Assistant refuses an event whose type was not announced."""
    return sorted(VERDICTS)


def _common(table: str, pages: str) -> dict[str, Any]:
    device = {
        "identifiers": [f"companion-{table}"],
        "name": f"Table {table}",
        "manufacturer": "Tabletop Companion",
        "model": "Table",
        "sw_version": VERSION,
    }
    return {
        "availability_topic": table_topic(table, "status"),
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
        "device": device | ({"configuration_url": pages} if pages else {}),
        "origin": {"name": "Tabletop Companion", "sw_version": VERSION},
    }


def _entity(kind: str, table: str, name: str, config: dict[str, Any] | None) -> tuple[str, bytes]:
    topic = f"{PREFIX}/{kind}/companion-{table}/{name}/config"
    if config is None:
        return topic, b""
    ids = {"unique_id": f"companion-{table}-{name}", "object_id": f"{table}_{name}"}
    return topic, msgspec.json.encode(config | ids)
