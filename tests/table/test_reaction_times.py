"""How fast right calls came: from the card to the call that the microphone heard."""

from typing import Any

from companion.store.rows import GameRow, Line
from companion.table.reaction_times import reaction_times
from companion.table.record import opened

ROW = GameRow(1, "key", 1, "nasty_7", ["Ida", "Jo", "Kai"], {}, "2026-11-21T19:00:00.000+00:00")


def times(*events: tuple[dict[str, Any], str]) -> dict[str, tuple[float, ...]]:
    record = opened(ROW.header())
    lines = [
        Line(n, n, 0.0, "", source, event, record.push(event).code)
        for n, (event, source) in enumerate(events, 1)
    ]
    return reaction_times(ROW, lines)


def card(player: str, name: str, t: float) -> tuple[dict[str, Any], str]:
    return {"event": "card_played", "player": player, "card": name, "t": t}, "camera"


def heard(start: float, *words: str, source: str = "microphone") -> tuple[dict[str, Any], str]:
    return {"event": "heard", "words": list(words), "start": start, "end": start + 0.3}, source


def test_the_time_runs_from_the_card_to_the_beginning_of_the_call() -> None:
    assert times(
        card("Ida", "racketeer", 1.0),
        heard(1.85, "one"),
        card("Jo", "phone", 3.0),
        heard(4.1, "hmmrrr"),
        card("Kai", "racketeer", 6.0),
        heard(6.5, "three"),
    ) == {"Ida": (0.85,), "Jo": (1.1,), "Kai": (0.5,)}


def test_a_wrong_call_does_not_count() -> None:
    assert times(card("Ida", "racketeer", 1.0), heard(1.5, "six")) == {}


def test_a_call_that_was_tapped_has_no_time() -> None:
    assert times(card("Ida", "racketeer", 1.0), heard(1.5, "one", source="phone")) == {}
