"""Seven Merry Monsters at the table: cards into the trick, cards into the displays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.events import MutableEvent
from companion.core.observations import Landing, Removal, Sighting
from companion.games.contract.corrections import amended
from companion.games.seven_merry_monsters.column_places import ColumnPlaces
from companion.games.seven_merry_monsters.display_check import DisplayCheck
from companion.games.spotter import (
    NO,
    NONE_OF_THESE,
    Fact,
    Finding,
    GameView,
    Observed,
    Option,
    Question,
    Remark,
    Resolved,
    Spotter,
    Thresholds,
    card_of,
    label_of,
    one_of,
    yes,
)

TRICK = "trick"
"""Zone of the trick in the middle of the table."""
DISPLAY = "display:"
"""The zone of a player's display is this with the player's name."""


class SevenMerryMonstersSpotter(Spotter):
    """Follows the tricks; in `scan` tracking the displays come as photographs and nothing is spotted.

    A card that lands in the trick counts for the player whose turn it is. Won monsters that are moved into
    the winner's display are known already; they only show the places of that player's columns.
    """

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        super().__init__(thresholds)
        self._carried: dict[str, Counter[str]] = {}
        self._columns: dict[str, ColumnPlaces] = {}
        self._displays = DisplayCheck()

    def reset(self) -> None:
        self._carried.clear()
        self._displays.corrected()

    def follow(
        self, before: GameView, event: Mapping[str, Any], after: GameView
    ) -> Sequence[Question | Remark | Resolved]:
        if after.view.get("round") != before.view.get("round"):
            self._carried.clear()
            self._columns.clear()
            return self._displays.followed(before, after)
        closed = before.view.get("table") and not after.view.get("table")
        if closed or (event["event"] == "card_played" and not after.view.get("table")):
            self._carry(before, event, after)
        return self._displays.followed(before, after)

    def _carry(self, before: GameView, event: Mapping[str, Any], after: GameView) -> None:
        """Stores the cards of a taken trick: they will be moved into the winner's display."""
        taker = after.view["leader"]
        cards = [laid["card"] for laid in before.view["table"]]
        if event["event"] == "card_played":
            cards.append(event["card"])
        owes = taker in after.view.get("to_place", {})
        carried = [card for card in cards if card["monster"] != "joker" or not owes]
        self._carried.setdefault(taker, Counter()).update(label_of(card) for card in carried)

    def observe(self, observed: Observed, game: GameView) -> list[Finding]:
        if game.view["phase"] in ("scan", "over"):
            return []
        if isinstance(observed, Removal):
            return self._taken_out(observed, game)
        if not isinstance(observed, Landing):
            return []
        if observed.zone == TRICK:
            return self._into_trick(observed, game)
        if observed.zone.startswith(DISPLAY):
            player = observed.zone.removeprefix(DISPLAY)
            return self._lands_in_display(observed, player, game) if player in game.players else []
        return []

    def _taken_out(self, removal: Removal, game: GameView) -> list[Finding]:
        """A card was taken out of a display, or out of the trick."""
        if removal.zone == TRICK:
            return self._taken_back(removal, game)
        player, seen = removal.zone.removeprefix(DISPLAY), removal.sighting
        if player not in game.players or seen is None or removal.zone == player:
            return []
        return list(self._displays.removed(seen.label, player))

    def _lands_in_display(self, landing: Landing, player: str, game: GameView) -> list[Finding]:
        """A card in a display: what it does to the game, and whether it should lie there."""
        found, seen = self._into_display(landing, player, game), landing.sighting
        if seen is None or seen.confidence < self.thresholds.seen or found:
            return found
        return list(self._displays.landed(seen.label, player, game, landing.evidence))

    # --- the trick ----------------------------------------------------------------------------------------

    def _into_trick(self, landing: Landing, game: GameView) -> list[Finding]:
        phase = game.view["phase"]
        if phase == "award":
            return [self._who_got_it(game)]
        if phase == "last_cards":
            return []  # no trick is led any more: a card that was left over, or that lies there on its way
        if phase != "trick":
            return [self._place_first(landing, game)]
        event = {"event": "card_played", "player": game.turn, "t": game.time(landing.t)}
        found = self._card(landing, game, event)
        if isinstance(found, Fact) and not game.allows(found.event):
            # The card is impossible by the rules, so it was misread.
            return [self._which(landing, game, event)]
        return [found]

    def _place_first(self, landing: Landing, game: GameView) -> Question:
        """The next trick is led although somebody owes a card: it was placed and not seen, or it comes yet.
        The card that was led waits. If none was placed, it does not lead, and is not asked about again."""
        player = next(one for one in game.players if one in game.view.get("to_place", {}))
        event = {"event": "card_placed", "player": player}
        options = (*_card_options(game, event), *_joker_options(game, event))
        allowed = [option for option in options if game.allows(option.events[0])]
        return Question(
            "place_first", {"player": player}, (*allowed, NONE_OF_THESE), "camera", player,
            again=True, phase=str(game.view["phase"]), about=f"led before {player} placed {landing.t:.3f}",
        )  # fmt: skip

    def _taken_back(self, removal: Removal, game: GameView) -> list[Finding]:
        """The latest card of a trick that is not full has gone. A leading card was taken back, which is
        announced; of another one the table is asked, because the whole trick may have been put away, of
        which a card was missed."""
        seen, latest = removal.sighting, game.past[-1] if game.past else {}
        played = latest.get("event") == "card_played" and game.view["phase"] == "trick" and game.view["table"]
        if seen is None or not played or label_of(latest["card"]) != seen.label:
            return []
        if len(game.view["table"]) == 1:
            return [Fact({"event": "undone"}, "camera")]
        back = yes(amended(game.numbers[-1], None))
        return [
            Question(
                "card_taken_back", {"player": latest["player"], "card": seen.label}, (back, NO),
                "camera", latest["player"], blocks=False, phase="trick", evidence=removal.evidence,
                unanswered=NO.id,
            )
        ]  # fmt: skip

    def _who_got_it(self, game: GameView) -> Question:
        """Asks who got the last trick: the next one has started without an answer."""
        options = tuple(
            Option(str(to), ({"event": "trick_awarded", "player": offer_player, "to": to},), card=to)
            for offer in game.offered("trick_awarded")
            for offer_player in (one_of(offer, "player") or (game.turn,))
            for to in one_of(offer, "to")
        )
        return Question("who_got_trick", {}, options, "camera", game.turn, again=True, phase="award")

    # --- the displays -------------------------------------------------------------------------------------

    def _into_display(self, landing: Landing, player: str, game: GameView) -> list[Finding]:
        sighting = landing.sighting
        owed = [offer for offer in game.offered("card_placed") if player in one_of(offer, "player")]
        # of an earlier trick a joker may never have been seen to arrive; one that is owed is this one
        placed = sighting is not None and sighting.label == "joker" and owed
        if sighting is not None and not placed and self._is_carried(sighting, player):
            return []
        if sighting is not None and game.view["phase"] == "award":
            return self._awarded(sighting, player, game)
        if not owed:
            return []
        event = {"event": "card_placed", "player": player}
        hidden = [offer for offer in owed if one_of(offer, "face_down") == (True,)]
        if hidden:
            return [self._hidden(one_of(hidden[0], "column"), event, player)] if sighting is None else []
        found = self._card(landing, game, event)
        if isinstance(found, Question) or sighting is None:
            return [found]
        if found.event["card"]["monster"] == "joker":
            return [self._joker(sighting, player, game, event)]
        self._remember(sighting, player)
        # A card that is not owed was only moved.
        return [found] if game.allows(found.event) else []

    def _is_carried(self, sighting: Sighting, player: str) -> bool:
        """Whether the player has just won this card."""
        carried = self._carried.get(player, Counter())
        if carried[sighting.label] == 0:
            return False
        carried[sighting.label] -= 1
        self._remember(sighting, player)
        return True

    def _awarded(self, sighting: Sighting, player: str, game: GameView) -> list[Finding]:
        """A card of the tied trick was moved into a display: its owner got the trick."""
        lying = {label_of(laid["card"]) for laid in game.view["table"]}
        offers = [offer for offer in game.offered("trick_awarded") if player in one_of(offer, "to")]
        if sighting.label not in lying or not offers:
            return []
        if sighting.confidence < self.thresholds.seen:
            return [self._who_got_it(game)]
        self._remember(sighting, player)
        return [Fact({"event": "trick_awarded", "player": game.turn, "to": player}, "camera")]

    def _hidden(self, columns: tuple[Any, ...], event: MutableEvent, player: str) -> Finding:
        """A card face down: with more than one hidden column the player is asked."""
        events = [{**event, "face_down": True, "column": column} for column in columns]
        if len(events) == 1:
            return Fact(events[0], "camera")
        options = tuple(Option(str(one["column"]), (one,), card=str(one["column"])) for one in events)
        return Question("unsure_hidden", {"player": player}, (*options, NONE_OF_THESE), "camera", player)

    def _joker(self, sighting: Sighting, player: str, game: GameView, event: MutableEvent) -> Finding:
        """A joker joins the nearest column; if that is not clear, the table is asked."""
        columns = list(game.view["display"][player])
        if not columns:
            return Fact({**event, "card": {"monster": "joker"}, "column": "aside"}, "camera")
        places = self._columns.setdefault(player, ColumnPlaces())
        column = columns[0] if len(columns) == 1 else places.nearest(sighting, columns)
        if column is not None:
            places.remember(column, sighting.centre)
            return Fact({**event, "card": {"monster": "joker"}, "column": column}, "camera")
        options = tuple(
            Option(name, ({**event, "card": {"monster": "joker"}, "column": name},), card=name)
            for name in columns
        )
        return Question("unsure_column", {"player": player}, options, "camera", player)

    def _remember(self, sighting: Sighting, player: str) -> None:
        monster = sighting.label.rpartition(" ")[0] or sighting.label
        self._columns.setdefault(player, ColumnPlaces()).remember(monster, sighting.centre)

    # --- cards --------------------------------------------------------------------------------------------

    def _card(self, landing: Landing, game: GameView, event: MutableEvent) -> Fact | Question:
        """The event with the recognised card, or a question about it."""
        seen = landing.sighting
        if seen is not None and seen.confidence >= self.thresholds.seen:
            return Fact({**event, "card": card_of(seen.label, tuple(game.settings.monsters))}, "camera")
        return self._which(landing, game, event)

    def _which(self, landing: Landing, game: GameView, event: MutableEvent) -> Question:
        """All cards as options, the likeliest first."""
        seen = landing.sighting
        options = _card_options(game, event, () if seen is None else (seen.label,))
        return Question(
            "unsure_card_of",
            {"player": event["player"]},
            (*options, NONE_OF_THESE),
            "camera",
            event["player"],
            evidence=landing.evidence,
        )


def _card_options(game: GameView, event: MutableEvent, first: Sequence[str] = ()) -> tuple[Option, ...]:
    """One answer for each card of the deck, the event with that card; some cards first."""
    monsters = tuple(game.settings.monsters)
    labels = dict.fromkeys((*first, *(game.labels or _usual_labels(monsters))))
    return tuple(
        Option(label, ({**event, "card": card_of(label, monsters)},), card=card_of(label, monsters))
        for label in labels
    )


def _joker_options(game: GameView, event: MutableEvent) -> tuple[Option, ...]:
    """One answer for each column that a player's joker may join; without any it is put aside."""
    joker = {"monster": "joker"}
    columns = game.view["display"][event["player"]]
    if not columns:
        return (Option("joker", ({**event, "card": joker, "column": "aside"},), card=joker),)
    return tuple(
        Option(
            f"joker {column}",
            ({**event, "card": joker, "column": column},),
            card={**joker, "column": column},
        )
        for column in columns
    )


def _usual_labels(monsters: Sequence[str]) -> tuple[str, ...]:
    """The cards of a game without a deck: seven of each monster and the joker."""
    return (*(f"{monster} {number}" for monster in monsters for number in range(1, 8)), "joker")
