"""Writes docs/mqtt.md and docs/mqtt.schema.json from the message types.

python -m companion.mqtt.reference docs
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from companion.core.field_docs import field_help
from companion.mqtt.messages import MESSAGES, SCHEMA, table_topic

INTRODUCTION = """# MQTT

A table can be a device of an MQTT broker: for Home Assistant, for a hub of many tables, or for a program of
your own. It is off unless `[mqtt]` in the [configuration](configuration.md) names a broker. The table never
depends on it: without broker or network it plays on, and what it has to say is kept in its journal and sent
later.

This page and [mqtt.schema.json](mqtt.schema.json) (JSON Schema 2020-12) are generated: `python -m
companion.mqtt.reference docs`.

## Delivery

- MQTT 5, quality 1 for everything except `reply`. `status` and `state` are retained.
- Messages on `event`, `verdict` and `result/...` are made from the journal, in its order, and sent until
  the broker acknowledges them, across restarts and days without a network. The file `mqtt-cursor.json` in
  the data folder holds how far that is; without it everything is sent again.
- A message may arrive more than once. `table`, `game` and `sequence` (for verdicts also `index`) identify
  it: count each only once.
- `series` and `number` show whether a message is missing, for instance because a broker lost what it had
  acknowledged: the numbers of one series are 1, 2, 3 ... without gaps. `status` has the latest acknowledged
  one. A consumer that misses some sends a `ResendRequest`; the table sends these again.
- A consumer ignores fields that it does not know. `schema` is raised when a field changes its meaning or
  its type, or when a new one is required.

## Topics
"""
COMMAND_TOPICS = """
`companion/<table>/command/undo`, `command/pause` and `command/go_on` take back the latest move, stop the
game's clock and let it run again, if the owner allows it (`commands = true`). The payload does not matter;
a retained one is ignored, and so is one within a second of the one before. `reply` says what became of it.
"""
SEATING = """
`companion/<table>/seating` is the hub's: the game that a tournament has planned for the table. The table
offers it on its pages; nothing begins without a tap of the players. The game gets the seating's id, so
`result/<seating's id>` is its result, however often it arrives. A seating with an unknown game, impossible
players, or an id that was played already is ignored. `state` has the id in `game` while it is played, and in
`declined` while the players do not want it.
"""
HOME_ASSISTANT = """
## Home Assistant

With `home_assistant = true` the table announces itself to Home Assistant 2024.3 or later: game, turn, round,
winner and scores as sensors, verdicts and presses of buttons as events, and, if the owner allows commands,
buttons for *undo*, *pause* and *go on*. Verdicts and presses that are sent late start nothing. `make
home-assistant` passes every discovery message to the schemas of Home Assistant 2024.3.3 itself: all ten are
accepted, and no key is unknown to it. A
lamp that turns red when somebody was too late:

```yaml
triggers:
  - trigger: state
    entity_id: event.window_verdict
conditions:
  - "{{ trigger.to_state.attributes.event_type == 'too_late' }}"
actions:
  - action: light.turn_on
    target: {entity_id: light.table}
    data: {color_name: red}
```
"""


def page() -> str:
    """docs/mqtt.md."""
    lines = [INTRODUCTION, "| topic | type |", "|---|---|"]
    for level, hint in MESSAGES.items():
        names = ", ".join(f"[{one.__name__}](#{one.__name__.lower()})" for one in _structs(hint))
        lines.append(f"| `{table_topic('<table>', level)}` | {names} |")
    lines += [COMMAND_TOPICS, SEATING, HOME_ASSISTANT, "## Messages"]
    for hint in MESSAGES.values():
        for struct in _structs(hint):
            lines += ["", f"### {struct.__name__}", "", inspect.getdoc(struct) or "", "", *_fields(struct)]
    return "\n".join(lines) + "\n"


def schema() -> dict[str, Any]:
    """docs/mqtt.schema.json: the schemas of all messages, and which topic carries which."""
    schemas, definitions = msgspec.json.schema_components(MESSAGES.values())
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Messages of a table, version {SCHEMA}",
        "topics": {table_topic("<table>", level): one for level, one in zip(MESSAGES, schemas, strict=True)},
        "$defs": {name: _cleaned(one) for name, one in definitions.items()},
        "anyOf": list(schemas),
    }


def _cleaned(definition: dict[str, Any]) -> dict[str, Any]:
    """A definition whose description is not indented: before version 0.23 msgspec left that to others."""
    if "description" not in definition:
        return definition
    return {**definition, "description": inspect.cleandoc(definition["description"])}


def _structs(hint: Any) -> tuple[type[msgspec.Struct], ...]:
    return get_args(hint) or (hint,)


def _fields(struct: type[msgspec.Struct]) -> list[str]:
    help_ = field_help(struct)
    tag = struct.__struct_config__.tag
    rows = ["| field | required | meaning |", "|---|---|---|"]
    if tag is not None:
        rows.append(f"| `{struct.__struct_config__.tag_field}` | yes | `{tag}` |")
    required = {field.name: field.required for field in msgspec.structs.fields(struct)}
    for name in get_type_hints(struct):
        if name in required:
            rows.append(f"| `{name}` | {'yes' if required[name] else 'no'} | {help_.get(name, '')} |")
    return rows


def main(folder: Path) -> None:
    """Writes both files."""
    (folder / "mqtt.md").write_text(page(), encoding="utf-8")
    text = msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode()
    (folder / "mqtt.schema.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
