"""Says again in another language what was said already: a snapshot, a change, a reply to a phone.

Wherever the JSON of the pages carries a sentence it carries the code and the parameters beside it, so a phone
gets the table's news in its own language. Why a source is down is known again by its fixed words; what came
from a driver or a library stays as it was said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.announce.codes import MEANINGS
from companion.announce.phrases import Phrases
from companion.core.message import Message

Json = dict[str, Any]


class Retelling:
    """The languages there are, and what is said in each; `table` is the one that sentences arrive in."""

    def __init__(self, table: str, make: Callable[[str], Phrases] = Phrases) -> None:
        self._table = table
        self._make = make
        self._known: dict[str, Phrases] = {}

    def __call__(self, said: Json, language: str) -> Json:
        """The same with its sentences in a language; `said` is not changed."""
        if language == self._table:
            return said
        phrases = self._known.setdefault(language, self._make(language))
        if "kind" in said:
            changed = {**said, "snapshot": _snapshot(said["snapshot"], phrases)}
            changed["announcements"] = [_coded(one, phrases) for one in said["announcements"]]
            return changed
        return _snapshot(said, phrases) if "seq" in said and "log" in said else _reply(said, phrases)


def _snapshot(snapshot: Json, phrases: Phrases) -> Json:
    latest = snapshot.get("announcement")
    return {
        **snapshot,
        "log": [_entry(entry, phrases) for entry in snapshot.get("log", [])],
        "questions": [_question(one, phrases) for one in snapshot.get("questions", [])],
        "announcement": None if latest is None else _coded(latest, phrases),
        "sources": {name: _source(one, phrases) for name, one in snapshot.get("sources", {}).items()},
    }


def _source(source: Json, phrases: Phrases) -> Json:
    if source.get("code") is None:
        return source
    return {**source, "why": phrases.written(Message(source["code"], source["params"]))}


def _entry(entry: Json, phrases: Phrases) -> Json:
    said = {**entry, "text": phrases.event(entry["event"])}
    said["verdicts"] = [_coded(one, phrases, "verdict") for one in entry["verdicts"]]
    if entry.get("rejected") is not None:
        said["why"] = phrases.text(entry["rejected"], {**entry["event"], "turn": entry.get("turn")})
    return said


def _question(question: Json, phrases: Phrases) -> Json:
    options = [
        {**one, "label": phrases.option(one["card"], one["words"])} if "words" in one else one
        for one in question["options"]
    ]
    return {**_coded(question, phrases), "options": options}


def _reply(reply: Json, phrases: Phrases) -> Json:
    dropped = reply.get("dropped")
    if isinstance(dropped, list):
        return {**reply, "dropped": [_dropped(one, phrases) for one in dropped]}
    return _coded(reply, phrases)


def _dropped(one: Json, phrases: Phrases) -> Json:
    event = one.get("event")
    if not isinstance(event, Mapping):
        return one
    return {**one, "text": phrases.event(event), "why": phrases.text(one["code"], event)}


def _coded(said: Json, phrases: Phrases, name: str = "code") -> Json:
    """Anything with a code, its parameters and a text."""
    code, params = said.get(name), said.get("params")
    if not isinstance(code, str) or code not in MEANINGS or not isinstance(params, Mapping):
        return said
    return {**said, "text": phrases.text(code, params)}
