"""The rule behind a verdict or a rejection, in short sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract.fields import Event, Setup, a_time, is_integer
from companion.games.contract.rulebook import Rulebook
from companion.games.digest import digest


def explain(game: str, finding: str, details: Mapping[str, Any] | None = None) -> tuple[str, str]:
    """The rule behind a verdict or a rejection code, and why, in our own words.

    `details` are the further keys of the verdict; `rule` among them is the rule that the rulebook named, if
    it named one. The id is empty where no rule of the game is concerned (`bad_json`).
    """
    words = digest(game)
    details = details or {}
    rule = details.get("rule") or words.rests_on.get(finding, "")
    text = words.verdicts.get(finding) or words.codes.get(finding, "")
    known = {name: listed(value) for name, value in details.items()}
    why = words.rules[rule].text if rule in words.rules else ""
    return rule, " ".join(part for part in (filled(text, known), why) if part)


def with_meant_field(text: str, book: Rulebook[Any], setup: Setup, event: Event, code: str) -> str:
    """A rejection's sentence with what its code leaves out: which field is wrong, or which events there are.

    Args:
        text: the sentence as `explain` gives it.
        event: the rejected event; empty for a line that is no JSON object.
    """
    if code == "unknown_event":
        return f"{text} It knows {listed([*book.events, 'undone'])}."
    field = _field_meant(book, setup, event, code)
    return f"`{field}`: {text}" if field else text


def _field_meant(book: Rulebook[Any], setup: Setup, event: Event, code: str) -> str:
    """The field that a code of the common checks is about, "" if it is about none or about several."""
    kind = book.kind_of(event)
    if code not in ("bad_field", "missing_field", "unknown_player", "unknown_card"):
        return ""
    if kind is None:  # a correction, which belongs to the record
        return _field_of_correction(event, setup, code)
    wrong, field = book.fault(kind, setup, event) or ("", "")
    if wrong == code:
        return field
    if code != "bad_field":
        return ""
    times = (name for name in ("t", "start", "end") if name in event and a_time(event[name], setup))
    spoken = {"heard": "end" if event.get("words") else "words"}
    return next(times, spoken.get(event["event"], ""))


def _field_of_correction(event: Event, setup: Setup, code: str) -> str:
    if code == "missing_field":
        return "replacement" if "n" in event else "n"
    if "t" in event and a_time(event["t"], setup):
        return "t"
    return "replacement" if is_integer(event.get("n")) else "n"


def filled(template: str, fields: Mapping[str, str]) -> str:
    """A template with its fields; a name that is not there stays a gap."""
    return template.format_map({**fields, **{name: "…" for name in _names(template) if name not in fields}})


def _names(template: str) -> list[str]:
    return [part.partition("}")[0] for part in template.split("{")[1:]]


def listed(value: Any, last: str = " and ") -> str:
    """A value in words: numbers, names and cards, several of them with commas."""
    if isinstance(value, dict):
        if "part" in value:
            return f"{value['part']} of {value['monster']}"
        return " ".join(str(one) for one in value.values())
    if isinstance(value, list | tuple):
        words = [listed(one) for one in value]
        return last.join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
    return str(value)
