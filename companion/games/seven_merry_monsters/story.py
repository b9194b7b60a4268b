"""The story of Seven Merry Monsters: who leads, who takes a trick and why, what columns are worth."""

from __future__ import annotations

from companion.core.events import MutableParams
from companion.core.sentence import Sentence, counted
from companion.games.contract.fields import Event
from companion.games.seven_merry_monsters.state import (
    ASIDE,
    JOKER,
    Column,
    Display,
    TrickCard,
    trick_card,
    worth,
)
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State


def story(before: State, event: Event, after: State) -> tuple[Sentence, ...]:
    """What an accepted event meant (see `Rulebook.story`)."""
    match event["event"]:
        case "card_played":
            sentences = _played(before, event, after)
        case "trick_awarded":
            given = {"player": event["player"], "taker": event["to"], "trick": before.trick}
            sentences = [Sentence("trick_given", given, ("SMM-14", "SMM-16"))]
            sentences += _gained(before, event["to"])
        case "card_placed":
            sentences = _placed(before, event)
        case "card_revealed":
            shown = {"player": event["player"], "cards": list(event["cards"]), "column": event["column"]}
            sentences = [Sentence("revealed", shown, ("SMM-36",))]
        case _:
            sentences = _scanned(event)
    return (*sentences, *_round_ended(before, after, event))


def _played(before: State, event: Event, after: State) -> list[Sentence]:
    player, card = event["player"], event["card"]
    said = {"player": player, "card": card, "trick": before.trick}
    sentences = [Sentence("played" if before.table else "led", said, ("SMM-8",))]
    if after.phase == "award":
        number = after.table[-1].value
        other = next(laid for laid in before.table if laid.value == number)
        tie = {"player": player, "other": other.player, "points": number}
        return [*sentences, Sentence("tied", tie, ("SMM-11", "SMM-14"))]
    if after.table == () and (after.trick, after.phase) != (before.trick, before.phase):
        table = (*before.table, trick_card(player, card, before.setup))
        taker = after.leader if after.round == before.round else _taker(before, table)
        highest = max((n for laid in table if (n := laid.value) is not None), default=None)
        taken: MutableParams = {"taker": taker, "trick": before.trick, "points": highest}
        if highest is None:
            sentences.append(Sentence("trick_by_leader", taken, ("SMM-R7", "SMM-16")))
        else:
            sentences.append(Sentence("trick_taken", taken, ("SMM-13", "SMM-16")))
        sentences += _won_cards(before, table, taker)
    return sentences


def _taker(before: State, table: tuple[TrickCard, ...]) -> str:
    numbered = [(n, laid.player) for laid in table if (n := laid.value) is not None]
    return max(numbered, key=lambda one: one[0])[1] if numbered else before.leader


def _gained(before: State, taker: str) -> list[Sentence]:
    """What comes with a trick that was given away, and who did not get to play."""
    sentences = _won_cards(before, before.table, taker)
    played = {laid.player for laid in before.table}
    waiting = [player for player in before.setup.players if player not in played]
    if waiting:
        sentences.append(Sentence("hand_cards_owed", {"players": waiting}, ("SMM-15",)))
    return sentences


def _won_cards(before: State, table: tuple[TrickCard, ...], taker: str) -> list[Sentence]:
    """Monsters go to their columns; jokers are placed by the taker, or aside without a column."""
    monsters = [{"monster": laid.monster, "number": laid.number} for laid in table if laid.monster != JOKER]
    jokers = len(table) - len(monsters)
    sentences = []
    if monsters:
        sentences.append(Sentence("monsters_won", {"taker": taker, "cards": monsters}, ("SMM-17",)))
    if jokers:
        has_column = bool(monsters or before.display[before.setup.players.index(taker)])
        code, rule = ("jokers_won", "SMM-18") if has_column else ("jokers_kept_aside", "SMM-22")
        sentences.append(counted(code, jokers, {"taker": taker}, (rule,)))
    return sentences


def _placed(before: State, event: Event) -> list[Sentence]:
    player, column = event["player"], event.get("column")
    if event.get("face_down"):
        return [Sentence("placed_face_down", {"player": player, "column": column}, ("SMM-34",))]
    card = event["card"]
    joker = card["monster"] == JOKER
    if column == ASIDE:
        return [Sentence("joker_put_aside", {"player": player}, ("SMM-R3",))]
    monster = str(column) if joker else card["monster"]
    seat = before.setup.players.index(player)
    old = before.display[seat].get(monster, Column(0, 0))
    cards = old.cards + 1
    if before.phase == "setup" and not joker:
        cards += before.aside[seat]  # the joker laid first joins it (SMM-R8)
    said = {"player": player, "card": card, "column": monster, "points": _points(cards)}
    rules = ("SMM-18", "SMM-25") if joker else ("SMM-17", "SMM-25")
    if joker:
        return [Sentence("placed_joker", {**said, "n": cards}, rules)]
    return [counted("placed", cards, said, rules)]


def _scanned(event: Event) -> list[Sentence]:
    display: Display = {monster: Column(**column) for monster, column in event["display"].items()}
    points = worth(display, event.get("aside", 0))
    said = {"player": event["player"], "points": points}
    if not display:
        return [counted("scanned_jokers", points, said, ("SMM-R12", "SMM-23"))]
    return [Sentence("scanned", {**said, "columns": _sum_of(display)}, ("SMM-R12", "SMM-25", "SMM-26"))]


def _round_ended(before: State, after: State, event: Event) -> list[Sentence]:
    """What each display is worth, as a sum, once the round has been scored."""
    if len(after.rounds) == len(before.rounds):
        return []
    sentences = [Sentence("round_ended", {"round": before.round}, ("SMM-24",))]
    points = after.rounds[-1]
    shown = _final_displays(before, after, event)
    for seat, player in enumerate(after.setup.players):
        said: MutableParams = {"player": player, "points": points[seat]}
        display = {} if shown is None else shown[seat][0]
        if display:
            said["columns"] = _sum_of(display)
            sentences.append(Sentence("round_points", said, ("SMM-25", "SMM-26")))
        elif shown is not None:
            sentences.append(counted("round_jokers", points[seat], said, ("SMM-23",)))
        else:
            sentences.append(Sentence("round_total", said, ("SMM-26",)))
    return sentences


def _final_displays(before: State, after: State, event: Event) -> list[tuple[Display, int]] | None:
    """The displays that were scored: kept when the game is over, else those before with the last card."""
    if after.phase == "over":
        return list(zip(after.display, after.aside, strict=True))
    displays = [(dict(display), aside) for display, aside in zip(before.display, before.aside, strict=True)]
    seat = before.setup.players.index(event["player"])
    if event["event"] == "display_scanned":
        read: Display = {monster: Column(**column) for monster, column in event["display"].items()}
        displays[seat] = (read, event.get("aside", 0))
    elif event["event"] == "card_placed" and not event.get("face_down"):
        display, aside = displays[seat]
        joker = event["card"]["monster"] == JOKER
        if joker and event["column"] == ASIDE:
            displays[seat] = (display, aside + (1 if before.hand_owed[seat] else 0))
        else:
            monster = event["column"] if joker else event["card"]["monster"]
            old = display.get(monster, Column(0, 0))
            display[monster] = Column(old.cards + 1, old.jokers + joker)
            from_aside = joker and not before.hand_owed[seat] and not before.jokers_owed[seat]
            displays[seat] = (display, aside - from_aside)
    else:
        return None
    scored = tuple(worth(display, aside) for display, aside in displays)
    return displays if scored == after.rounds[-1] else None


def _points(cards: int) -> int:
    return worth({"": Column(cards, 0)}, 0)


def _sum_of(display: Display) -> str:
    """The sum of a display, e.g. `10 + 6 + 3`; columns in the order in which they were started."""
    return " + ".join(str(_points(column.cards)) for column in display.values())
