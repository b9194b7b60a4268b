"""The story of 13 Monsters: searches, trades, powers, and how dice became points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from companion.core.events import MutableParams
from companion.core.sentence import Sentence, counted
from companion.games.contract.fields import Event
from companion.games.contract.rulebook import Verdict
from companion.games.thirteen_monsters.sets import HEALTH, parts_from, species
from companion.games.thirteen_monsters.state import ThirteenMonstersState, throws

State = ThirteenMonstersState
_PHASE_SENTENCE = {"final_round": ("final_round", "M13-60"), "death_battle": ("death_battle", "M13-62")}
_FINDINGS = {"attack_won", "attack_lost", "not_announced", "elemental_master"}


def story(before: State, event: Event, after: State, verdicts: tuple[Verdict, ...]) -> tuple[Sentence, ...]:
    """What an accepted event meant (see `Rulebook.story`)."""
    sentences = _EVENTS[event["event"]](before, event, after)
    for one in verdicts:
        if one.verdict == "set_found":
            found = {"player": one.player, "set": one.details["set"]}
            sentences.append(Sentence("set_found", found, (one.rule,)))
        elif one.verdict in _FINDINGS:
            sentences.append(Sentence(one.verdict, {"player": one.player, **one.details}, (one.rule,)))
    sentences += _built(before, event, after)
    if after.phase != before.phase and after.phase in _PHASE_SENTENCE:
        code, rule = _PHASE_SENTENCE[after.phase]
        tied = list(after.battle.players) if after.battle is not None else []
        sentences.append(Sentence(code, {"turn": after.turn, "players": tied}, (rule,)))
    return tuple(sentences)


def _dealt(before: State, event: Event, after: State) -> list[Sentence]:
    return [Sentence("dealt", {"player": event["player"], "cards": list(event["sets"])}, ("M13-10",))]


def _revealed(before: State, event: Event, after: State) -> list[Sentence]:
    row, column = event["at"]
    said = {"player": event["player"], "card": event["card"], "row": row + 1, "column": column + 1}
    sentences = [Sentence("turned_over", said, ("M13-11",))]
    if after.phase == "after_search":
        sentences.append(Sentence("no_match", {"player": event["player"]}, ("M13-13",)))
    return sentences


def _ended(before: State, event: Event, after: State) -> list[Sentence]:
    if after.turn is None:
        return [Sentence("turn_ended", {"player": event["player"]}, ("M13-13",))]
    said = {"player": event["player"], "turn": after.turn}
    return [Sentence("turn_passed", said, ("M13-60" if after.finals is not None else "M13-13",))]


def _search_ended(before: State, event: Event, after: State) -> list[Sentence]:
    return [Sentence("third_card_declined", {"player": event["player"]}, ("M13-41",))]


def _traded(before: State, event: Event, after: State) -> list[Sentence]:
    said = {
        "player": event["player"],
        "other": event["with"],
        "gives": list(event["gives"]),
        "gets": list(event["gets"]),
    }
    code = "traded" if event["gives"] and event["gets"] else "gave" if event["gives"] else "got"
    return [Sentence(code, said, ("M13-17", "M13-20"))]


_POWER_RULE = {"sacrifice": "M13-33", "permafrost": "M13-34", "prophet": "M13-40", "supernova": "M13-43"}


def _power(before: State, event: Event, after: State) -> list[Sentence]:
    power = event["power"]
    said: MutableParams = {"player": event["player"], "power": power}
    if power == "permafrost":
        row, column = event["at"]
        said |= {"row": row + 1, "column": column + 1}
    if power == "supernova":
        said["monster"] = _named(parts_from(event["parts"]))
    if event.get("announced", True) is False:
        return [Sentence("power_unannounced", said, ("M13-22", "M13-R10"))]
    return [Sentence(f"power_{power}", said, (_POWER_RULE[power],))]


def _monster_built(before: State, event: Event, after: State) -> list[Sentence]:
    return []  # named with everything that is built


def _attacks(before: State, event: Event, after: State) -> list[Sentence]:
    battle = after.battle
    assert battle is not None
    parts = parts_from(event["parts"])
    said = {
        "player": event["player"],
        "other": battle.players[1],
        "set": event["set"],
        "monster": _named(parts),
        "throws": throws(parts, before.setup.settings),
        "defence": battle.throws[1],
    }
    sentences = [Sentence("attack", said, ("M13-26", "M13-27", "M13-49"))]
    if before.frozen:
        sentences.append(counted("thawed", len(before.frozen), {}, ("M13-37", "M13-R16")))
    return sentences


def _thrown(before: State, event: Event, after: State) -> list[Sentence]:
    """The dice, and which group of them counts."""
    dice = [*event.get("kept", []), *event["dice"]]
    groups = Counter(dice)
    least = 1 if before.setup.settings.single_die_scores else 2
    scoring = {face: n for face, n in groups.items() if n >= least}
    said: MutableParams = {"player": event["player"], "dice": sorted(dice, reverse=True)}
    if not scoring:
        return [Sentence("thrown_nothing", said, ("M13-R4",))]
    value, number = max(scoring.items(), key=lambda one: (one[0] * one[1], one[0]))
    said |= {"count": number, "value": value, "points": value * number}
    return [Sentence("thrown", said, ("M13-55", "M13-R4"))]


def _stopped(before: State, event: Event, after: State) -> list[Sentence]:
    return [Sentence("stopped_throwing", {"player": event["player"]}, ("M13-53",))]


def _spoils(before: State, event: Event, after: State) -> list[Sentence]:
    if event["set"] is None:
        return [Sentence("spoils_declined", {"player": event["player"]}, ("M13-R19",))]
    return [Sentence("spoils_taken", {"player": event["player"], "set": event["set"]}, ("M13-58",))]


def _chosen(before: State, event: Event, after: State) -> list[Sentence]:
    parts = parts_from(event["parts"])
    said = {
        "player": event["player"],
        "monster": _named(parts),
        "throws": throws(parts, before.setup.settings),
    }
    return [Sentence("monster_chosen", said, ("M13-62", "M13-49"))]


_EVENTS: dict[str, Callable[[State, Event, State], list[Sentence]]] = {
    "sets_dealt": _dealt,
    "card_revealed": _revealed,
    "turn_ended": _ended,
    "search_ended": _search_ended,
    "traded": _traded,
    "power_used": _power,
    "monster_built": _monster_built,
    "attack_declared": _attacks,
    "dice_thrown": _thrown,
    "throwing_ended": _stopped,
    "set_taken": _spoils,
    "monster_chosen": _chosen,
}


def _built(before: State, event: Event, after: State) -> list[Sentence]:
    """Monsters that are there now and were not before; moved or rearranged ones belong to their event."""
    if event["event"] == "power_used":
        return []
    sentences = []
    for seat, player in enumerate(after.setup.players):
        for monster in after.monsters[seat]:
            if monster not in before.monsters[seat]:
                kind = species(monster.parts)
                said = {"player": player, "monster": _named(monster.parts), "hp": HEALTH[kind]}
                sentences.append(Sentence(f"built_{kind}", said, ("M13-15", "M13-R2")))
    return sentences


def _named(parts: tuple[int, int, int]) -> str:
    """A monster by the numbers of its top, eyes and bottom, e.g. `3-6-6`."""
    return "-".join(map(str, parts))
