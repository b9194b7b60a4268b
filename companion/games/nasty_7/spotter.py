"""The Nasty 7 at the table: cards onto the pile, calls, doubts by button, and the pile that is picked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from companion.core.call_policy import Decision, fits
from companion.core.observations import Landing, Press, Removal, Utterance
from companion.games.contract.number_words import number_word
from companion.games.generic_spotter import heard
from companion.games.nasty_7.pile_check import PileCheck
from companion.games.spotter import (
    NONE_OF_THESE,
    Expectation,
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
    one_of,
    right_words,
    seat_of,
)

PILE = "pile"
"""Zone of the pile; `pile:<player>` where a table can tell from which side a card came."""

CARDS = ("racketeer", "twin_racketeer", "phone", "twin_phone", "gun")
"""The five cards."""


class Nasty7Spotter(Spotter):
    """A card on the pile counts for the player whose turn it is: who laid it cannot be seen from above.

    A right call is accepted at low confidence, a wrong one, which costs the pile, only at high confidence. In
    between the table is asked; if it plays on without an answer the call counts as right.
    """

    chord_window_s: ClassVar[float] = 0.5

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        super().__init__(thresholds)
        self._deaf = False
        self._missed = False
        self._pile = PileCheck()

    def reset(self) -> None:
        self._pile.corrected()

    def microphone_changed(self, up: bool) -> None:
        self._deaf = not up
        self._missed = self._missed or not up

    def follow(
        self, before: GameView, event: Mapping[str, Any], after: GameView
    ) -> Sequence[Question | Remark | Resolved]:
        if event["event"] == "card_played":
            self._missed = self._deaf
        return self._pile.followed(before, event, after)

    def observe(self, observed: Observed, game: GameView) -> list[Finding]:
        if game.view["phase"] == "over":
            return []
        match observed:
            case Landing():
                return self._landed(observed, game)
            case Removal() if observed.zone.partition(":")[0] == PILE:
                return list(self._pile.removed(game, observed.evidence))
            case Utterance():
                return self._called(observed, game)
            case Press():
                return self._doubted(observed, game)
            case _:
                return []

    # --- cards --------------------------------------------------------------------------------------------

    def _landed(self, landing: Landing, game: GameView) -> list[Finding]:
        zone, _, named = landing.zone.partition(":")
        if zone != PILE:
            return []
        t = game.time(landing.t)
        if self._pile.is_late_card(t):
            return [Remark("late_card", {"player": game.turn})]
        player = named if named in game.players else game.turn
        findings: list[Finding] = [*self._pile.landed(), *self._missed_call(t, game)]
        event = {"event": "card_played", "player": player, "t": t}
        seen = landing.sighting
        if seen is not None and seen.confidence >= self.thresholds.seen:
            return [*findings, Fact({**event, "card": seen.label}, "camera")]
        first = (seen.label,) if seen is not None else ()
        options = tuple(
            Option(label, ({**event, "card": label},), card=label)
            for label in dict.fromkeys((*first, *(game.labels or CARDS)))
        )
        question = Question(
            "unsure_card_of",
            {"player": player},
            (*options, NONE_OF_THESE),
            "camera",
            player,
            evidence=landing.evidence,
        )
        return [*findings, question]

    def _missed_call(self, t: float, game: GameView) -> list[Fact]:
        """Counts a call as right if the microphone was down while it was due and the table plays on."""
        right = right_words(game)
        if not self._missed or not right:
            return []
        event = {"event": "heard", "words": list(right[0]), "start": t, "end": t}
        return [Fact(event, "microphone", "taken_as_right", caller(game))]

    # --- calls --------------------------------------------------------------------------------------------

    def _called(self, utterance: Utterance, game: GameView) -> list[Finding]:
        top = top_card(game)
        right = right_words(game)
        free = _free(game)
        words = utterance.said
        if words and (top is None or not (right or free or top == "gun")):
            return []
        decision = self.thresholds.calls.decide(
            utterance.confidence,
            understood=bool(words),
            fits=free or fits(words, right),
            due=bool(right),
            language=game.settings.language,
        )
        if decision is Decision.IGNORE:
            return []
        if decision is not Decision.ASK:
            return [Fact(_call(utterance, game), "microphone")]
        if not words:
            return [self._not_made_out(utterance, right, game)]
        return [self._was_that(utterance, words, right, game)]

    def _not_made_out(
        self, utterance: Utterance, right: tuple[tuple[str, ...], ...], game: GameView
    ) -> Question:
        """Asks about an utterance without a known word where a call is due, so that it is not judged too
        late."""
        event = _call(utterance, game)
        options = tuple(
            Option(" ".join(reading), ({**event, "words": list(reading)},), words=reading)
            for reading in right
        )
        player = caller(game)
        return Question(
            "not_made_out",
            {"player": player},
            (*options, NONE_OF_THESE),
            "microphone",
            player,
            blocks=False,
            unanswered=options[0].id,
            evidence=utterance.evidence,
        )

    def _was_that(
        self, utterance: Utterance, words: tuple[str, ...], right: tuple[tuple[str, ...], ...], game: GameView
    ) -> Question:
        event = _call(utterance, game)
        readings = list(dict.fromkeys((words, *right)))
        options = tuple(
            Option(" ".join(reading), ({**event, "words": list(reading)},), words=reading)
            for reading in readings
        )
        return Question(
            "unsure_call",
            {"guess": list(words)},
            (*options, NONE_OF_THESE),
            "microphone",
            caller(game),
            blocks=False,
            unanswered=" ".join(right[0]) if right else NONE_OF_THESE.id,
            evidence=utterance.evidence,
        )

    # --- doubts -------------------------------------------------------------------------------------------

    def _doubted(self, press: Press, game: GameView) -> list[Finding]:
        """A seat button accuses the latest call. Presses within `chord_window_s` accuse together (N7-26)."""
        pressed: dict[str, float] = {}
        for one in (press, *press.beside):
            player = seat_of(one.button, game.players)
            if player is not None and player != caller(game):
                pressed.setdefault(player, one.t)
        if not pressed:
            return []
        if not game.offered("accused"):
            return [Remark("nothing_to_accuse", {})]
        t = game.time(min(pressed.values()))
        return [Fact({"event": "accused", "by": list(pressed), "t": t}, "buttons")]

    def deadline_player(self, game: GameView) -> str | None:
        """The caller while a call is due, otherwise the player of the next card."""
        return caller(game) if right_words(game) else game.turn

    def expectation(self, game: GameView) -> Expectation:
        language = game.settings.language
        sound = game.view.get("sound") or game.settings.sound
        # Counting ends at seven: a smaller vocabulary is recognised better.
        numbers = [number_word(number, language) for number in range(1, 8)]
        cards = {card for offer in game.offered("card_played") for card in one_of(offer, "card")}
        return Expectation(
            cards=frozenset(cards) or None,
            words=tuple(dict.fromkeys((*numbers, *sound))),
            right=right_words(game),
            learn=f"sound {game.view.get('round', 1)}" if _free(game) else "",
            speaker=(caller(game) or "") if right_words(game) else "",
        )


def _call(utterance: Utterance, game: GameView) -> dict[str, object]:
    """The event of a call; one that began just before its card was down counts from the card on."""
    event = heard(utterance, game)
    play = _latest_play(game)
    landed = 0.0 if play is None else float(play.get("t", 0.0))
    start, end = (max(landed, game.time(moment)) for moment in (utterance.start, utterance.end))
    return {**event, "start": start, "end": end}


def _latest_play(game: GameView) -> Mapping[str, Any] | None:
    """The event that put the top card on the pile, None if there is no pile."""
    if not game.view["pile"]:
        return None
    return next((event for event in reversed(game.past) if event["event"] == "card_played"), None)


def _free(game: GameView) -> bool:
    """Whether the caller of the top card sets the sound of the round (N7-28)."""
    phone = top_card(game) in ("phone", "twin_phone")
    return phone and game.view.get("sound") is None and not right_words(game)


def top_card(game: GameView) -> str | None:
    """The card on top of the pile."""
    play = _latest_play(game)
    return None if play is None else str(play["card"])


def caller(game: GameView) -> str | None:
    """The player of the top card."""
    play = _latest_play(game)
    return None if play is None else str(play["player"])
