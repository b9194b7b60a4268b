"""Players' names as phones send them."""

from typing import Any

import pytest

Bench = Any


@pytest.mark.parametrize(
    ("typed", "seated"),
    [
        (["  Ida ", "Jo\t Ann"], ["Ida", "Jo Ann"]),
        (["\u202eevil", "a\x00b"], ["evil", "ab"]),
        (["\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "\u05d3\u05d5\u05d3"], None),
        (["e\u0301", "\N{GRINNING FACE}"], ["\u00e9", "\N{GRINNING FACE}"]),
    ],
)
def test_names_are_tidied_when_a_game_begins(
    bench: Bench, typed: list[str], seated: list[str] | None
) -> None:
    assert bench.do("new_game", game="nasty_7", players=typed, settings={})["ok"]
    assert [seat["name"] for seat in bench.shown["game"]["players"]] == (seated or typed)


@pytest.mark.parametrize("name", ["", "  ", "\n", "\u200b", "\u200d", "\u202e", "x" * 41, "Ida\u200b"])
def test_a_name_that_nobody_could_read_or_tell_apart_is_refused(bench: Bench, name: object) -> None:
    reply = bench.do("new_game", game="nasty_7", players=["Ida", name], settings={})
    assert reply["code"] == "bad_players"
    assert bench.shown["game"] is None


def test_a_name_may_have_forty_characters(bench: Bench) -> None:
    assert bench.do("new_game", game="nasty_7", players=["x" * 40, "Jo"], settings={})["ok"]
    reply = bench.do("new_game", game="nasty_7", players=["x" * 41, "Jo"], settings={})
    assert "40" in reply["text"]
