"""The rule behind a verdict or a rejection, and what may be done now, in short sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.games.contract.choices import Collection, Dice, Objects, Text
from companion.games.contract.fields import Event, Setup, a_time, is_integer
from companion.games.contract.offers import Choice, Offer, OneOf, Several, Words
from companion.games.contract.rulebook import Rulebook
from companion.games.digest import digest

FEW = 3
"""Up to so many possibilities are listed; of more only the number is given."""


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
    return rule, " ".join(part for part in (_filled(text, known), why) if part)


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


def may(game: str, offers: Iterable[Offer], player: str | None = None) -> list[str]:
    """What may I do now? Short sentences, each once; with `player` only what that player may do.

    Mistakes that would be accepted with a verdict, and events that only follow a deadline, are left out.
    """
    templates = digest(game).may
    sentences = []
    for offer in offers:
        template = templates.get(f"{offer.event}/{offer.rule}", templates.get(offer.event, ""))
        doer = offer.fields.get("player", offer.fields.get("by"))
        if not template or offer.after is not None or (player is not None and not _concerns(doer, player)):
            continue
        fields = {name: described(choice) for name, choice in offer.fields.items()}
        if player is not None:
            fields["player"] = fields["by"] = player
        if fields.get("words") != "":
            sentences.append(_filled(template, fields))
    return list(dict.fromkeys(sentences))


def _concerns(doer: Choice | None, player: str) -> bool:
    """Whether an offer is for this player, or for anybody."""
    return not isinstance(doer, OneOf | Several) or player in doer.values


def _filled(template: str, fields: Mapping[str, str]) -> str:
    """A template with its fields; a name that is not there stays a gap."""
    return template.format_map({**fields, **{name: "…" for name in _names(template) if name not in fields}})


def _names(template: str) -> list[str]:
    return [part.partition("}")[0] for part in template.split("{")[1:]]


def described(choice: Choice) -> str:
    """A choice in words."""
    if isinstance(choice, OneOf | Objects | Collection | Several):
        return _one_of(tuple(choice.values))
    if isinstance(choice, Words):
        return listed([" ".join(words) for words in choice.right], " or ") if choice.right else ""
    if isinstance(choice, Text):
        return "another colour" if choice.but else "any colour"
    if isinstance(choice, Dice):
        return f"{choice.count} dice" if choice.count > 1 else "one die"
    return _KINDS.get(type(choice).__name__, "something")


_KINDS: Mapping[str, str] = {"AnyPlace": "any place", "Card": "a card", "Cards": "your cards"}


def _one_of(values: tuple[Any, ...]) -> str:
    if values and _is_place(values[0]):
        return f"one of {len(values)} places" if len(values) > 1 else "the only place"
    return listed(values, " or ") if len(values) <= FEW else f"one of {len(values)}"


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


def _is_place(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(type(one) is int for one in value)
