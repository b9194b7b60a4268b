"""Scripts of whole evenings are legal and follow from their seed; one short evening is played through."""

from __future__ import annotations

import numpy as np
import pytest

from bench.evenings import bugs, habits
from bench.evenings.__main__ import main
from bench.evenings.catalogue import KINDS
from bench.evenings.counts import Cause, Evening, commonest
from bench.evenings.evening import evening
from bench.evenings.keys import differences, items, key_of
from bench.evenings.report import estimates, table
from bench.evenings.script import Json, Script
from companion.art.scene import Placed
from companion.art.scene.moves import LayMove
from companion.table.record import opened

GAMES = sorted(KINDS)


def replayed(script: Script) -> Json:
    record = opened(script.header())
    for one in script.events():
        assert record.push(one.event).code is None, one
    return record.result()


@pytest.mark.parametrize("game", GAMES)
def test_a_script_is_a_legal_game_with_a_winner(game: str) -> None:
    for seed in range(1, 9):
        result = replayed(KINDS[game].script(seed))
        assert result["winner"]
        assert result["rejected"] == []


def test_a_player_without_cards_draws_what_was_caught_meanwhile() -> None:
    assert replayed(KINDS["trio_monsters"].script(29030))["rejected"] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_script_follows_from_its_seed(game: str) -> None:
    assert KINDS[game].script(3) == KINDS[game].script(3)
    assert KINDS[game].script(3) != KINDS[game].script(4)


@pytest.mark.parametrize("game", GAMES)
def test_true_events_come_in_order_within_their_beat(game: str) -> None:
    for seed in range(1, 6):
        for beat in KINDS[game].script(seed).beats:
            times = [one.at for one in beat.truth]
            assert times == sorted(times)
            assert all(0 <= at <= beat.seconds + 0.01 for at in times)


def test_players_of_the_nasty_7_make_mistakes() -> None:
    verdicts = {
        verdict["verdict"]
        for seed in range(40)
        for verdict in replayed(KINDS["nasty_7"].script(seed))["verdicts"]
    }
    assert {"correct", "wrong_number", "too_late", "false_accusation"} <= verdicts


def test_every_card_of_a_round_is_laid_once() -> None:
    script = KINDS["seven_merry_monsters"].script(2)
    result = replayed(script)
    cards = [
        column["cards"] for display in result["state"]["display"].values() for column in display.values()
    ]
    assert sum(cards) + sum(result["state"]["aside"].values()) == 30


def test_a_card_laid_crooked_is_turned_further() -> None:
    rng = np.random.default_rng(1)
    sloppy = habits.drawn(rng)
    turns: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(200):
        laid = habits.lay(rng, sloppy, Placed("gun", 0, 0), 1.0, 90.0)
        assert isinstance(laid.move, LayMove)
        turns[laid.moment == "laid crooked"].append(abs(laid.move.card.degrees))
    assert np.mean(turns[True]) > 2 * np.mean(turns[False])


# --- comparing --------------------------------------------------------------------------------------------


def test_events_are_compared_without_their_times() -> None:
    one = {"event": "card_placed", "player": "Ida", "card": {"monster": "red", "number": 4}, "t": 3.0}
    assert key_of(one) == key_of({**one, "t": 9.0, "column": "red"})
    assert key_of(one) != key_of({**one, "player": "Jo"})


def test_dice_that_stay_and_dice_that_fall_alike_are_the_same_throw() -> None:
    stayed = {"event": "dice_thrown", "player": "Ida", "dice": [1, 2, 6], "kept": [4, 4]}
    fell = {"event": "dice_thrown", "player": "Ida", "dice": [4, 1, 2, 6, 4]}
    assert key_of(stayed) == key_of(fell)
    assert key_of(stayed) != key_of({**fell, "dice": [4, 1, 2, 6, 5]})


def test_the_words_of_a_call_are_one_item() -> None:
    card = {"event": "card_played", "player": "Ida", "card": "twin_racketeer"}
    split = [card, {"event": "heard", "words": ["one"]}, {"event": "heard", "words": ["two"]}]
    whole = [card, {"event": "heard", "words": ["one", "two"]}, {"event": "time_passed", "t": 4.0}]
    found = items(list(enumerate(split)))
    assert [one.key for one in found] == [one.key for one in items(list(enumerate(whole)))]
    assert found[1].numbers == (1, 2)


def test_differences_name_what_is_missed_invented_and_misread() -> None:
    def cards(*names: str) -> list[tuple[int, Json]]:
        return [(i, {"event": "card_played", "player": "Ida", "card": name}) for i, name in enumerate(names)]

    missed = differences(items(cards("gun", "phone")), items(cards("phone")))
    assert [(one.kind, one.at) for one in missed] == [("missed", 0)]
    invented = differences(items(cards("gun")), items(cards("gun", "phone")))
    assert [(one.kind, one.at) for one in invented] == [("invented", 1)]
    misread = differences(items(cards("gun")), items(cards("phone")))
    assert [one.kind for one in misread] == ["misread"]


# --- counting ---------------------------------------------------------------------------------------------


def test_the_commonest_causes_come_first_with_an_example() -> None:
    often = [Cause("camera", "card_played missed", "laid crooked", t) for t in (9.0, 12.0)]
    evenings = [
        Evening("nasty_7", 4, causes=[Cause("microphone", "heard missed", "call", 3.0), *often], equal=True),
        Evening("nasty_7", 5, events=4, found=3, looks=2, wrong_scores=1, delays=[0.5]),
    ]
    assert commonest(evenings, 1) == [
        ("camera: card_played missed (laid crooked)", 2, "nasty_7, seed 4, 9 s")
    ]
    assert "50% of 2" in table(evenings)
    assert estimates(evenings)["evenings/nasty-equal"].value == 0.5


# --- an evening -------------------------------------------------------------------------------------------


def test_an_evening_of_presses_and_photographs_ends_as_its_script() -> None:
    script = next(one for one in map(bugs.script, range(20)) if one.settings["countdown"] == "companion")
    counts = evening(script)
    assert counts.equal, counts.note
    assert counts.found == counts.events > 2
    assert counts.needed_taps == 2 * len(script.players)
    assert counts.delays
    assert max(counts.delays) < 2.0
    assert evening(script).causes == counts.causes


def test_without_a_voice_no_evening_begins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.argv", ["bench.evenings", "--games", "1"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "apt install espeak-ng" in capsys.readouterr().err
