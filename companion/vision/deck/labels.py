"""Which cards the games have: the names that an enrolled deck is expected to give them.

The labels are those of the events' vocabulary (docs/events.md): what a deck calls a card is what the rules
hear of it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
CREATURES = (
    *("spiral", "antenna", "claw", "wing", "shell", "spike", "worm", "spider", "squid", "bat", "mushroom"),
    *("flame", "crystal", "ant", "fish", "ring", "tadpole", "tower", "slug", "cactus", "clover", "tripod"),
    *("crown", "caterpillar", "gem_bug"),
)


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


TEMPLATES = {
    template.game: template
    for template in (
        Template("bugs_and_co", "Bugs & Co", CREATURES),
        Template("nasty_7", "The Nasty 7", ("racketeer", "twin_racketeer", "phone", "twin_phone", "gun")),
        Template(
            "seven_merry_monsters",
            "Seven Merry Monsters",
            (*(f"{colour} {value}" for colour in COLOURS for value in range(1, 8)), "joker"),
        ),
        Template(
            "thirteen_monsters",
            "13 Monsters",
            tuple(
                f"{value} {part} {side}"
                for value in range(1, 14)
                for part in ("top", "eyes", "bottom")
                for side in ("left", "right")
            ),
        ),
        Template("trio_monsters", "Trio Monsters", (*COLOURS, "black")),
    )
}


def template_of(game: str, labels: Sequence[str] = ()) -> Template | None:
    """The template of a game or of a deck named after it; otherwise the one that knows most of the labels,
    if it knows four of five; otherwise None."""
    if game in TEMPLATES:
        return TEMPLATES[game]
    if not labels:
        return None
    known = {one.game: sum(label in one.labels for label in labels) for one in TEMPLATES.values()}
    best = max(known, key=lambda name: (known[name], -len(TEMPLATES[name].labels)))
    return TEMPLATES[best] if known[best] >= 0.8 * len(labels) else None
