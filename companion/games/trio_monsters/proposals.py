"""What may come next in Trio Monsters, before the rules have sorted out what is refused."""

from __future__ import annotations

from companion.games.contract.choices import AnyPlace, Number, Text
from companion.games.contract.offers import Choice, Offer, OneOf
from companion.games.trio_monsters.cells import beside, place_of
from companion.games.trio_monsters.legality import is_bound
from companion.games.trio_monsters.state import START, TrioMonstersSettings, TrioMonstersState


def proposals(state: TrioMonstersState) -> list[Offer]:
    """The start card; cards at the free sides of those that lie; the end of the turn."""
    when = {"t": Number(low=state.time)}
    settings = state.setup.settings
    if state.phase == "setup":
        fields = {"card": _any_but((), settings), "at": OneOf((list(START),)), **when}
        return [Offer("card_revealed", fields, ("t",), rule="TRIO-4")]
    who = {"player": OneOf((state.turn,)), **when}
    layings = [
        Offer("card_played", {**who, "card": card, "at": at}, ("t",), rule=rule)
        for card, at, rule in _layings(state.table, settings)
    ]
    return [*layings, Offer("turn_ended", who, ("t",), rule="TRIO-8")]


def _layings(table: dict[int, str], settings: TrioMonstersSettings) -> list[tuple[Choice, Choice, str]]:
    """Colours that must touch their own, one by one; then all others, for which the same places are open."""
    if not table:
        return [(_any_but((), settings), AnyPlace(), "TRIO-R7")]
    free = sorted({cell for lying in table for cell in beside(lying)} - table.keys())
    places = OneOf(tuple(list(place_of(cell)) for cell in free))
    bound = tuple(colour for colour in sorted(set(table.values())) if is_bound(table, colour, settings))
    layings: list[tuple[Choice, Choice, str]] = [(OneOf((colour,)), places, "TRIO-10") for colour in bound]
    return [*layings, (_any_but(bound, settings), places, "TRIO-9")]


def _any_but(colours: tuple[str, ...], settings: TrioMonstersSettings) -> Choice:
    """Any colour of the game but these."""
    if settings.colours is None:
        return Text(colours)
    return OneOf(tuple(colour for colour in settings.colours if colour not in colours))
