"""What pages are told about a game: its facts as JSON, without the rules."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.game import Game, Photographed, Places
from companion.games.settings import Setting, settings_of


class ZoneFacts(msgspec.Struct, frozen=True):
    """One zone of a game; with `each_player` one for each player: `<name>:<seat>`."""

    name: str
    text: str
    """English name (a msgid)."""
    each_player: bool


class GameFacts(msgspec.Struct, frozen=True):
    """What pages have to know to show a game and to enter its events."""

    name: str
    title: str
    seats: tuple[int, int]
    """Fewest and most players."""
    fewest_points_win: bool
    sources: tuple[Literal["camera", "microphone", "buttons"], ...]
    """The sources with which it is usually played."""
    zones: tuple[ZoneFacts, ...]
    cards: tuple[str, ...]
    """Label of each card that looks different."""
    photographed: Photographed
    """What may be photographed for it."""
    places: Places
    """How somebody chooses a place."""
    page: bool
    """Whether there is a module /static/games/<name>.js; otherwise the generic one shows the game."""
    settings: tuple[Setting, ...] = ()
    """The house rules; only where a form asks for them."""


def facts(game: Game, with_settings: bool = False) -> GameFacts:
    """The facts of a game, with its house rules if asked for."""
    return GameFacts(
        game.name,
        game.title,
        (game.seats[0], game.seats[-1]),
        game.fewest_points_win,
        game.sources,  # type: ignore[arg-type]
        tuple(ZoneFacts(zone.name, zone.text, zone.each_player) for zone in game.zones),
        tuple(game.cards),
        game.photographed,
        game.places,
        game.page,
        settings_of(game.rulebook.settings_type) if with_settings else (),
    )
