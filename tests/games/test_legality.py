"""Legality once: what is offered and what is accepted change together, whatever rule is changed."""

import functools
import importlib
import inspect
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from types import ModuleType
from typing import Any

import pytest

from bench.rules.choices import NothingFits
from bench.rules.play import event_of, header_of, next_event
from companion.core.errors import Rejected
from companion.games import game_named, game_names, rulebook
from companion.games.contract import choices, offers
from companion.games.contract.legality import Breach, legal_part
from companion.games.contract.offers import Choice, Integer, Offer, OneOf, Several
from companion.games.contract.rulebook import Rulebook
from companion.games.seven_merry_monsters import choices as merry_choices
from companion.table.record import Record, opened

Json = dict[str, Any]
OF_A_KIND = 2
"""Situations kept of each kind of event."""
GAMES = 12
"""Games from which situations are taken, or more until every kind of event has been met."""
NO = Breach("changed")


@functools.cache
def situations(game: str) -> list[tuple[Any, Json]]:
    """States of random games, each with an event that is legal there; several of every kind."""
    book, found, kinds = rulebook(game), list[tuple[Any, Json]](), Counter[tuple[Any, ...]]()
    seed = 0
    while seed < GAMES or {kind[0] for kind in kinds} < book.events.keys():
        seed += 1
        random = Random(f"legality {game} {seed}")
        record: Record[Any] = opened(header_of(book, random))
        while record.state.phase != "over" and len(record.entries) < 250:
            following = next_event(record, random)
            for event in (*one_of_each(record, random), following):
                variant = event.get("power", event.get("face_down", "column" in event))
                aside = event.get("aside", 0) > 0 or event.get("card") == {"monster": "joker"}
                kind = (event["event"], record.state.phase, variant, aside)
                kinds[kind] += 1
                if kinds[kind] <= OF_A_KIND:
                    found.append((record.state, event))
            record.push(following)
    return found


def one_of_each(record: Record[Any], random: Random) -> Iterator[Json]:
    """An event of each of some offers."""
    offered = record.book.expects(record.state)
    for offer in random.sample(offered, min(3, len(offered))):
        with suppress(NothingFits):
            yield event_of(offer, record, random)


def is_accepted(book: Rulebook[Any], state: Any, event: Json) -> bool:
    try:
        book.play(state, event)
    except Rejected:
        return False
    return True


def is_offered(book: Rulebook[Any], state: Any, event: Json) -> bool:
    return any(offer.matches(event) for offer in book.expects(state))


def modules(game: str) -> list[ModuleType]:
    package = importlib.import_module(game_named(game).package)
    return [
        importlib.import_module(f"{package.__name__}.{one.name}")
        for one in pkgutil.iter_modules(package.__path__)
    ]


def predicates() -> Iterator[tuple[str, str]]:
    """(game, name) of every function that finds a breach of the rules."""
    for game in game_names():
        for module in modules(game):
            for name, function in inspect.getmembers(module, inspect.isfunction):
                returns = function.__annotations__.get("return")
                if function.__module__ == module.__name__ and returns == "Breach | None":
                    yield game, f"{module.__name__}:{name}"


def replace_everywhere(
    game: str, old: Callable[..., Any], new: Callable[..., Any], patch: pytest.MonkeyPatch
) -> None:
    """Replaces a function wherever the game's modules name it, also in their tables."""
    for module in modules(game):
        for name, value in vars(module).items():
            if value is old:
                patch.setattr(module, name, new)
            elif isinstance(value, dict) and not name.startswith("__"):
                for key, one in value.items():
                    if one is old:
                        patch.setitem(value, key, new)


@pytest.mark.parametrize(("game", "where"), list(predicates()))
def test_a_changed_rule_changes_offers_and_play_together(
    game: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, name = where.partition(":")
    function = getattr(importlib.import_module(module), name)
    book, refused, met = rulebook(game), 0, situations(game)
    replace_everywhere(game, function, lambda *args, **others: NO, monkeypatch)
    for state, event in met:
        accepted = is_accepted(book, state, event)
        assert accepted == is_offered(book, state, event), event
        refused += not accepted
    assert refused, f"{where} is never asked"


ENDLESS = [
    (game, kind)
    for game, kinds in {
        "seven_merry_monsters": (merry_choices.Card, merry_choices.Cards, merry_choices.Columns, Integer),
        "bugs_and_co": (choices.Tiles,),
        "thirteen_monsters": (choices.Dice, choices.Parts, choices.Monsters),
        "nasty_7": (Several,),
    }.items()
    for kind in kinds
]


@pytest.mark.parametrize(("game", "kind"), ENDLESS)
def test_the_choice_that_is_shown_is_the_one_that_judges(
    game: str, kind: type[Choice], monkeypatch: pytest.MonkeyPatch
) -> None:
    book, refused, met = rulebook(game), 0, situations(game)
    monkeypatch.setattr(kind, "allows", lambda self, value: False)
    for state, event in met:
        accepted = is_accepted(book, state, event)
        assert accepted == is_offered(book, state, event), event
        refused += not accepted
    assert refused, f"no {kind.__name__} is asked"


@pytest.mark.parametrize("game", game_names())
def test_a_value_that_is_refused_is_left_out_of_the_offers(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One value of one field is refused in each situation: it goes, others stay."""
    book, less = rulebook(game), 0
    real = type(book).breach
    for state, event in situations(game):
        before = book.expects(state)
        for name in event.keys() - {"event", "t", "start", "end"}:
            value = event[name]

            def changed(
                self: Any, state: Any, event: Json, name: str = name, value: Any = value
            ) -> Breach | None:
                return NO if event.get(name) == value else real(self, state, event)

            with monkeypatch.context() as patch:
                patch.setattr(type(book), "breach", changed)
                if game != "nasty_7":  # which asks its predicate with what the table has pardoned
                    assert not is_accepted(book, state, event)
                after = book.expects(state)
            assert not any(one.fields.get(name) == OneOf((value,)) for one in after)
            less += len(after) < len(before)
    assert less


@pytest.mark.parametrize("game", game_names())
def test_no_game_makes_its_own_offers(game: str) -> None:
    assert type(rulebook(game)).expects is Rulebook.expects


# --- the part of a proposal that is legal -----------------------------------------------------------------


def part(proposal: Offer, refused: Callable[[Json], bool]) -> Offer | None:
    kind = rulebook("nasty_7").events["card_played"]
    return legal_part(proposal, kind, 5.0, lambda event: NO if refused(dict(event)) else None)


def proposed(**others: Any) -> Offer:
    return Offer("card_played", {"player": OneOf(("Ida", "Jo")), "card": OneOf(("gun", "phone"))}, **others)


def test_listed_values_stay_only_if_they_are_legal() -> None:
    kept = part(proposed(), lambda event: event["player"] == "Ida" or event["card"] == "gun")
    assert kept == Offer("card_played", {"player": OneOf(("Jo",)), "card": OneOf(("phone",))})
    assert part(proposed(), lambda event: False) == proposed()
    assert part(proposed(), lambda event: True) is None


def test_the_time_of_a_proposal_is_tried_at_both_ends() -> None:
    assert part(proposed(by=8.0), lambda event: event["t"] > 8.0) == proposed(by=8.0)
    assert part(proposed(by=8.0), lambda event: event["t"] > 7.0) is None
    assert part(proposed(), lambda event: event["t"] > 8.0) is None
    assert part(proposed(after=8.0), lambda event: event["t"] <= 8.0) == proposed(after=8.0)
    assert part(proposed(after=8.0), lambda event: event["t"] <= 9.0) is None


def test_a_field_is_optional_only_if_the_event_is_legal_without_it() -> None:
    optional = proposed(optional=("card",))
    assert part(optional, lambda event: False) == optional
    assert part(optional, lambda event: "card" not in event) == proposed()


def examples_of(choice: Choice) -> list[Any]:
    return list(choice.examples())


@pytest.mark.parametrize(
    "choice",
    [
        choices.Number(2.0),
        choices.Text(("red", "****")),
        choices.AnyPlace(),
        choices.Objects(({"monster": 1},)),
        choices.Collection(({"monster": 1}, {"monster": 2}), 1),
        choices.Dice(3),
        choices.Parts((1, 2), (3,), (4, 5)),
        choices.Monsters((1, 2), (3, 4), (5, 6, 7)),
        choices.Tiles({"claw": 2}, 3, 9),
        OneOf((None, "x")),
        Integer(2, 3),
        Integer(None, -1),
        Several(("Ida", "Jo")),
        offers.Words(),
        offers.Words((("one", "two"),)),
        merry_choices.Card({"red": 1}, {"red": (4,)}, True),
        merry_choices.Card({"joker": 1}, None, True),
        merry_choices.Cards(2, merry_choices.Card({"red": 1, "blue": 7}), ("blue",)),
        merry_choices.Columns({"red": 7, "blue": 7}, 11, 24),
        merry_choices.Columns({"red": 1}, 0),
    ],
)
def test_an_example_of_a_choice_is_allowed(choice: Choice) -> None:
    assert examples_of(choice)
    assert all(choice.allows(value) for value in examples_of(choice))
    assert choice.only(examples_of(choice)) == choice


def test_an_empty_collection_may_be_an_example() -> None:
    assert examples_of(choices.Collection((), 0)) == [[]]


@pytest.mark.parametrize(
    "choice",
    [
        choices.Number(2.0, before=2.0),
        choices.Collection((), 1),
        choices.Parts((1,), (), (2,)),
        OneOf(()),
        Integer(3, 2),
        merry_choices.Card({}),
        merry_choices.Card({"red": 1}, {"red": ()}, True),
        merry_choices.Cards(2, merry_choices.Card({"red": 1})),
        merry_choices.Cards(1, merry_choices.Card({"red": 1}), ("blue",)),
        merry_choices.Columns({"red": 7}, 3, 24),
    ],
)
def test_a_choice_that_allows_nothing_has_no_example(choice: Choice) -> None:
    assert examples_of(choice) == []
