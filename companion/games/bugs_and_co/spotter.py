"""Bugs & Co at the table: a player who stops presses the own button and gets the highest trophy (BUGS-16).

With one button for each trophy instead of each seat, the table is asked who took it, unless one player is
left. The companion's countdown then runs from the kernel's time of the last press.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.observations import Press, Utterance
from companion.games.contract.corrections import amended
from companion.games.contract.number_words import is_stop, number, number_word
from companion.games.generic_spotter import GenericSpotter
from companion.games.spotter import (
    NO,
    NONE_OF_THESE,
    Fact,
    Finding,
    GameView,
    Option,
    Question,
    Remark,
    Resolved,
    right_words,
    seat_of,
    yes,
)

MOST_MISSED = 2
"""So many numbers of the countdown in a row may not have been made out."""
FASTEST_S = 0.4
"""Seconds that each of them takes at least."""


class BugsAndCoSpotter(GenericSpotter):
    """Presses become trophies while tiles are grabbed; calls and the rest are the generic spotter's.

    Tiles that are counted at the end are compared with those that were reported as taken."""

    def follow(
        self, before: GameView, event: Mapping[str, Any], after: GameView
    ) -> Sequence[Question | Remark | Resolved]:
        if event["event"] != "tiles_scored":
            return ()
        player = str(event["player"])
        taken, counted = after.view["taken"][player], sum(event["tiles"].values())
        if not taken or taken == counted:  # nobody has to report every tile that is taken
            return ()
        again = yes(amended(after.numbers[-1], None))
        params = {"player": player, "counted": counted, "taken": taken}
        return [
            Question(
                "tiles_differ", params, (again, NO), "phone", player,
                about=f"tiles of {player} {counted}", stays=True,
            )
        ]  # fmt: skip

    def _heard(self, utterance: Utterance, game: GameView) -> list[Finding]:
        """A number of the countdown. One or two before it that were not made out have been said as well, if
        there was time for them: otherwise the countdown would stand still for good."""
        found = super()._heard(utterance, game)
        if not found or not isinstance(found[0], Fact):
            return found
        event = found[0].event
        missed = _missed_numbers(event, game)
        return [Fact({**event, "words": [*missed, *event["words"]]}, "microphone")] if missed else found

    def _pressed(self, press: Press, game: GameView) -> list[Finding]:
        if game.view["phase"] != "play":
            return super()._pressed(press, game)
        trophies = game.view["trophies"]
        grabbing = [player for player in game.players if game.view["trophy"][player] is None]
        player = seat_of(press.button, game.players)
        if player is not None:
            # A second press of a player who has stopped changes nothing.
            taken = _taken(player, trophies[0], press, game)
            return [Fact(taken, "buttons")] if player in grabbing else []
        kind, _, value = press.button.partition(" ")
        if kind != "trophy" or not value.isdecimal() or int(value) not in trophies:
            return []
        if len(grabbing) == 1:
            return [Fact(_taken(grabbing[0], int(value), press, game), "buttons")]
        options = tuple(
            Option(player, (_taken(player, int(value), press, game),), words=(player,)) for player in grabbing
        )
        params = {"value": int(value)}
        return [Question("who_took_trophy", params, (*options, NONE_OF_THESE), "buttons", phase="play")]


def _missed_numbers(heard: Mapping[str, Any], game: GameView) -> list[str]:
    """The numbers of the countdown between the last one that was heard and this call; empty if it is the
    next one, none at all, or too early."""
    right, language = right_words(game), game.settings.language
    if game.view["phase"] != "countdown" or not right or not heard["words"]:
        return []
    word = str(heard["words"][0])
    due = number(right[0][0], language) or 0
    said = 0 if is_stop(word, language) else number(word, language)
    if said is None or not 1 <= due - said <= MOST_MISSED:
        return []
    since = max((_known_at(event) for event in game.past), default=0.0)
    if float(heard["start"]) - since < FASTEST_S * (due - said):
        return []
    return [number_word(value, language) for value in range(due, said, -1)]


def _known_at(event: Mapping[str, Any]) -> float:
    """When an event ended, in seconds of the game."""
    return float(event.get("end", event.get("t", 0.0)) or 0.0)


def _taken(player: str, value: int, press: Press, game: GameView) -> dict[str, object]:
    return {"event": "trophy_taken", "player": player, "value": value, "t": game.time(press.t)}
