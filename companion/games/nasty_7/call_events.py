"""What goes to the rules, or to the players as a question, when a sound is a call."""

from __future__ import annotations

from typing import Any

from companion.core.observations import Utterance
from companion.core.weighing import WeighedCall, fits
from companion.games.generic_spotter import heard
from companion.games.nasty_7.top_card import caller, in_time
from companion.games.spotter import NONE_OF_THESE, GameView, Option, Question, right_words


def doubtful_event(utterance: Utterance, weighed: WeighedCall, game: GameView) -> dict[str, Any]:
    """The event of a call of which the words are not sure: it lasts as long as the sound, so that nobody's
    time begins too early."""
    event = call_event(utterance, weighed, game)
    return {**event, "end": max(event["end"], game.time(utterance.end))}


def call_event(utterance: Utterance, weighed: WeighedCall, game: GameView) -> dict[str, Any]:
    """The event of a call; one that began before its card was down, or before the latest event, counts from
    then on."""
    event = heard(utterance, weighed, game)
    latest = game.past[-1] if game.past else {}
    since = float(latest.get("start", latest.get("t", 0.0)))
    start = max(since, event["start"])
    start = in_time(game, start) if right_words(game) else start
    return {**event, "start": start, "end": max(since, event["end"])}


def call_question(
    utterance: Utterance, weighed: WeighedCall, game: GameView, over_t: float = 0.0
) -> Question:
    """Asks what was said: the words that were made out, or the right ones. `over_t`: the time for the next
    card begins then at the earliest, in s of the game."""
    event, right = doubtful_event(utterance, weighed, game), right_words(game)
    event = {**event, "end": max(event["end"], over_t)}
    known = bool(weighed.words) and not fits(weighed.said, right)
    readings = dict.fromkeys((weighed.said, *right) if known else right)
    options = tuple(
        Option(" ".join(reading), ({**event, "words": list(reading)},), words=reading) for reading in readings
    )
    player = caller(game)
    return Question(
        "unsure_call" if known else "not_made_out",
        {"guess": list(weighed.said)} if known else {"player": player},
        (*options, NONE_OF_THESE),
        "microphone",
        player,
        blocks=False,
        unanswered=" ".join(right[0]) if right else NONE_OF_THESE.id,
        evidence=utterance.evidence,
    )
