"""Habits and house rules of the random players, so that games of every kind come up and come to an end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.contract.choices import Objects
from companion.games.contract.number_words import LANGUAGES
from companion.games.contract.offers import Offer
from companion.games.nasty_7.state import Nasty7State
from companion.games.thirteen_monsters.field import face_at, faces_seen
from companion.games.thirteen_monsters.sets import GHOST, KINDS, PARTS, set_as_json, sets_of
from companion.games.thirteen_monsters.state import ThirteenMonstersState
from companion.games.trio_monsters.rules import TrioMonsters
from companion.games.trio_monsters.state import TrioMonstersState

Json = dict[str, Any]

LIKED = {"card_revealed": 8, "power_used": 4, "attack_declared": 2, "traded": 1, "sets_dealt": 6}


def trio_rules(players: int, random: Random) -> Json:
    """House rules of Trio Monsters."""
    return {
        "deck_size": random.choice((60, 55, 3 * players + 1, random.randint(3 * players + 1, 40))),
        "colours": random.choice((None, ["red", "blue", "green", "yellow", "orange", "black"])),
        "black_follows_colour_rule": random.random() < 0.6,
        "black_counts_as_colour": random.random() < 0.6,
    }


def bugs_rules(random: Random) -> Json:
    """House rules of Bugs & Co."""
    return {
        "extra_eyes": random.choice((1, 3)),
        "countdown": random.choice(("heard", "companion")),
        "countdown_step_s": random.choice((1.0, 0.3, 2)),
        "language": random.choice(LANGUAGES),
    }


def thirteen_rules(random: Random) -> Json:
    """House rules of 13 Monsters."""
    return {
        "gap": random.choice(([[4, 3], [4, 4], [4, 5]], [[3, 4], [4, 4], [5, 4]])),
        "grunt_permafrost": random.random() < 0.7,
        "attack_again_after_set": random.random() < 0.4,
        "permafrost_per_turn": random.choice((None, 1, 2)),
        "single_die_scores": random.random() < 0.7,
    }


def whole_monsters(state: ThirteenMonstersState, random: Random) -> Json | None:
    """The deal of a whole monster, so that OGs, the 13th and Elemental Masters come up; None if not now."""
    whole = [n for n in range(1, KINDS + 1) if not sets_of((n, n, n)) & ~state.unfound]
    if not state.dealing or not whole or random.random() < 0.3:
        return None
    number = GHOST if GHOST in whole and random.random() < 0.3 else random.choice(whole)
    sets = [{"monster": number, "part": part} for part in PARTS]
    return {"event": "sets_dealt", "player": random.choice(state.setup.players), "sets": sets}


def preferred_thirteen(
    state: ThirteenMonstersState, proposals: list[Offer], random: Random
) -> Iterator[Offer]:
    """The proposals of a player with a good memory: one kind of event after the other, of cards to turn over
    mostly a matching one."""
    kinds = sorted({proposal.event for proposal in proposals})
    while kinds:
        kind = random.choices(kinds, [LIKED.get(each, 3) for each in kinds])[0]
        kinds.remove(kind)
        chosen = [proposal for proposal in proposals if proposal.event == kind]
        if kind == "card_revealed" and random.random() >= 0.2:
            wanted = _wanted(state)
            matching = [proposal for proposal in chosen if _shows(proposal, wanted)]
            yield from random.sample(matching, len(matching))
            yield chosen[-1]  # places that nobody has looked at
        yield from random.sample(chosen, len(chosen))


def forgetful(event: Json, random: Random) -> Json:
    """The event of a player who now and then forgets to announce a power (M13-22)."""
    if event["event"] == "power_used" and random.random() < 0.08:
        return {**event, "announced": False}
    return event


def greediest(book: TrioMonsters, state: TrioMonstersState, events: list[Json]) -> Json:
    """The card that catches most, of some that come to mind; black ones among other colours before chains."""

    def caught(event: Json) -> int:
        findings = [one for one in book.play(state, event).verdicts if one.verdict == "caught"]
        return sum(len(one.details["cards"]) + (one.rule == "TRIO-16") for one in findings)

    return max(events, key=caught)


def _wanted(state: ThirteenMonstersState) -> list[Json]:
    """The faces that would make a pair: of the cards just turned over, or of two that have been seen."""
    if state.revealed:
        faces = [face_at(state.field, place) for place in state.revealed]
        return [set_as_json(face) for face in faces if face is not None]
    twice = Counter(faces_seen(state.field).values())
    return [set_as_json(face) for face, times in twice.items() if times == 2]


def preferred_nasty(state: Nasty7State, proposals: list[Offer]) -> list[Offer]:
    """The call that is due, or the next card in turn."""
    if state.call is not None and state.call.due:
        return [one for one in proposals if one.event == "heard"]
    return [
        one
        for one in proposals
        if one.event == "card_played"
        and one.after is None
        and state.turn in getattr(one.fields["player"], "values", ())
    ]


def _shows(offer: Offer, wanted: list[Json]) -> bool:
    """Whether the offer is of known cards with a wanted face."""
    face = offer.fields["card"]
    return isinstance(face, Objects) and len(face.values) == 1 and face.values[0] in wanted
