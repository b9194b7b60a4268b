"""Zones: the parts of the table in which the camera looks for the things of a game.

Corners are shares of the picture's width (x, to the right) and height (y, downwards).
"""

from __future__ import annotations

from math import cos, radians, sin

import msgspec

Corner = tuple[float, float]
WHOLE: tuple[Corner, ...] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""The whole picture."""


class Zone(msgspec.Struct, frozen=True):
    """One zone of a game, or with `each_player` one zone for each player."""

    name: str
    """As the spotter knows it; zones of players are `<name>:<number of the seat, from 1>`."""
    text: str
    """English name on the set-up page (a msgid), e.g. "the pile"."""
    corners: tuple[Corner, ...] = WHOLE
    """Where it is assumed to be until somebody draws it; zones of players get a sector of the picture."""
    each_player: bool = False
    beside_mat: bool = False
    """On a mat: in front of the first player beside it, instead of on it."""


def default_zones(zones: tuple[Zone, ...], seats: int) -> dict[str, list[Corner]]:
    """The shape of each zone at a table where nobody has drawn any, by name.

    A zone that comes first lies on top of the others: the trick is cut out of the displays. The first player
    sits at the lower side of the picture, the others follow clockwise; a player's zone is what lies between
    the middle of the picture and that player.
    """
    found: dict[str, list[Corner]] = {}
    for zone in zones:
        if zone.each_player:
            found |= {f"{zone.name}:{seat + 1}": sector(seat, seats) for seat in range(seats)}
        else:
            found[zone.name] = list(zone.corners)
    return found


def sector(seat: int, seats: int) -> list[Corner]:
    """The part of the picture that is nearest to a seat's direction from the middle; `seat` from 0."""
    half = 180.0 / seats
    middle = 90.0 + 2 * half * seat
    # The edge of the picture between the two neighbours: both ends, and every corner between them.
    corners = [at for at in (45.0, 135.0, 225.0, 315.0) if (at - middle + half) % 360.0 < 2 * half]
    corners.sort(key=lambda at: (at - middle + half) % 360.0)
    ends = [_at_edge(at) for at in (middle - half, *corners, middle + half)]
    return list(dict.fromkeys(ends if seats == 2 else [(0.5, 0.5), *ends]))


def _at_edge(degrees: float) -> Corner:
    """Where a ray from the middle, clockwise from the right, leaves the picture."""
    x, y = cos(radians(degrees)), sin(radians(degrees))
    far = 0.5 / max(abs(x), abs(y))
    return round(0.5 + far * x, 4), round(0.5 + far * y, 4)
