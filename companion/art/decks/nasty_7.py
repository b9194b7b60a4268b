"""The Nasty 7: five kinds of racketeer cards."""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.art.decks.frame import HEIGHT, INNER, SIZE, WIDTH, card, halo
from companion.art.decks.frame import back as card_back
from companion.art.decks.racketeers import (
    BOSS,
    CALLER,
    COUSIN,
    GUNMAN,
    Posture,
    RacketeerLook,
    folded,
    handset,
    hat_sign,
    pistol,
    pointing,
    racketeer,
    telephone,
)
from companion.art.draw.palette import INK, LIGHT
from companion.art.draw.patterns import diamonds, pinstripes, rings, waves
from companion.art.draw.vector import Drawing, Node, Shape, box, moved, place, polygon

CARD_MM = SIZE


def draw(label: str) -> Drawing:
    """The card of a label."""
    ground, pattern, people, signs = _DESIGNS[label]
    return card(ground, pattern, [*halo(people(), 1.3), *people()], _corner(signs()))


def back() -> Drawing:
    """A hat on pinstripes, once each way up."""
    hat = moved(hat_sign(), place(WIDTH / 2, HEIGHT * 0.29, 16.0))
    return card_back("#3d405b", pinstripes(INNER, 4.5, "#565a7c"), [*halo(hat, 1.2), *hat])


def _one(
    looks: RacketeerLook, posture: Posture, x: float = WIDTH / 2, scale: float = 24.0
) -> Callable[[], list[Node]]:
    return lambda: moved(racketeer(looks, posture), place(x, HEIGHT / 2, scale))


def _two(left: RacketeerLook, right: RacketeerLook, posture: Posture) -> Callable[[], list[Node]]:
    def people() -> list[Node]:
        behind = moved(racketeer(right, posture), place(WIDTH / 2 + 10.5, HEIGHT / 2 - 8.0, 16.0))
        front = moved(racketeer(left, posture), place(WIDTH / 2 - 9.0, HEIGHT / 2 + 8.0, 18.0, mirror=True))
        return [*behind, *halo(front, 1.3), *front]

    return people


def _corner(signs: list[list[Node]]) -> list[Node]:
    """The signs on a light plate, one below the other's side."""
    plate = Shape(box(5.0, 5.0, 14.0 * len(signs), 13.0, 3.0), fill=LIGHT, stroke=INK, width=0.7)
    nodes: list[Node] = [plate]
    for index, drawn in enumerate(signs):
        nodes += moved(drawn, place(12.0 + 14.0 * index, 11.5, 5.6))
    return nodes


def _rays(colour: str) -> list[Shape]:
    """Rays from the middle of the card."""
    x, y, reach = WIDTH / 2, HEIGHT / 2, 70.0
    shapes = []
    for index in range(16):
        one, two = (math.radians(index * 22.5 + part) for part in (0.0, 11.25))
        corners = [
            (x, y),
            (x + reach * math.cos(one), y + reach * math.sin(one)),
            (x + reach * math.cos(two), y + reach * math.sin(two)),
        ]
        shapes.append(Shape(polygon(corners), fill=colour))
    return shapes


Design = tuple[str, list[Shape], Callable[[], list[Node]], Callable[[], list[list[Node]]]]
_DESIGNS: dict[str, Design] = {
    "racketeer": ("#f3d9a4", pinstripes(INNER, 4.5, "#d9b46a"), _one(BOSS, folded), lambda: [hat_sign()]),
    "twin_racketeer": (
        "#a9c6e8",
        diamonds(INNER, 9.0, "#7fa8d6"),
        _two(BOSS, COUSIN, folded),
        lambda: [hat_sign(), hat_sign()],
    ),
    "phone": ("#bfe3c3", rings(INNER, 7.0, "#86c493"), _one(CALLER, telephone), lambda: [handset()]),
    "twin_phone": (
        "#d9c3ea",
        waves(INNER, 7.5, "#b48fd2"),
        _two(CALLER, COUSIN, telephone),
        lambda: [handset(), handset()],
    ),
    "gun": ("#f6a59b", _rays("#e86a5e"), _one(GUNMAN, pointing, 43.0, 17.5), lambda: [pistol()]),
}
