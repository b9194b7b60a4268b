"""The labels that an enrolled deck is expected to have: those of a game's cards.

The labels are those of the events' vocabulary (docs/events.md). Which cards a game has is handed in: nothing
here knows a game.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Template:
    """A game's cards. `labels`: every card that looks different, once, in the order people sort them."""

    game: str
    title: str
    labels: tuple[str, ...]

    def missing(self, labels: Iterable[str]) -> tuple[str, ...]:
        """The cards of the game that are not among `labels`."""
        there = set(labels)
        return tuple(label for label in self.labels if label not in there)

    def strange(self, labels: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Labels that the game does not know, each with the one that was probably meant (or "")."""
        found = []
        for label in dict.fromkeys(labels):
            if label not in self.labels:
                like = [known for known in self.labels if _digits(known) == _digits(label)]
                spelt = {_plain(known): known for known in like}
                near = difflib.get_close_matches(_plain(label), list(spelt), 1, 0.75)
                found.append((label, spelt[near[0]] if near else ""))
        return tuple(found)


def _plain(label: str) -> str:
    """The label without what people write in different ways."""
    return " ".join(label.replace("_", " ").replace("-", " ").split()).lower()


def _digits(label: str) -> str:
    return "".join(one for one in label if one.isdigit())


def template_of(templates: Mapping[str, Template], game: str, labels: Sequence[str] = ()) -> Template | None:
    """The template of a game or of a deck named after it; otherwise the one that knows most of the labels, if
    it knows four of five; otherwise None. `templates`: of all games that have cards, by the game's name."""
    if game in templates:
        return templates[game]
    if not labels or not templates:
        return None
    known = {one.game: sum(label in one.labels for label in labels) for one in templates.values()}
    best = max(known, key=lambda name: (known[name], -len(templates[name].labels)))
    return templates[best] if known[best] >= 0.8 * len(labels) else None
