"""At the table: what is found late is written down and not announced; nothing is announced twice."""

from typing import Any

from companion.core.observations import HeardWord, LatticeCard, LatticeSeen, Press, Utterance
from companion.games.trio_monsters.lattice import corners

Bench = Any


def lattice(now: float, **cards: str) -> LatticeSeen:
    """The table with these cards: `green="0 0"`."""
    seen = []
    for card, places in cards.items():
        for place in places.split(","):
            row, column = map(int, place.split())
            a, b, c = (((300.0 + 50 * x), (300.0 + 86.6 * y)) for x, y in corners((row, column)))
            seen.append(LatticeCard((row, column), card, 0.95, (a, b, c)))
    view = (100.0, 0.0, 300.0, 0.0, 100.0, 300.0, 0.0, 0.0, 1.0)
    return LatticeSeen(now, "table", tuple(seen), (), view)


def test_a_finding_that_ears_report_much_too_late_is_in_the_log_and_not_announced(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.up("camera")
    bench.at(1.0).lands("racketeer", "pile")
    said = HeardWord("two", bench.now + 0.5, bench.now + 0.9, 0.99)
    utterance = Utterance((said,), said.start, said.end, 0.99)
    bench.at(2.0).put(utterance)
    bench.passed()
    assert bench.given[-1] == "Ida said two. It was one."
    bench.restart(pause=1.0)
    bench.senses.clear()
    bench.at(10.0).lands("racketeer", "pile")
    late = Utterance(
        (HeardWord("three", bench.now + 0.5, bench.now + 0.9, 0.99),), bench.now + 0.5, bench.now + 0.9, 0.99
    )
    bench.table._referee.game.clock.pause(bench.now + 1.0, "question")
    bench.now += 20.0
    before = list(bench.given)
    bench.put(late)
    bench.now += 3.0
    bench.step()
    assert bench.verdicts[-1] == "wrong_number"
    assert bench.given == before


def test_a_resumed_game_announces_no_finding_again(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.at(1.0).event("card_played", player="Ida", card="racketeer")
    bench.at(1.5).event("heard", words=["two"])
    assert bench.given[-1] == "Ida said two. It was one."
    bench.given.clear()
    bench.restart()
    bench.step()
    assert bench.shown["announcement"]["code"] == "game_resumed"
    bench.event("card_played", player="Ida", card="racketeer")
    assert bench.given == []


def test_a_question_that_was_answered_at_once_is_not_announced(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo")
    bench.up("camera")
    bench.at(1.0).lands(None, "pile")
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="gun")
    assert bench.given.count("I am not sure: which card did Ida play?") == 1


def test_a_lasting_difference_is_announced_once_also_after_an_undo(bench: Bench) -> None:
    bench.begin("trio_monsters", "Ida", "Jo")
    bench.up("camera")
    bench.at(1.0).put(lattice(bench.now, green="0 0"))
    bench.passed()
    bench.at(2.0).put(lattice(bench.now, green="0 0,1 0"))
    bench.passed()
    bench.at(3.0).put(lattice(bench.now, green="0 0,1 0", red="1 1"))
    bench.passed()
    assert [entry["event"]["event"] for entry in bench.log] == ["card_revealed", "card_played", "card_played"]
    different = lattice(bench.now, green="0 0,1 0", blue="1 1")
    bench.at(4.0).put(different)
    bench.passed()
    sentence = "In row 1, place 1 I see blue, not red. Which card is it?"
    assert bench.given.count(sentence) == 1
    bench.at(5.0).event("turn_ended", player="Ida")
    bench.do("undo")
    bench.at(9.0).put(lattice(bench.now, green="0 0,1 0", blue="1 1"))
    bench.passed()
    assert bench.given.count(sentence) == 1


def test_moves_beside_an_open_question_do_not_turn_the_time_back(bench: Bench) -> None:
    bench.begin("trio_monsters", "Ida", "Jo")
    bench.up("camera")
    bench.at(1.0).put(lattice(bench.now, green="0 0"))
    bench.passed()
    bench.at(5.0).put(lattice(bench.now, green="0 0,1 0"))
    bench.passed()
    seen = lattice(bench.now + 1.0, green="0 0,1 0")
    doubtful = LatticeCard((0, 1), "red", 0.4, seen.cards[0].corners)
    bench.at(6.0).put(LatticeSeen(bench.now, "table", seen.cards, (doubtful,), seen.view))
    bench.passed()
    assert [one["code"] for one in bench.shown["questions"]] == ["unsure_card_at"]
    bench.at(20.0).put(Press(bench.now, "seat 1"))
    bench.passed()
    bench.at(24.0).put(lattice(bench.now, green="0 0,1 0,1 -1"))
    bench.passed()
    assert [entry["rejected"] for entry in bench.shown["log"]] == [None] * 4
    times = [entry["event"]["t"] for entry in bench.shown["log"] if "t" in entry["event"]]
    assert times == sorted(times)


def doubtful(now: float) -> LatticeSeen:
    """Two cards, and something at a third place that may be a card."""
    seen = lattice(now, green="0 0,1 0")
    spot = lattice(now, red="0 1").cards[0]
    return LatticeSeen(now, "table", seen.cards, (LatticeCard(spot.at, "red", 0.4, spot.corners),), seen.view)


def test_a_doubt_about_a_place_that_was_answered_is_not_asked_again(bench: Bench) -> None:
    bench.begin("trio_monsters", "Ida", "Jo")
    bench.up("camera")
    bench.at(1.0).put(lattice(bench.now, green="0 0"))
    bench.passed()
    for second in (5.0, 7.0):
        bench.at(second).put(doubtful(bench.now))
        bench.passed()
        (asked,) = bench.questions
        assert asked["code"] == "unsure_card_at", "the table played on: it is asked again"
    bench.do("answer", question=bench.questions[0]["id"], option="none")
    bench.at(9.0).put(doubtful(bench.now))
    bench.passed()
    assert bench.questions == []
    assert bench.shown["paused"] is None
