"""The log tells the story of each entry, without a language until a reader asks."""

from typing import Any

import pytest

from companion.announce.render import TableRenderer
from companion.api.snapshot import LogEntry
from companion.games.digest import sample
from companion.table.entry_sentences import EntrySentences
from companion.table.record import opened, parse
from companion.table.running_game import RunningGame
from companion.table.snapshot import log
from companion.table.story import phrases, sentences_of, story

Bench = Any


def written(bench: Bench, language: str = "en") -> list[LogEntry]:
    return list(TableRenderer(phrases).snapshot(bench.table.snapshot(), language).log)


def merry(bench: Bench) -> None:
    bench.begin("seven_merry_monsters", "Ida", "Jo", "Kai")
    for player, number in (("Ida", 4), ("Jo", 2), ("Kai", 6)):
        card = {"monster": "green", "number": number}
        assert bench.event("card_played", player=player, card=card)["ok"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Kai takes trick 1 with the highest number, 6, and leads the next one."),
        ("de", "Kai nimmt Stich 1 mit der höchsten Zahl, 6, und eröffnet den nächsten."),
    ],
)
def test_an_entry_says_what_it_meant_and_on_which_rules_it_rests(
    bench: Bench, language: str, told: str
) -> None:
    merry(bench)
    latest = written(bench, language)[-1]
    assert told in latest.text.split("\n")
    assert latest.rules == ("SMM-8", "SMM-13", "SMM-16", "SMM-17")
    assert not latest.sentences


def test_the_log_says_what_replay_explains(bench: Bench) -> None:
    merry(bench)
    game: Any = bench.table._referee.game
    lines = [line.text for line in story(game.record, "en")]
    assert [line for entry in written(bench) for line in entry.text.split("\n")] == lines


def test_what_a_verdict_says_is_not_said_twice(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(2.0).event("heard", words=["six"])
    entry = written(bench)[-1]
    assert [one.verdict for one in entry.verdicts] == ["wrong_number"]
    assert entry.text.split("\n")[0] == "Ida calls: six."
    assert "should have called" not in entry.text


def test_a_refused_entry_says_what_was_tried(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.event("card_played", player="Jo", card="racketeer")
    entry = written(bench)[-1]
    assert (entry.text, entry.rejected, entry.rules) == ("Jo played racketeer.", "not_your_turn", ())


def test_an_entry_that_was_taken_back_keeps_its_sentences(bench: Bench) -> None:
    merry(bench)
    before = written(bench)
    assert bench.do("undo")["ok"]
    after = written(bench)
    assert after[2].undone
    assert [entry.text for entry in after[:3]] == [entry.text for entry in before]
    assert after[3].text == "The last move was taken back."


def test_a_correction_changes_the_sentences_of_later_entries(bench: Bench) -> None:
    merry(bench)
    higher = {"event": "card_played", "player": "Ida", "card": {"monster": "green", "number": 8}}
    assert bench.do("amend", n=1, event=higher)["ok"]
    told = written(bench)
    assert told[0].text == "Ida leads trick 1 with green 8."
    assert "Ida takes trick 1 with the highest number, 8" in told[2].text
    game: Any = bench.table._referee.game
    assert dict(sentences_of(game.record)) == {n: game.sentences.of(n) for n in (1, 2, 3)}


def test_a_game_that_is_resumed_tells_the_same_story(bench: Bench) -> None:
    merry(bench)
    bench.do("undo")
    before = written(bench)
    bench.restart()
    assert [(one.text, one.rules) for one in written(bench)] == [(one.text, one.rules) for one in before]


def test_sentences_are_made_once_an_entry(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    merry(bench)
    game: Any = bench.table._referee.game
    assert isinstance(game, RunningGame)

    def told_again(*_: Any) -> None:
        raise AssertionError("the story of an entry was made again")

    monkeypatch.setattr(type(game.book), "explained", told_again)
    assert log(game)[-1].sentences


def test_the_score_sheet_shows_how_points_came_about(bench: Bench) -> None:
    bench.begin("seven_merry_monsters", "Ida", "Jo", "Kai", tracking="scan")
    for player, third in (("Ida", "green"), ("Jo", "pink"), ("Kai", "yellow")):
        display = {m: {"cards": n, "jokers": 0} for m, n in (("red", 1), ("blue", 2), (third, 7))}
        reply = bench.event("display_scanned", player=player, display=display)
        assert reply["ok"], reply
    renderer = TableRenderer(phrases)
    (sums,) = renderer.snapshot(bench.table.snapshot(), "en").sums
    assert sums.lines == tuple(f"{player}: 10 + 6 + 7 = 23." for player in ("Ida", "Jo", "Kai"))
    bench.do("undo")
    assert renderer.snapshot(bench.table.snapshot(), "en").sums == ()


def test_counted_tiles_show_their_sum() -> None:
    lines = sample("bugs_and_co")
    record = opened(parse(lines[0]))
    sentences = EntrySentences()
    for line in lines[1:]:
        before = record.state
        sentences.note(record, record.push(line), before)
    written = phrases("en")
    told = [one for _, found in sentences.sums(record) for one in found]
    assert [written.sentence("bugs_and_co", one.code, one.params) for one in told] == [
        "Ida: 1 whole sets, 1 stray tiles and trophy 0 make 1 × 3 − 1 + 0 = 2.",
        "Jo: 0 whole sets, 2 stray tiles and trophy 3 make 0 × 3 − 2 + 3 = 1.",
    ]
