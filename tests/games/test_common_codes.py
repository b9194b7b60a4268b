"""What is checked in every game, and in which order."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulescripts import (
    codes,
    counted,
    eight_tricks,
    falls,
    last_cards,
    monsters,
    nasty,
    passes,
    placed,
    played,
    says,
)

from companion.core.errors import BadHeader
from companion.games import game_names, rulebook
from companion.games.contract.fields import identical
from companion.games.contract.offers import Integer, Offer, OneOf, Several, Words
from companion.table.record import opened

Json = dict[str, Any]
OVER = [*eight_tricks(), *last_cards()]

# Each line is wrong in all the ways that follow it in the list, so that the first code shows the order.
ALL_WRONG: list[tuple[Json, str]] = [
    ({"event": "dealt", "t": -1, "player": "Zoe"}, "unknown_event"),
    ({"event": "card_played", "t": -1, "player": "Zoe", "card": 5}, "bad_field"),
    ({"event": "card_played", "t": 1, "player": "Zoe", "card": 5}, "time_reversed"),
    ({"event": "card_played", "t": 30, "player": "Zoe"}, "unknown_player"),
    ({"event": "trick_awarded", "t": 30, "player": 5}, "missing_field"),
    (
        {"event": "card_played", "t": 30, "player": "Conny", "card": {"monster": "zebra", "number": True}},
        "bad_field",
    ),
    (
        {"event": "card_played", "t": 30, "player": "Conny", "card": {"monster": "zebra", "number": 1}},
        "unknown_card",
    ),
    (
        {"event": "card_placed", "t": 30, "player": "Conny", "card": {"monster": "red", "number": 1}},
        "wrong_phase",
    ),
    (
        {"event": "card_played", "t": 30, "player": "Conny", "card": {"monster": "red", "number": 1}},
        "not_your_turn",
    ),
]


@pytest.mark.parametrize(("event", "code"), ALL_WRONG, ids=[code for _, code in ALL_WRONG])
def test_codes_are_checked_in_order(event: Json, code: str) -> None:
    record = monsters({**played("Anna", "red 1"), "t": 20.0}, event, {**played("Ben", "red 2"), "t": 20.0})
    assert codes(record) == [(2, code)]


@pytest.mark.parametrize(("event", "code"), ALL_WRONG[1:], ids=[code for _, code in ALL_WRONG[1:]])
def test_after_the_end_every_known_event_is_game_over(event: Json, code: str) -> None:
    assert codes(monsters(*OVER, event, target=1)) == [(31, "game_over")]


def test_after_the_end_an_unknown_event_is_unknown() -> None:
    assert codes(monsters(*OVER, {"event": "dealt"}, "{", target=1)) == [
        (31, "unknown_event"),
        (32, "bad_json"),
    ]


@pytest.mark.parametrize("t", [-1, -0.1, "1", True, False, None, [], {}, float("inf"), float("nan")])
def test_a_time_that_is_none_in_a_game_without_hurry(t: Any) -> None:
    assert codes(monsters({**played("Anna", "red 1"), "t": t})) == [(1, "bad_field")]


def test_time_is_optional_and_must_not_run_backwards_in_a_game_without_hurry() -> None:
    first = {**played("Anna", "red 1"), "t": 10}
    second = played("Ben", "red 2")
    for t, expected in ((9.9, [(2, "time_reversed")]), (10, []), (10.0, []), (99, [])):
        assert codes(monsters(first, {**second, "t": t})) == expected
    between = monsters(first, second, {**played("Conny", "red 3"), "t": 9})
    assert codes(between) == [(3, "time_reversed")]
    undone = monsters(first, {"event": "undone"}, {**played("Anna", "red 1"), "t": 3})
    assert codes(undone) == []


def test_a_rejected_event_sets_no_time() -> None:
    rejected = {**played("Conny", "red 1"), "t": 50}
    assert codes(monsters(rejected, {**played("Anna", "red 1"), "t": 3})) == [(1, "not_your_turn")]


def test_heard_is_timed_by_its_start_and_other_times_are_extra_fields() -> None:
    record = nasty(falls("Abby", "racketeer", 5.0), {**says("one", 5.5), "t": -7})
    assert codes(record) == []
    assert codes(nasty({**falls("Abby", "gun", 5.0), "start": -1, "end": "x"})) == []
    assert codes(nasty(passes(5.0), says("one", 4.0))) == [(2, "time_reversed")]


def test_words_may_end_when_they_begin_and_not_before() -> None:
    for end, code in ((5.5, []), (5.499, [(2, "bad_field")])):
        assert codes(nasty(falls("Abby", "racketeer", 5.0), {**says("one", 5.5), "end": end})) == code


def test_unknown_extra_fields_are_ignored() -> None:
    card = {"monster": "red", "number": 1, "side": "left", "player": "Zoe"}
    event = {"event": "card_played", "player": "Anna", "card": card, "to": "Zoe", "words": []}
    assert codes(monsters(event)) == []
    assert codes(nasty({**passes(1.0), "player": "Zoe", "card": 7})) == []


@pytest.mark.parametrize("game", game_names())
def test_what_is_wrong_with_a_header_is_told_in_order(game: str) -> None:
    book = rulebook(game)
    names = [f"P{i}" for i in range(book.seats[0])]
    for header, code in (
        ({"game": game + "s", "players": [], "settings": {"nonsense": 1}}, "bad_game"),
        ({"game": game, "players": [], "settings": {"nonsense": 1}}, "bad_players"),
        ({"game": game, "players": [*names, names[0]], "settings": {}}, "bad_players"),
        ({"game": game, "players": names, "settings": {"nonsense": 1}}, "bad_settings"),
        ({"game": game, "players": names, "settings": "none"}, "bad_settings"),
        ({"game": [game], "players": names}, "bad_game"),
        ({"game": game, "players": dict.fromkeys(names, 1)}, "bad_players"),
        ({"game": game, "players": [*names[1:], 3]}, "bad_players"),
        ({"game": game, "players": [*names[1:], ""]}, "bad_players"),
        (None, "bad_game"),
    ):
        with pytest.raises(BadHeader) as error:
            opened(header)
        assert error.value.code == code
    assert opened({"game": game, "players": names}).winner() == []


@pytest.mark.parametrize("game", game_names())
def test_a_header_with_too_few_players_says_how_many_there_may_be(game: str) -> None:
    book = rulebook(game)
    with pytest.raises(BadHeader) as error:
        opened({"game": game, "players": ["P0"], "settings": {}})
    assert error.value.why.params == {"title": book.title, "low": min(book.seats), "high": max(book.seats)}


WORDS = ("P0", "P1", "red", "joker", "gun", "aside", "", "3")
KEYS = ("monster", "number", "part", "cards", "jokers", "red", "joker", "event", "n")


def anything(random: Random, depth: int = 3) -> Any:
    """Whatever JSON can say."""
    kind = random.randrange(9 if depth else 7)
    if kind == 7:
        return [anything(random, depth - 1) for _ in range(random.randrange(4))]
    if kind == 8:
        return {key: anything(random, depth - 1) for key in random.sample(KEYS, random.randrange(4))}
    numbers = (random.randint(-2, 9), random.randint(1, 3), 10**30, random.uniform(-1, 50), 1e300)
    return (None, True, False, random.choice(numbers), random.choice(numbers), *random.sample(WORDS, 2))[kind]


@pytest.mark.parametrize("game", game_names())
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_nothing_that_json_can_say_breaks_a_game(game: str, seed: int) -> None:
    random, book = Random(seed), rulebook(game)
    record = opened({"game": game, "players": [f"P{i}" for i in range(book.seats[0])]})
    names = sorted({field.name for kind in book.events.values() for field in kind.fields})
    kinds = (*book.events, "undone", "amended", "overruled")
    for _ in range(20):
        event = {name: anything(random) for name in random.sample((*names, "t", "n", "replacement"), 4)}
        event["event"] = random.choice(kinds) if random.random() < 0.95 else anything(random)
        record.push(event)
        assert record.entries[-1].n == len(record.entries)
    record.result()


@pytest.mark.parametrize("game", game_names())
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_settings_are_good_or_bad_but_break_nothing(game: str, seed: int) -> None:
    random, book = Random(seed), rulebook(game)
    names = book.settings_type.__struct_fields__
    drawn = {name: anything(random) for name in random.sample(names, min(len(names), random.randint(1, 2)))}
    try:
        record = opened({"game": game, "players": [f"P{i}" for i in range(book.seats[0])], "settings": drawn})
    except BadHeader as error:
        code = error.code
    else:
        code = "bad_settings"
        record.result()
    assert code == "bad_settings"


# --- offers -----------------------------------------------------------------------------------------------


def test_offered_values_are_compared_as_json() -> None:
    assert identical([1, {"a": True}], (1, {"a": True}))
    assert not identical(1, True)
    assert not identical(1, 1.0)
    assert not identical({"a": 1}, {"a": 1, "b": 2})
    assert OneOf((1, "a")).allows("a")
    assert not OneOf((1,)).allows(True)
    assert not Integer(0, 3).allows(True)
    assert Words().allows(["x"])
    assert not Words().allows([])
    assert Several(("a", "b")).allows(["b", "a"])
    for value in ([], ["a", "a"], ["c"], "a", None):
        assert not Several(("a", "b")).allows(value)


def test_an_offer_holds_in_its_time_only() -> None:
    offer = Offer("time_passed", {}, by=5.0, after=2.0)
    moments = {t: offer.matches(passes(t)) for t in (1.0, 2.0, 2.1, 5.0, 5.1)}
    assert moments == {1.0: False, 2.0: False, 2.1: True, 5.0: True, 5.1: False}
    assert offer.matches({"event": "time_passed"})
    assert not offer.matches(falls("Abby", "gun", 3.0))


def test_after_the_last_gun_nothing_is_offered_once_its_time_is_up() -> None:
    record = nasty(
        *counted(2, ["Abby", "Beth"]), falls("Abby", "gun", 14.0), players=["Abby", "Beth"], deck_size=4
    )
    by = {offer.event: offer.by for offer in record.book.expects(record.state)}
    assert by == {"heard": 17.0, "time_passed": None}


def test_offers_say_which_words_would_be_right() -> None:
    record = nasty(falls("Abby", "twin_racketeer", 5.0), says("one", 5.5), language="en")
    heard = next(offer for offer in record.book.expects(record.state) if offer.event == "heard")
    assert heard.fields["words"] == Words((("two",),))
    german = nasty(falls("Abby", "racketeer", 5.0), language="de")
    heard = next(offer for offer in german.book.expects(german.state) if offer.event == "heard")
    assert heard.fields["words"] == Words((("eins",),))


def test_placements_are_offered_to_everybody_who_owes_a_card() -> None:
    record = monsters(*eight_tricks(), placed("Anna", "red 1"), placed("Anna", "joker", "pink"))
    assert codes(record) == [(26, "joker_starts_column")]
    offers = [offer for offer in record.book.expects(record.state) if offer.event == "card_placed"]
    players = {player for offer in offers for player in getattr(offer.fields["player"], "values", ())}
    assert players == {"Anna", "Ben", "Conny"}
    assert not any(offer.matches(placed("Anna", "joker", "pink")) for offer in offers)
    assert any(offer.matches(placed("Anna", "joker", "green")) for offer in offers)
