"""The whole log for phones: earlier entries than a snapshot holds, and what could have happened instead."""

from typing import Any

from companion.table.log_reading import earlier_entries, offers_at
from companion.table.snapshot import LOG

Bench = Any


def test_entries_before_those_of_the_snapshot_are_read(bench: Bench) -> None:
    assert earlier_entries(bench.table.referee, 10) == ()
    bench.begin("nasty_7", "Ida", "Jo", deck_size=110)
    for _ in range(LOG + 20):
        bench.event("card_played", player="Nobody", card="gun")
    first = bench.log[0]["n"]
    assert (len(bench.log), first) == (LOG, 21)
    earlier = earlier_entries(bench.table.referee, first)
    assert [entry.n for entry in earlier] == list(range(1, first))
    assert {(entry.round, entry.trick) for entry in earlier} == {(1, None)}
    assert earlier_entries(bench.table.referee, 1) == ()
    assert earlier_entries(bench.table.referee, -5) == ()


def test_entries_know_their_round_and_trick_after_a_restart(bench: Bench) -> None:
    bench.begin("seven_merry_monsters", "Ida", "Jo", "Kai")
    bench.event("card_played", player="Ida", card={"monster": "red", "number": 5})
    bench.restart()
    assert [(entry["round"], entry["trick"]) for entry in bench.log] == [(1, 1)]


def test_what_could_have_happened_instead_of_an_entry_is_offered(bench: Bench) -> None:
    bench.begin("seven_merry_monsters", "Ida", "Jo", "Kai")
    for player, number in (("Ida", 5), ("Jo", 4), ("Kai", 6)):
        bench.event("card_played", player=player, card={"monster": "red", "number": number})
    (offer,) = [one for one in offers_at(bench.table.referee, 2) if one.event == "card_played"]
    assert offer.fields["player"].values == ("Jo",)
    now = {offer["event"] for offer in bench.shown["offers"]}
    assert {one.event for one in offers_at(bench.table.referee, 99)} == now
