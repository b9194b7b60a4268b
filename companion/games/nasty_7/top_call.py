"""What a sound was for the top card: by itself, or with all that was heard for that card before it."""

from __future__ import annotations

from companion.core.observations import Utterance
from companion.core.weighing import CallDue, WeighedCall
from companion.games.nasty_7.sound_parts import other_half
from companion.games.nasty_7.top_card import (
    DATING_S,
    all_that_was_heard,
    caller,
    calls_made,
    sound_name,
)
from companion.games.spotter import GameView, right_words


def weighed_for_top(utterance: Utterance, game: GameView, gun: bool) -> WeighedCall | None:
    """What a sound was; `gun`: nothing may be said. None: it is being weighed."""
    due = CallDue(right_words(game), gun, sound_name(game), caller(game) or "")
    return _without_first_half(game.weigh(utterance, due), game)


def untorn(utterance: Utterance, game: GameView) -> WeighedCall | None:
    """What all was that was heard for the call, up to the end of a sound. Noise tears calls: of a pair only
    the second number may be left in a sound, which half of the miscounted calls of a twin are too. None: it
    is being weighed."""
    over = utterance.end + DATING_S
    sound, due = all_that_was_heard(game, game.settings.hesitation_s, over)
    return _without_first_half(game.weigh(sound, due), game)


def _without_first_half(weighed: WeighedCall | None, game: GameView) -> WeighedCall | None:
    """A weighed sound without the words of the top card's call that were accepted before."""
    begun = tuple(word for one in calls_made(game) for word in one["words"])
    return None if weighed is None else other_half(weighed, begun, right_words(game))
