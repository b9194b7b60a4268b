"""Which card a sound is about, and what follows from it.

A sound is weighed when the table knows which card lies there: sounds are kept until then. A call may begin
EARLY_S before its card is down. What may have been the call, but hardly was, counts only when the time for
it runs out: then it is accepted, asked about, or the player is too late (companion.core.call_policy).
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from companion.core.call_policy import CallPolicy, Decision
from companion.core.events import Event
from companion.core.observations import EARLY_S, Utterance
from companion.core.weighing import EVEN, WeighedCall, fits
from companion.games.contract.corrections import amended
from companion.games.contract.event_times import run_out
from companion.games.nasty_7.call_events import call_event, call_question
from companion.games.nasty_7.card_between import card_between, question_between
from companion.games.nasty_7.missed_card import MissedCard, calls_by_card, missed_card
from companion.games.nasty_7.sound_parts import ahead, behind, behind_call, divided
from companion.games.nasty_7.top_call import untorn, weighed_for_top
from companion.games.nasty_7.top_card import (
    ROUNDING_S,
    all_that_was_heard,
    caller,
    deadline,
    is_free,
    latest_play,
    latest_time,
    latest_words,
)
from companion.games.spotter import (
    Fact,
    Finding,
    GameView,
    Postponed,
    Question,
    right_words,
)

OWN_LANDING_S = 0.05
"""A landing within so many seconds of the top card's is that of the top card itself."""
KEPT_S = 10.0
"""Sounds are kept so many seconds for a card that is reported late."""


class CallListening:
    """The sounds about the top card, and those that no card is known for yet."""

    def __init__(self, policy: CallPolicy) -> None:
        self._policy = policy
        self._waiting: list[Utterance] = []
        self._too_early: list[Utterance] = []
        """Sounds before the top card that cannot be its call."""
        self._possible: list[tuple[Utterance, WeighedCall]] = []
        self._asked_about: list[tuple[Utterance, WeighedCall]] = []
        self._in_question: tuple[Utterance, WeighedCall] | None = None
        self._asked_at: float | None = None
        self._accepted_late: tuple[Event, float] | None = None
        """The call that was accepted when the time for it had run out, and that moment, in s of the game."""
        self._without_card: Utterance | None = None
        self._asked_t = 0.0
        """When the table was asked for a card, in s of the game ..."""
        self._over_t = 0.0
        """... and since when the time for the next card runs, if the table was asked about the card or the
        call before it: nobody plays on before the answer."""

    def reset(self) -> None:
        """Earlier events were changed: what was kept is about no card."""
        self._waiting, self._possible, self._asked_about, self._asked_at = [], [], [], None
        self._in_question = self._without_card = self._accepted_late = None
        self._too_early, self._over_t = [], 0.0

    def judged(self, utterance: Utterance, game: GameView) -> list[Finding]:
        """What follows from a sound now. The part behind the next card's landing is kept for that card."""
        if not right_words(game):
            return self._about_top_card(utterance, game)
        mine, next_one = divided(utterance)
        found = self._about_top_card(mine, game)
        if next_one is not None and found != [Postponed()]:
            self._keep(next_one)
        return found

    def next_card(self, before: GameView) -> None:
        """A card was played: what may have been the call for the card before no longer matters, but what was
        said behind it in one breath may be the call for this one. `before`: the game without this card."""
        self._possible, self._asked_about, self._too_early = [], [], []
        rest = None if self._in_question is None else behind_call(*self._in_question, latest_words(before))
        if rest is not None:
            self._keep(rest)
        self._over_t = 0.0 if self._without_card is None else self._asked_t
        self._in_question = self._without_card = self._accepted_late = None

    def time_ran_out(self) -> None:
        """No card was played in time: the sound that the table was asked about was no call."""
        self._without_card = None

    @property
    def without_card(self) -> Utterance | None:
        """The sound of which the table was asked for which card it was the call, until that is known; None
        without one."""
        return self._without_card

    @property
    def unjudged(self) -> tuple[Utterance, WeighedCall] | None:
        """The sound of the top card that decided or that the table was asked about, otherwise the likeliest
        of those that may have been its call; None without one."""
        if self._in_question is not None:
            return self._in_question
        return max(self._possible, key=lambda one: one[1].right + one[1].wrong, default=None)

    def misfit(self, game: GameView) -> Fact | None:
        """The wrong call that was heard while the call of the top card is due, if the players agree that it
        was one. None: nothing of the kind was heard.

        That is what rather was a wrong call than not; else a throat sound where a number is due, which
        accuses nobody by itself; else the likeliest of the other words: music and the end of a throat sound
        are taken for words."""
        right, throat = right_words(game), set(game.view.get("sound") or game.settings.sound)
        # Behind the deadline the players talk about the mistake.
        over_t = deadline(game)
        known = (*self._possible, *self._asked_about)
        heard_of = [one for one in known if game.time(one[0].start) <= over_t]
        found: list[tuple[tuple[bool, bool, float], Utterance, WeighedCall]] = []
        for utterance, weighed in heard_of:
            sure = bool(weighed.words) and weighed.wrong > EVEN
            throats = not sure and bool(utterance.words) and throat.issuperset(utterance.said)
            call = replace(weighed, words=utterance.words) if throats else weighed
            if right and call.words and not fits(call.said, right):
                found.append(((sure, throats, weighed.wrong), utterance, call))
        best = max(found, key=lambda one: one[0], default=None)
        return None if best is None else Fact(call_event(*best[1:], game), "microphone")

    def silence(self, game: GameView) -> Fact | None:
        """The event that the call of the top card was not made in time, if the table was asked so at its
        deadline and the players picked up the pile instead of an answer. None: the table was not asked."""
        latest = latest_time(game)
        if not right_words(game) or self._in_question is None or self._asked_at != latest:
            return None
        return Fact(run_out(deadline(game)), "camera")

    def no_call(self, game: GameView, moment: float) -> Fact | None:
        """The event that the latest call was none, if it was accepted only when the time for it had run out
        and the players pick up the pile at a moment of the clock. None: it was not, or it was long ago."""
        if self._accepted_late is None or not game.past or game.past[-1] != self._accepted_late[0]:
            return None
        over_t = self._accepted_late[1]
        if moment - game.moment(over_t) > game.settings.hesitation_s:
            return None
        return Fact(amended(game.numbers[-1], run_out(over_t)), "camera")

    def after(self, game: GameView) -> list[Finding]:
        """A card was played or words were judged: judges the kept sounds that may belong to the top card, up
        to the first one whose words go to the rules."""
        if right_words(game):  # words that were heard withdraw the question: it was not answered
            self._possible += self._asked_about
        else:
            self._possible = []
        self._asked_about = []
        waiting, self._waiting = self._waiting, []
        found: list[Finding] = []
        for utterance in waiting:
            if any(isinstance(one, Fact | Postponed) for one in found):
                self._keep(utterance)
                continue
            more = self._about_top_card(utterance, game)
            if more == [Postponed()]:
                self._keep(utterance)
            found += more
        return found

    def before_deadline(self, game: GameView) -> Fact | Question | Postponed | None:
        """Accepts or asks about, once, what may have been the call that is due, or that of a card which was
        not seen; None: nothing may have been it."""
        latest = latest_time(game)
        if self._asked_at == latest:
            return None
        over_t = deadline(game)
        missed = missed_card(self._waiting, game, latest, self._policy)
        if isinstance(missed, Postponed):
            return missed
        if missed is not None:
            self._ask_for(missed, latest, over_t)
            return missed.question()
        if not self._is_weighed(game, game.settings.hesitation_s):
            return Postponed()
        self._asked_at = latest
        decided = [(self._at_deadline(one, game), one) for one in self._candidates(game)]
        self._possible = []
        for decision, one in decided:
            if decision is Decision.ACCEPT:
                self._in_question = one
                event = call_event(*one, game)
                self._accepted_late = event, over_t
                return Fact(event, "microphone")
        asked = next((one for decision, one in decided if decision is Decision.ASK), None)
        self._in_question = asked or self._in_question
        if asked is None:
            return None
        self._over_t = over_t
        return call_question(*asked, game, self._over_t)

    def missed_before(self, moment: float, game: GameView) -> MissedCard | Postponed | None:
        """The card for which the table is to be asked when somebody presses at a moment of the clock: its
        call was heard, and it would have been seen by then. None: there is none, or the table was asked."""
        latest = latest_time(game)
        if self._asked_at == latest:
            return None
        missed = missed_card([one for one in self._waiting if one.start + EARLY_S <= moment], game, latest)
        if isinstance(missed, MissedCard):
            self._ask_for(missed, latest, game.time(moment))
        return missed

    def is_weighed(self, game: GameView, t: float) -> bool:
        """Whether everything is weighed that `before_next_card` needs."""
        return self._is_weighed(game, t - latest_time(game))

    def before_next_card(self, game: GameView, t: float) -> list[Fact]:
        """The table plays on at `t` (s of the game) although no call was made out: what may have been it
        counts as right."""
        right, candidates = right_words(game), self._candidates(game, t - latest_time(game))
        best = next((one for one in candidates if self._policy.passes(one[1])), None)
        self._possible = []
        if best is None:
            return []
        event = call_event(*best, game)  # nobody knows when it was over: the next card is not late
        event = {**event, "words": list(right[0]), "end": max(event["end"], t)}
        return [Fact(event, "microphone", "taken_as_right", caller(game))]

    # --- inside -------------------------------------------------------------------------------------------

    def _ask_for(self, missed: MissedCard, latest: float, t: float) -> None:
        """The table is asked for a card now. `t`: when, in s of the game."""
        self._asked_at, self._asked_t, self._without_card = latest, t, missed.sound

    def _about_top_card(self, utterance: Utterance, game: GameView) -> list[Finding]:
        play = latest_play(game)
        if play is None:
            self._keep(utterance)
            return []
        early_s = float(play.get("t", 0.0)) - game.time(utterance.start)
        if early_s > EARLY_S + ROUNDING_S:  # talk before the card, and perhaps the call at its end
            late_part = behind(utterance, utterance.start + early_s - EARLY_S)
            if late_part is None and utterance not in self._too_early:
                self._too_early.append(utterance)
            return [] if late_part is None else self._about_top_card(late_part, game)
        right, free, gun = right_words(game), is_free(game), play["card"] == "gun"
        next_s = math.inf if utterance.landing is None else game.time(utterance.landing)
        own = next_s <= float(play.get("t", 0.0)) + OWN_LANDING_S
        before_next = not own and next_s - game.time(utterance.start) <= EARLY_S
        if not (right or free or gun) or (gun and before_next):
            self._keep(utterance)
            return []
        if gun and early_s > 0.0:
            return []
        whole, until = utterance, None if own else utterance.landing
        if gun and until is not None:  # the end of it is the call for the next card
            before = ahead(utterance, until - EARLY_S)
            if before is None or not before.words:
                self._keep(whole)
                return []
            utterance = before
        weighed = weighed_for_top(utterance, game, gun)
        if weighed is None:
            return [Postponed()]
        between_cards = early_s > 0.0 or before_next
        decision = self._decision(weighed, game, between=between_cards)
        if decision is Decision.ASK and right:
            together = untorn(utterance, game)
            if together is None:
                return [Postponed()]
            if self._decision(together, game, between=between_cards) is Decision.ACCEPT:
                weighed, decision = together, Decision.ACCEPT
        if before_next and self._asked_about and weighed.said in calls_by_card(game).values():
            self._keep(utterance)  # the call of the top card is what the table is asked about
            return []
        half = decision is Decision.ACCEPT and weighed.said not in right and not free
        if half:
            self._possible.append((utterance, weighed))  # perhaps all of it was said
        event = call_event(utterance, weighed, game)
        if decision is not Decision.ACCEPT and right and self._too_early and game.past[-1] is play:
            between = card_between(self._too_early, utterance, play, game, self._policy)
            if isinstance(between, Postponed):
                return [between]
            if between is not None:
                return [question_between(between, play, event, game)]
        if gun and decision in (Decision.ACCUSE, Decision.ASK):
            missed = self._missed_on_gun(utterance, weighed, game)
            if missed is not None:
                self._keep(whole)
                return [missed.question_on_gun(event)]
        if utterance is not whole:
            self._keep(whole)
        if decision.is_heard:
            if utterance is whole:
                self._keep_rest(utterance, weighed, half)
            return [Fact({**event, "end": max(event["end"], self._over_t)}, "microphone")]
        if decision is Decision.ASK:
            self._asked_about.append((utterance, weighed))
            self._in_question = utterance, weighed
            return [call_question(utterance, weighed, game, self._over_t)]
        if decision is Decision.WAIT and (right or free):
            self._possible.append((utterance, weighed))
        if before_next or (
            gun and utterance is whole
        ):  # a throat sound on a gun may be about a phone card that is not reported yet
            self._keep(utterance)
        return []

    def _keep_rest(self, utterance: Utterance, weighed: WeighedCall, half: bool) -> None:
        """Keeps what was said behind a call: the next card's call, perhaps, before its landing is reported.
        `half`: or the other half of this one, of which the listener may have reported no word."""
        if half:
            rest = behind(utterance, weighed.words[-1].end)
        else:
            rest = behind_call(utterance, weighed, weighed.said)
        if rest is not None:
            self._keep(rest)

    def _decision(self, weighed: WeighedCall, game: GameView, between: bool) -> Decision:
        """The decision of the policy, but for words that may belong to another card: what is said just before
        a card is down accuses nobody and raises no question."""
        right, free = right_words(game), is_free(game)
        decision = self._policy.decide(
            weighed,
            fits=free or fits(weighed.said, right),
            due=bool(right) or free,
            language=game.settings.language,
        )
        if between and decision in (Decision.ACCUSE, Decision.ASK):
            return Decision.WAIT
        return decision

    def _missed_on_gun(self, utterance: Utterance, weighed: WeighedCall, game: GameView) -> MissedCard | None:
        """The next card, whose landing may have been missed: the table is asked for it if what was said on
        the gun would be its call."""
        calls = calls_by_card(game)
        if weighed.said not in calls.values() or game.turn is None:
            return None
        began_t, over_t = game.time(utterance.start), game.time(utterance.end)
        missed = MissedCard(utterance, weighed.said, game.turn, began_t, over_t, calls)
        self._ask_for(missed, latest_time(game), over_t)
        return missed

    def _is_weighed(self, game: GameView, seconds: float) -> bool:
        """Whether everything is weighed that `_candidates` needs."""
        if not right_words(game) or self._is_decided(game):
            return True
        return game.weigh(*all_that_was_heard(game, seconds)) is not None

    def _is_decided(self, game: GameView) -> bool:
        """Whether one of the remembered sounds will be accepted."""
        return any(self._at_deadline(one, game) is Decision.ACCEPT for one in self._possible)

    def _at_deadline(self, one: tuple[Utterance, WeighedCall], game: GameView) -> Decision:
        return self._policy.decide_at_deadline(one[1], fits=one[1].said in right_words(game))

    def _candidates(
        self, game: GameView, seconds: float | None = None
    ) -> list[tuple[Utterance, WeighedCall]]:
        """The sounds that may have been the call that is due, the likeliest first. All that was heard in the
        `seconds` for it (None: the whole time) is one of them, unless another one will be accepted: an
        utterance may have been lost or torn in the noise."""
        if not right_words(game):
            return []
        found = list(self._possible)
        if not self._is_decided(game):
            utterance, due = all_that_was_heard(
                game, game.settings.hesitation_s if seconds is None else seconds
            )
            weighed = game.weigh(utterance, due)
            if weighed is not None:
                found.append((utterance, weighed))
        return sorted(found, key=lambda one: -one[1].right)

    def _keep(self, utterance: Utterance) -> None:
        since = utterance.start - KEPT_S
        kept = [one for one in self._waiting if one.start >= since]
        self._waiting = sorted([*kept, utterance], key=lambda one: one.start)
