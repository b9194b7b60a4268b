"""The facts of a game as pages get them."""

from __future__ import annotations

import functools

import msgspec

from companion.api.games import GameFacts, GameSetting, GameZone
from companion.games.contract.number_words import spoken_numbers
from companion.games.game import Game
from companion.games.settings import settings_of


def facts(game: Game, settings: bool = False) -> GameFacts:
    """The facts of a game, with its house rules if asked for."""
    return GameFacts(
        name=game.name,
        title=game.title,
        seats=(game.seats[0], game.seats[-1]),
        fewest_points_win=game.fewest_points_win,
        sources=game.sources,
        zones=tuple(GameZone(zone.name, zone.text, zone.each_player) for zone in game.zones),
        cards=tuple(game.cards),
        without={source: dict(settings) for source, settings in game.without.items()},
        photographed=game.photographed,
        number_words=spoken_numbers() if game.hearing else {},
        page=game.page,
        settings=_settings(game.rulebook.settings_type) if settings else None,
    )


@functools.cache
def _settings(struct: type[msgspec.Struct]) -> tuple[GameSetting, ...]:
    return msgspec.convert(settings_of(struct), tuple[GameSetting, ...], from_attributes=True)
