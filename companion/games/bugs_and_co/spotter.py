"""Bugs & Co at the table: a player who stops presses the own button and gets the highest trophy (BUGS-16).

With one button for each trophy instead of each seat, the table is asked who took it, unless one player is
left. The companion's countdown then runs from the kernel's time of the last press.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.observations import Press
from companion.games.generic_spotter import GenericSpotter
from companion.games.spotter import (
    NONE_OF_THESE,
    Fact,
    Finding,
    GameView,
    Option,
    Question,
    Remark,
    Resolved,
    seat_of,
)


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
        again = Option(
            "again", ({"event": "amended", "n": after.numbers[-1], "replacement": None},), words=("✓",)
        )
        params = {"player": player, "counted": counted, "taken": taken}
        return [
            Question(
                "tiles_differ", params, (again, NONE_OF_THESE), "camera", player,
                about=f"tiles of {player} {counted}", stays=True,
            )
        ]  # fmt: skip

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


def _taken(player: str, value: int, press: Press, game: GameView) -> dict[str, object]:
    return {"event": "trophy_taken", "player": player, "value": value, "t": game.time(press.t)}
