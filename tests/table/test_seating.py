"""The game that a tournament has planned: offered between two games, begun with its id, declined."""

from pathlib import Path
from typing import Any

import pytest

from companion.api.commands import (
    Accepted,
    BeginSeated,
    Caller,
    DeclineSeated,
    EndGame,
    NewGame,
    Refusal,
    Reply,
)
from companion.api.snapshot import SeatingOffer
from companion.core.clock import monotonic
from companion.games import game_names, rulebook
from companion.store.journal import Journal, read_journal
from companion.table import seating
from companion.table.table import Table

REFEREE = Caller("referee")
PLANNED = SeatingOffer("s1", "Spring cup", 2, "nasty_7", "", ("Ida", "Jo", "Kai"))


class SeatedTable:
    def __init__(self, folder: Path) -> None:
        self.journal = folder / "journal.sqlite"
        self.table = Table(lambda: Journal(self.journal), monotonic)
        self.table.start()

    def offer(self, planned: SeatingOffer | None) -> bool:
        return self.table.call(lambda referee: seating.offer(referee, planned))

    def shown(self) -> SeatingOffer | None:
        self.table.call(lambda referee: None)  # the step before has published
        return self.table.snapshot().seating

    def command(self, request: Any, role: Any = "referee") -> Reply:
        return self.table.command(request, Caller(role))


@pytest.fixture
def seated(tmp_path: Path) -> Any:
    one = SeatedTable(tmp_path)
    yield one
    one.table.stop()


def code(reply: Reply) -> str:
    assert isinstance(reply, Refusal)
    return reply.code


def test_one_tap_begins_the_planned_game_under_its_id(seated: SeatedTable) -> None:
    assert seated.offer(PLANNED)
    shown = seated.shown()
    assert shown is not None
    assert (shown.title, shown.players) == ("The Nasty 7", ("Ida", "Jo", "Kai"))
    assert isinstance(seated.command(BeginSeated("s1")), Accepted)
    assert [one.name for one in seated.table.snapshot().game.players] == ["Ida", "Jo", "Kai"]  # type: ignore[union-attr]
    assert seated.shown() is None
    with read_journal(seated.journal) as journal:
        assert [game.key for game in journal.games()] == ["s1"]
    seated.command(EndGame())
    assert not seated.offer(PLANNED), "it has been played"
    assert seated.shown() is None
    assert code(seated.command(BeginSeated("s1"))) == "no_seating"


def test_a_guest_neither_begins_nor_declines(seated: SeatedTable) -> None:
    seated.offer(PLANNED)
    assert code(seated.command(BeginSeated("s1"), "guest")) == "referee_only"
    assert code(seated.command(DeclineSeated("s1"), "guest")) == "referee_only"


def test_a_declined_game_stays_declined_when_it_is_sent_again(seated: SeatedTable) -> None:
    seated.offer(PLANNED)
    assert isinstance(seated.command(DeclineSeated("s1")), Accepted)
    assert seated.offer(PLANNED)
    assert seated.shown().declined  # type: ignore[union-attr]
    assert isinstance(seated.command(BeginSeated("s1")), Accepted), "the players changed their minds"


def test_another_seating_replaces_it_and_nothing_withdraws_it(seated: SeatedTable) -> None:
    seated.offer(PLANNED)
    seated.command(DeclineSeated("s1"))
    seated.offer(SeatingOffer("s2", "Spring cup", 3, "trio_monsters", "", ("Jo", "Kai")))
    assert seated.shown() == SeatingOffer(
        "s2", "Spring cup", 3, "trio_monsters", "Trio Monsters", ("Jo", "Kai")
    )
    assert code(seated.command(BeginSeated("s1"))) == "no_seating"
    seated.offer(None)
    assert seated.shown() is None


def test_an_undecided_game_is_not_replaced(seated: SeatedTable) -> None:
    seated.command(NewGame("nasty_7", ("Lou", "Mo")))
    seated.offer(PLANNED)
    assert seated.shown() is None
    assert code(seated.command(BeginSeated("s1"))) == "game_is_on"
    seated.command(EndGame())
    assert seated.shown() is not None


@pytest.mark.parametrize(
    "planned",
    [
        SeatingOffer("s1", "x", 1, "chess", "", ("Ida", "Jo")),
        SeatingOffer("s1", "x", 1, "nasty_7", "", ("Ida",)),
        SeatingOffer("s1", "x", 1, "nasty_7", "", ("Ida", "Ida")),
        SeatingOffer("s1", "x", 1, "nasty_7", "", ("Ida", "x" * 41)),
        SeatingOffer("s1", "x", 1, "nasty_7", "", ("Ida", "Jo\u202e")),
        SeatingOffer("s1", "x", 1, "nasty_7", "", tuple(f"P{n}" for n in range(20))),
    ],
)
def test_an_impossible_game_is_not_offered(seated: SeatedTable, planned: SeatingOffer) -> None:
    assert not seated.offer(planned)
    assert seated.shown() is None


@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_planned(seated: SeatedTable, name: str) -> None:
    players = ("Ida", "Jo", "Kai")
    rulebook(name).header(list(players), {})
    assert seated.offer(SeatingOffer("s1", "x", 1, name, "", players))
    assert isinstance(seated.command(BeginSeated("s1")), Accepted)
