"""A call without a card: the camera did not see the card, and its player is not too late.

Before the time for the next card runs out, and when somebody doubts a call, the sounds since the last call
are weighed against the calls that the next card may need. If one of them probably was such a call, the table
is asked which card was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from companion.core.events import Event
from companion.core.observations import Utterance
from companion.core.weighing import EVEN, CallDue, WeighedCall, Words, fits
from companion.games.contract.number_words import number_word
from companion.games.spotter import NONE_OF_THESE, GameView, Option, Postponed, Question, right_words


def calls_by_card(game: GameView) -> Mapping[str, Words]:
    """The call that each card needs if it is the next one; a gun needs none."""
    language = game.settings.language
    count = int(game.view["next_number"])
    upwards = count == 1 or int(game.view["count"]) < count < 7
    following = count + 1 if upwards else count - 1
    sound = tuple(game.view.get("sound") or game.settings.sound)
    first, second = (number_word(number, language) for number in (count, following))
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
    """What the sound most probably was."""
    player: str
    t: float
    """When the call began, in s of the game."""
    calls: Mapping[str, Words]
    """The call that each card needs."""

    def question(self, otherwise: tuple[Event, ...] = ()) -> Question:
        """Asks which card was played. The table that plays on agrees with the card whose call was heard. Its
        call is judged when the card is known, as that of any card is. `otherwise`: what happened if it was
        the call of no card."""
        cards = self._cards()
        options = (*cards, replace(NONE_OF_THESE, events=otherwise))
        return self._question("missed_card_of", options, unanswered=cards[0])

    def question_on_gun(self, spoken: Event) -> Question:
        """Asks for the card where nothing may be said: it may be that there is none, and that the words were
        spoken on the gun (`spoken`) or by nobody. The table that plays on saw no card and no mistake."""
        no = Option("no", (spoken,), words=("no",))
        return self._question("call_on_gun", (*self._cards(), no, NONE_OF_THESE), unanswered=NONE_OF_THESE)

    def _cards(self) -> list[Option]:
        """One answer for each card, the one that needs the call first."""

        def fit(card: str) -> tuple[bool, bool]:
            return self.calls[card] != self.said, not fits(self.said, [self.calls[card]])

        event = {"event": "card_played", "player": self.player, "t": self.t}
        return [Option(card, ({**event, "card": card},), card=card) for card in sorted(self.calls, key=fit)]

    def _question(self, code: str, options: tuple[Option, ...], unanswered: Option) -> Question:
        return Question(
            code,
            {"guess": list(self.said), "player": self.player},
            options,
            "camera",
            self.player,
            blocks=False,
            unanswered=unanswered.id,
            evidence=self.sound.evidence,
        )


def missed_card(sounds: Iterable[Utterance], game: GameView, since: float) -> MissedCard | Postponed | None:
    """The card that the table is asked for; Postponed while a sound is being weighed; None if a call is due
    or nothing was said that probably is the call of the next card.

    Args:
        sounds: that belong to no card.
        game: before the time for the next card runs out, or when somebody pressed.
        since: earlier sounds do not count, in seconds of the game.
    """
    if right_words(game) or game.turn is None:
        return None
    calls = calls_by_card(game)
    due = CallDue(tuple(calls.values()), speaker=game.turn)
    found: list[tuple[Utterance, WeighedCall]] = []
    for sound in sounds:
        if game.time(sound.start) < since:
            continue
        weighed = game.weigh(sound, due)
        if weighed is None:
            return Postponed()
        if fits(weighed.said, due.right) and weighed.right >= EVEN:
            found.append((sound, weighed))
    if not found:
        return None
    sound, weighed = max(found, key=lambda one: one[1].right)
    return MissedCard(sound, weighed.said, game.turn, game.time(sound.start), calls)
