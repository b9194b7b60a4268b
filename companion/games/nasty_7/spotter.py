"""The Nasty 7 at the table: cards onto the pile, calls, doubts by button, and the pile that is picked up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from companion.core.call_policy import Decision
from companion.core.events import Event
from companion.core.observations import Landing, Press, Removal, Utterance
from companion.games.contract.corrections import amended
from companion.games.contract.number_words import number_word
from companion.games.nasty_7.call_listening import CallListening
from companion.games.nasty_7.doubts import CallDoubts
from companion.games.nasty_7.pile_check import PileCheck
from companion.games.nasty_7.top_card import DATING_S, caller, in_time
from companion.games.nasty_7.who_laid import DoubtfulCard, WhoLaid
from companion.games.spotter import (
    NONE_OF_THESE,
    Expectation,
    Fact,
    Finding,
    GameView,
    Observed,
    Option,
    Postponed,
    Question,
    Remark,
    Spotter,
    Thresholds,
    one_of,
    right_words,
)

PILE = "pile"
"""Zone of the pile; `pile:<player>` where a table can tell from which side a card came."""

AFTER_CARD_S = 1.0
"""A call mostly begins within so many seconds after its card is down. If no camera saw the card, a call after
its deadline is the only sign that it was in time."""

CARDS = ("racketeer", "twin_racketeer", "phone", "twin_phone", "gun")
"""The five cards."""


class Nasty7Spotter(Spotter):
    """A card on the pile counts for the player whose turn it is, unless the arm that laid it came from the
    side of the player who should have skipped (N7-20).

    A right call is accepted at low confidence, a wrong one, which costs the pile, only at high confidence. In
    between the table is asked; if it plays on without an answer the call counts as right.
    """

    chord_window_s: ClassVar[float] = 0.5
    dating_s: ClassVar[float] = DATING_S

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        super().__init__(thresholds)
        self._deaf = False
        self._missed = False
        self._pile = PileCheck()
        self._calls = CallListening(self.thresholds.calls)
        self._doubts = CallDoubts()
        self._who = WhoLaid()
        self._doubtful: DoubtfulCard | None = None
        """The latest card, if it is not sure that the player on turn laid it."""

    def reset(self) -> None:
        self._doubtful = None
        self._pile.corrected()
        self._calls.reset()
        self._doubts.reset()

    def microphone_changed(self, up: bool) -> None:
        self._deaf = not up
        self._missed = self._missed or not up

    def follow(self, before: GameView, event: Mapping[str, Any], after: GameView) -> Sequence[Finding]:
        found: list[Finding] = list(self._pile.followed(before, event, after))
        if event["event"] == "card_played":
            self._missed = self._deaf
            self._calls.next_card(before)
            self._doubts.next_card(float(event.get("t", math.inf)))
        elif event["event"] in ("time_passed", "position"):
            self._calls.time_ran_out()
            self._doubts.reset()
        if event["event"] not in ("card_played", "heard"):
            return found
        found += self._calls.after(after)
        return [*found, *self._doubts.heard(event, after)] if event["event"] == "heard" else found

    def before_deadline(self, game: GameView) -> Fact | Question | Postponed | None:
        return self._doubts.before_deadline(self._calls.before_deadline(game), game, self._calls)

    def late_sound_s(self, game: GameView) -> float:
        return 0.0 if right_words(game) else AFTER_CARD_S

    def sound_weighed(self, game: GameView) -> Sequence[Finding]:
        return self._calls.after(game)

    def observe(self, observed: Observed, game: GameView) -> list[Finding]:
        if game.view["phase"] == "over":
            return []
        match observed:
            case Landing():
                return self._landed(observed, game)
            case Removal() if observed.zone.partition(":")[0] == PILE:
                return self._removed(observed, game)
            case Utterance():
                return self._calls.judged(observed, game)
            case Press():
                return self._doubts.pressed(observed, game, self._calls)
            case _:
                return []

    # --- cards --------------------------------------------------------------------------------------------

    def _landed(self, landing: Landing, game: GameView) -> list[Finding]:
        zone, _, named = landing.zone.partition(":")
        if zone != PILE:
            return []
        t = in_time(game, game.time(landing.t))
        if self._pile.is_late_card(t):
            return [Remark("late_card", {"player": game.turn})]
        if not self._missed and not self._calls.is_weighed(game, t):
            return [Postponed()]
        self._who.saw(t, landing.arm)
        self._doubtful = None
        told = named in game.players
        out_of_turn = 0.0 if told else self._out_of_turn(landing, game)
        doubt = self.thresholds.calls.decide_player(out_of_turn)
        player = named if told else game.turn
        if doubt is Decision.ACCUSE:
            player = str(game.view["skipped"])
        findings: list[Finding] = [*self._pile.landed(), *self._missed_call(t, game)]
        if len(findings) == 0 or not isinstance(findings[-1], Fact):
            findings += self._calls.before_next_card(game, t)
        event = {"event": "card_played", "player": player, "t": t}
        seen = landing.sighting
        if seen is not None and seen.confidence >= self.thresholds.seen:
            event = {**event, "card": seen.label}
            if out_of_turn > 0.0 and doubt is not Decision.ACCUSE:
                self._doubtful = DoubtfulCard(event, landing.t, str(game.view["skipped"]), out_of_turn)
            if doubt is Decision.ASK:
                return [*findings, _who_laid(event, game, landing.evidence)]
            return [*findings, Fact(event, "camera")]
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

    def _out_of_turn(self, landing: Landing, game: GameView) -> float:
        """The probability that the player who should have skipped laid a card, and not the one on turn."""
        turn, skipped = game.turn, game.view["skipped"]
        if turn is None or skipped is None:
            return 0.0
        return self._who.out_of_turn(landing.arm, turn, skipped, game.past)

    def _removed(self, removal: Removal, game: GameView) -> list[Finding]:
        """Cards of the pile are gone. Whoever picks it up while the table is asked who laid a card, or while
        a call is due, has heard that it was a mistake."""
        found, doubtful = self._pile.removed(game, removal.evidence), self._doubtful
        if not found:
            return []
        if doubtful is not None and removal.t - doubtful.moment > game.settings.hesitation_s:
            doubtful = None
        if doubtful is not None and not _is_played(doubtful, game):
            return [Fact(doubtful.as_skipped, "camera")]  # the table is asked about it
        mistake = (
            self._calls.misfit(game) or self._calls.silence(game) or self._calls.no_call(game, removal.t)
        )
        if mistake is not None:
            return [mistake]
        if doubtful is None or game.past[-1] != doubtful.event:
            return [*found]
        skipped = amended(game.numbers[-1], doubtful.as_skipped)
        policy = self.thresholds.calls
        decision = policy.decide_player(policy.laid_out_of_turn(doubtful.out_of_turn))
        if decision is Decision.ACCEPT:
            return [*found]
        if decision is Decision.ASK or self._calls.unjudged is not None:
            return self._pile.asked_again(game, removal.evidence, {doubtful.skipped: skipped})
        return [Fact(skipped, "camera", "should_have_skipped", doubtful.skipped)]

    def _missed_call(self, t: float, game: GameView) -> list[Fact]:
        """Counts a call as right if the microphone was down while it was due and the table plays on."""
        right = right_words(game)
        if not self._missed or not right:
            return []
        event = {"event": "heard", "words": list(right[0]), "start": t, "end": t}
        return [Fact(event, "microphone", "taken_as_right", caller(game))]

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
        )


def _is_played(doubtful: DoubtfulCard, game: GameView) -> bool:
    """Whether the card is on the record, or a later one."""
    played = [one for one in game.past if one["event"] == "card_played"]
    return bool(played) and float(played[-1].get("t", 0.0)) >= float(doubtful.event["t"])


def _who_laid(event: Event, game: GameView, evidence: str) -> Question:
    """Asks who laid a card: the player on turn, or the one who should have skipped. A table that plays
    on agrees that it was in turn."""
    turn, skipped = str(game.turn), str(game.view["skipped"])
    options = tuple(Option(one, ({**event, "player": one},), words=(one,)) for one in (turn, skipped))
    return Question(
        "who_laid_card",
        {"player": turn, "other": skipped},
        (*options, NONE_OF_THESE),
        "camera",
        turn,
        blocks=False,
        unanswered=turn,
        evidence=evidence,
    )
