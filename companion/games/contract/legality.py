"""Legality once: the predicate that judges an event also decides what is offered.

A game has one predicate, `Rulebook.breach`: the rule that an event would break, or none. `Rulebook.play` asks
it before it works out effects, and the effects cannot refuse. For the offers a game only makes proposals,
which may hold too much; `Rulebook.expects`, which no game overrides, keeps of them what the same predicate
accepts. Therefore an offer that `play` refuses cannot be written:

- A listed value (a player, a place, a card) stays in an offer only if the event with it is legal.
- A choice without a list (dice, tiles, cards that can still turn up) is made by a function that `breach` uses
  as well: the object that is shown is the one that judges. An event with its example has to be legal, too.
- What is left without a legal example is no offer.

One thing is the game's: the fields of one proposal do not depend on each other, so that each value can be
judged with the first legal values of the others. Where the values of a field depend on another field, the
game makes several proposals.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import Rejected
from companion.games.contract.fields import Event, EventKind
from companion.games.contract.offers import Offer

LATER = 1e-6
"""Seconds after a deadline at which an event that has to come after it is tried."""
MUCH_LATER = 1e6
"""Seconds after the last event at which an event without a limit is tried."""


class Breach(NamedTuple):
    """The rule that an event would break: the code of its rejection, and the id of the rule."""

    code: str
    rule: str = ""

    def rejected(self) -> Rejected:
        """The error with which the event is refused."""
        return Rejected(self.code, self.rule)


Judge = Callable[[Event], Breach | None]
"""Judges a whole event in the present state."""


def legal_part(proposal: Offer, kind: EventKind, now: float, judge: Judge) -> Offer | None:
    """What is legal of a proposal; None if nothing is.

    Args:
        proposal: an offer that may hold values which are refused.
        kind: of the proposed event.
        now: time of the last accepted event, seconds since the start of the script.
        judge: the game's judgement of an event.
    """
    moments = list(_moments(proposal, kind, now))
    possible = {name: choice.examples() for name, choice in proposal.fields.items()}
    named = {name: values for name, values in possible.items() if values or name not in proposal.optional}
    example: dict[str, Any] | None = None
    for values in itertools.product(*named.values()):
        tried = {"event": proposal.event, **moments[0], **dict(zip(named, values, strict=True))}
        if judge(tried) is None:
            example = tried
            break
    if example is None or any(judge({**example, **moment}) is not None for moment in moments[1:]):
        return None
    optional = proposal.optional
    if optional and judge({name: v for name, v in example.items() if name not in optional}) is not None:
        optional = ()
    fields = dict(proposal.fields)
    for name, listed in named.items():
        if len(listed) > 1:
            good = [v for v in listed if v is example[name] or judge({**example, name: v}) is None]
            fields[name] = fields[name].only(good) if len(good) < len(listed) else fields[name]
    return msgspec.structs.replace(proposal, fields=fields, optional=optional)


def _moments(proposal: Offer, kind: EventKind, now: float) -> Iterator[dict[str, float]]:
    """The times that the event needs, at the first and at the last moment of the proposal."""
    names = [
        name
        for name, _, required in kind.checks
        if required and name in ("t", "start", "end") and name not in proposal.fields
    ]
    yield dict.fromkeys(names, now if proposal.after is None else max(now, proposal.after + LATER))
    if names:
        yield dict.fromkeys(names, now + MUCH_LATER if proposal.by is None else max(now, proposal.by))
