"""A call without a card: the camera did not see the card, and its player is not too late.

Before the time for the next card runs out, the sounds since the last call are weighed against the calls that
the next card may need. If one of them probably was such a call, the table is asked which card was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

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


def missed_card(sounds: Iterable[Utterance], game: GameView, since: float) -> Question | Postponed | None:
    """The question which card was played; Postponed while a sound is being weighed; None if a call is due or
    nothing was said that probably is the call of the next card.

    Args:
        sounds: that belong to no card.
        game: before the time for the next card runs out.
        since: earlier sounds do not count, in seconds of the game.
    """
    if right_words(game) or game.turn is None:
        return None
    due = CallDue(tuple(calls_by_card(game).values()), speaker=game.turn)
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
    return _question(*max(found, key=lambda one: one[1].right), game)


def _question(sound: Utterance, weighed: WeighedCall, game: GameView) -> Question:
    """Asks which card was played. The table that plays on agrees with the card whose call was heard."""
    said, begun, over = weighed.said, game.time(sound.start), game.time(sound.end)
    calls = calls_by_card(game)
    likely = sorted(calls, key=lambda card: (calls[card] != said, not fits(said, [calls[card]])))

    def played(card: str) -> tuple[dict[str, Any], ...]:
        call = {"event": "heard", "words": list(calls[card]), "start": begun, "end": over}
        return {"event": "card_played", "player": game.turn, "card": card, "t": begun}, call

    return Question(
        "missed_card_of",
        {"guess": list(said), "player": game.turn},
        (*(Option(card, played(card), card=card) for card in likely), NONE_OF_THESE),
        "camera",
        game.turn,
        blocks=False,
        unanswered=likely[0],
        evidence=sound.evidence,
    )
