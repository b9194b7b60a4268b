"""Compares what the camera sees in the displays with the record of the tricks.

A card that lies in another display than its trick was taken into, one that is not seen where it should lie,
one that lies there twice, one that was read otherwise in the trick: each is announced or asked about once,
with the picture and the correction as an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.contract.corrections import amended
from companion.games.seven_merry_monsters.state import JOKER
from companion.games.seven_merry_monsters.taken_tricks import (
    RoundRecord,
    TakenTrick,
    moved_to,
    round_record,
)
from companion.games.spotter import GameView, Option, Question, Remark, Resolved, card_of

Disagreement = Question | Remark | Resolved


class DisplayCheck:
    """What has been seen in the displays of the present round, and what was said about it."""

    def __init__(self) -> None:
        self._lying: dict[str, Counter[str]] = {}
        self._elsewhere: dict[str, tuple[str, str, str]] = {}
        self._unknown: dict[str, dict[str, str]] = {}
        self._checked = 0

    def landed(self, label: str, player: str, game: GameView, evidence: str) -> list[Disagreement]:
        """A card that nobody had to place came to rest in a display."""
        self._lying.setdefault(player, Counter())[label] += 1
        if label == JOKER or label in _on_table(game):
            return []
        record = round_record(game)
        if not record.certain:
            return []
        if record.holds(player, label):
            return [*self._found(label, player, record, game), *self._explained(player, record, game)]
        owner = next((one for one in game.players if record.holds(one, label)), None)
        if owner is not None:
            self._elsewhere[_about("elsewhere", player, label)] = (label, player, evidence)
            return [_in_other_display(label, player, owner, record, game, evidence)]
        self._unknown.setdefault(player, {})[label] = evidence
        found: list[Disagreement] = list(self._explained(player, record, game))
        if not found and game.view["phase"] == "last_cards":
            found.append(Remark("nothing_to_place", {"player": player}, _about("extra", player, label)))
        return found

    def removed(self, label: str, player: str) -> list[Disagreement]:
        """A card was taken out of a display: what was said about it is settled."""
        lying = self._lying.get(player, Counter())
        lying[label] = max(0, lying[label] - 1)
        self._unknown.get(player, {}).pop(label, None)
        self._elsewhere.pop(_about("elsewhere", player, label), None)
        return [Resolved(_about(kind, player, label)) for kind in ("elsewhere", "twice", "extra")]

    def followed(self, before: GameView, after: GameView) -> list[Disagreement]:
        """An event was accepted: open questions get options for the game as it is now; cards that were not
        seen by the end of the next trick are missing."""
        if before.view.get("round") != after.view.get("round"):
            return self._begin()
        if not self._lying:
            return []
        record = round_record(after)
        if not record.certain:
            return []
        found: list[Disagreement] = []
        for about, (label, player, evidence) in list(self._elsewhere.items()):
            owner = next((one for one in after.players if record.holds(one, label)), player)
            if owner == player:
                del self._elsewhere[about]
                found.append(Resolved(about))
            else:
                found.append(_in_other_display(label, player, owner, record, after, evidence))
        if len(record.tricks) > max(self._checked, 1):
            found += self._missing(record.tricks[-2], after)
        self._checked = len(record.tricks)
        return found

    def corrected(self) -> None:
        """Earlier events were changed: what was seen stays, what was asked is out of date."""
        self._elsewhere.clear()
        self._checked = 0

    # --- what is said -------------------------------------------------------------------------------------

    def _begin(self) -> list[Disagreement]:
        """The displays are cleared for another round."""
        over = [Resolved(about) for about in self._elsewhere]
        self._lying.clear()
        self._elsewhere.clear()
        self._unknown.clear()
        self._checked = 0
        return list(over)

    def _found(self, label: str, player: str, record: RoundRecord, game: GameView) -> Iterator[Disagreement]:
        """A card lies where the record has it."""
        yield Resolved(_about("missing", player, label))
        for about, (other, _, _) in list(self._elsewhere.items()):
            if other == label:
                del self._elsewhere[about]
                yield Resolved(about)
        if self._lying[player][label] > record.holds(player, label):
            params = {"player": player, "card": _card(label, game)}
            yield Remark("card_twice", params, _about("twice", player, label))

    def _explained(self, player: str, record: RoundRecord, game: GameView) -> Iterator[Disagreement]:
        """One card of the player's last trick was not seen and one is unknown: it was read otherwise."""
        trick = record.tricks[-1] if record.tricks else None
        unknown = self._unknown.get(player, {})
        if trick is None or trick.taker != player or len(unknown) != 1:
            return
        missing = [label for label in trick.cards if not self._lying[player][label]]
        if len(missing) != 1:
            return
        ((label, evidence),) = unknown.items()
        yield _was_other(label, missing[0], player, trick, game, evidence)

    def _missing(self, trick: TakenTrick, game: GameView) -> Iterator[Disagreement]:
        """Cards of a trick that were not seen in its taker's display, where others of it were."""
        lying = self._lying.get(trick.taker, Counter())
        missing = [label for label in trick.cards if not lying[label]]
        unknown = self._unknown.get(trick.taker, {})
        elsewhere = {label for label, _, _ in self._elsewhere.values()}
        if unknown or len(missing) == len(trick.cards):
            return
        for label in missing:
            if label not in elsewhere:
                params = {"player": trick.taker, "card": _card(label, game)}
                yield Remark("card_missing", params, _about("missing", trick.taker, label))


def _about(kind: str, player: str, label: str) -> str:
    return f"{kind} {player} {label}"


def _card(label: str, game: GameView) -> Any:
    return card_of(label, tuple(game.settings.monsters))


def _on_table(game: GameView) -> set[str]:
    """Labels of the cards in the open trick."""
    cards = [laid["card"] for laid in game.view.get("table", ())]
    return {f"{card['monster']} {card['number']}" for card in cards if "number" in card}


def _in_other_display(
    label: str, player: str, owner: str, record: RoundRecord, game: GameView, evidence: str
) -> Question | Remark:
    """Asks who took the trick; a card that was placed there from the hand is only remarked on."""
    about = _about("elsewhere", player, label)
    params = {"player": player, "owner": owner, "card": _card(label, game)}
    trick = record.trick_of(label)
    mend = None if trick is None or trick.taker != owner else _mend(trick, player, record)
    if mend is None:
        return Remark("card_of_other_display", params, about)
    options = (Option(player, (mend,), words=(player,)), Option(owner, (), words=(owner,)))
    return Question(
        "card_in_other_display", params, options, "camera", about=about, stays=True, evidence=evidence
    )


def _mend(trick: TakenTrick, player: str, record: RoundRecord) -> Mapping[str, Any] | None:
    """The correction by which `player` took the trick: a tie given to another, or another position."""
    if trick.closed_by["event"] == "trick_awarded" and player in {one.player for one in trick.cards.values()}:
        return amended(trick.number, {**trick.closed_by, "to": player})
    position = moved_to(record, trick, player)
    return None if position is None else {"event": "position", "state": position}


def _was_other(
    label: str, known: str, player: str, trick: TakenTrick, game: GameView, evidence: str
) -> Question:
    """Asks which of two cards was played: the one of the trick, or the one that lies in the display."""
    number = trick.cards[known].number
    event = game.past[game.numbers.index(number)]
    replacement = {**event, "card": _card(label, game)}
    options = (
        Option(label, (amended(number, replacement),), card=_card(label, game)),
        Option(known, (), card=_card(known, game)),
    )
    params = {"player": player, "card": _card(label, game), "known": _card(known, game)}
    return Question(
        "card_was_other",
        params,
        options,
        "camera",
        trick.cards[known].player,
        about=_about("other", player, f"{label}/{known}"),
        stays=True,
        evidence=evidence,
    )
