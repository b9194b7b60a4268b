"""A call without a card: the camera did not see the card, and its player is not too late.

Before the time for the next card runs out, and when somebody doubts a call, the sounds since the last call
are weighed against the calls that the next card may need. If one of them may have been the call of the next
card, the table is asked which card was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from companion.core.call_policy import CallPolicy
from companion.core.events import Event
from companion.core.observations import Utterance
from companion.core.weighing import EVEN, CallDue, WeighedCall, Words, fits
from companion.games.contract.number_words import number_word
from companion.games.nasty_7.calls import CYCLE, number_of, racketeers_counted
from companion.games.spotter import NONE_OF_THESE, GameView, Option, Postponed, Question, right_words


def calls_by_card(game: GameView, later: int = 0) -> Mapping[str, Words]:
    """The call that each card needs if it is the next one; a gun needs none. `later`: so many racketeers more
    lie on the pile then, or fewer if negative."""
    language = game.settings.language
    counted = racketeers_counted(int(game.view["count"]), int(game.view["next_number"]))[0]
    racketeer = CYCLE + counted + later + 1
    sound = tuple(game.view.get("sound") or game.settings.sound)
    first, second = (number_word(number_of(one), language) for one in (racketeer, racketeer + 1))
    return {
        "racketeer": (first,),
        "twin_racketeer": (first, second),
        "phone": sound,
        "twin_phone": (*sound, *sound),
    }


class MissedCard(msgspec.Struct, frozen=True):
    """A card that no camera saw, known by its call."""

    sound: Utterance
    said: Words
    """What the sound most probably was; nothing if no words were made out."""
    player: str
    t: float
    """When the card was down at the latest, in s of the game."""
    over_t: float
    """When the sound was over."""
    calls: Mapping[str, Words]
    """The call that each card needs."""
    sure: bool = True
    """Whether the sound rather was the call of one of them than not."""

    def question(self, otherwise: tuple[Event, ...] = ()) -> Question:
        """Asks which card was played. The table that plays on agrees with the card whose call was surely
        heard, otherwise with none. The call is judged when the card is known, as that of any card is.
        `otherwise`: what happened if it was the call of no card."""
        cards, none = [*self._cards(), self._option("gun")], replace(NONE_OF_THESE, events=otherwise)
        code = "missed_card_of" if self.said else "missed_card_not_made_out"
        return self._question(code, (*cards, none), unanswered=cards[0] if self.sure else none)

    def question_on_gun(self, spoken: Event) -> Question:
        """Asks for the card where nothing may be said: it may be that there is none, and that the words were
        spoken on the gun (`spoken`) or by nobody. Whoever says that there was no card accuses nobody by that:
        both answers say it. The table that plays on saw no card and no mistake."""
        said, nobody = Option("no", (spoken,), words=("no card",)), Option("none", words=("not said",))
        return self._question("call_on_gun", (*self._cards(), said, nobody), unanswered=nobody)

    def _cards(self) -> list[Option]:
        """One answer for each card that needs a call, the one that needs this call first."""

        def fit(card: str) -> tuple[bool, bool]:
            return self.calls[card] != self.said, not fits(self.said, [self.calls[card]])

        return [self._option(card) for card in sorted(self.calls, key=fit)]

    def _option(self, card: str) -> Option:
        event = {"event": "card_played", "player": self.player, "t": self.t, "card": card}
        return Option(card, (event,), card=card)

    def _question(self, code: str, options: tuple[Option, ...], unanswered: Option) -> Question:
        return Question(
            code,
            {"guess": list(self.said), "player": self.player} if self.said else {"player": self.player},
            options,
            "camera",
            self.player,
            blocks=False,
            unanswered=unanswered.id,
            evidence=self.sound.evidence,
            about_t=self.over_t,
        )


def missed_card(
    sounds: Iterable[Utterance], game: GameView, since: float, policy: CallPolicy | None = None
) -> MissedCard | Postponed | None:
    """The card that the table is asked for; Postponed while a sound is being weighed; None if a call is due
    or nothing was said that may be the call of the next card.

    Args:
        sounds: that belong to no card.
        game: before the time for the next card runs out, or when somebody pressed.
        since: earlier sounds do not count, in seconds of the game; the time for the card runs from then on.
        policy: what it costs not to ask, when the time has run out; None: only sounds that surely are the
            call of a card count.
    """
    if right_words(game) or game.turn is None:
        return None
    calls = calls_by_card(game)
    due = CallDue(tuple(calls.values()), speaker=game.turn)
    found: list[tuple[bool, Utterance, WeighedCall]] = []
    for sound in sounds:
        if game.time(sound.start) < since:
            continue
        weighed = game.weigh(sound, due)
        if weighed is None:
            return Postponed()
        sure = fits(weighed.said, due.right) and weighed.right >= EVEN
        if sure or (policy is not None and policy.asks_for_card(weighed)):
            found.append((sure, sound, weighed))
    if not found:
        return None
    sure, sound, weighed = max(found, key=lambda one: (one[0], one[2].right))
    down = min(game.time(sound.start), since + game.settings.hesitation_s)  # the call may begin later
    return MissedCard(sound, weighed.said, game.turn, down, game.time(sound.end), calls, sure)
