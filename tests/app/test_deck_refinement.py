"""Refining decks in the background: when it begins, what ends it, and what it leaves in the deck."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion import art
from companion.api.enrolment import RefinementProgress
from companion.core.clock import monotonic
from companion.host import deck_refinement
from companion.host.deck_library import SHIPPED
from companion.host.deck_refinement import DeckRefinement
from companion.host.enrolment import DeckEnrolment
from companion.senses.latest_frame import LatestFrame
from companion.vision.deck.archive import pack_deck, unpack_deck
from companion.vision.deck.deck import Deck
from companion.vision.deck.edit import remove
from companion.vision.deck.enrol import enrol_pictures

GAME = "nasty_7"
LEARNED = 0.25
PROGRAM = f"""
import sys, time
from dataclasses import replace
from pathlib import Path
import numpy as np
from companion.vision.deck.deck import Deck
from companion.vision.verifier.network import number_of_weights
deck = Deck.load(Path(sys.argv[1]))
print('{{"step": 7, "steps": 9}}', flush=True)
while Path(GATE).exists():
    time.sleep(0.02)
weights = np.full(number_of_weights(), {LEARNED}, np.float32)
Path(sys.argv[2]).write_bytes(replace(deck, judge=weights).packed())
"""


@cache
def enrolled() -> Deck:
    labels = art.card_labels(GAME)
    return enrol_pictures(GAME, labels, [art.draw_card(GAME, one, 440) for one in labels]).deck


class Room:
    """A folder with an enrolled deck, a game that may be on the table, and a program that refines; it goes on
    while the file `gate` exists."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.gate = folder / "gate"
        self.decks = folder / "decks"
        self.playing = False
        self.refined: list[str] = []
        self.deck = enrolled()
        self.deck.save(self.decks / GAME)

    def refinement(self, program: str = PROGRAM, quiet_s: float = 0.0) -> DeckRefinement:
        command = (sys.executable, "-c", program.replace("GATE", repr(str(self.gate))))
        self._monkeypatch.setattr(deck_refinement, "PROGRAM", command)
        return DeckRefinement(self.decks, lambda: self.playing, self.refined.append, quiet_s=quiet_s)

    @property
    def stored(self) -> Deck:
        return Deck.load(self.decks / GAME)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(tmp_path, monkeypatch)


def await_that(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_deck_that_was_written_is_refined_and_keeps_the_result(room: Room, tmp_path: Path) -> None:
    refinement = room.refinement()
    room.gate.touch()
    assert refinement.progress(GAME) is None
    refinement.changed(GAME)
    await_that(lambda: refinement.progress(GAME) == RefinementProgress(GAME, "running", 7, 9))
    assert refinement.current() == refinement.progress(GAME)
    room.gate.unlink()
    await_that(lambda: room.refined == [GAME])
    assert refinement.progress(GAME) == RefinementProgress(GAME, "refined")
    assert refinement.current() is None
    stored = room.stored
    assert stored.judge is not None
    assert float(stored.judge.max()) == LEARNED
    assert np.array_equal(stored.looks, room.deck.looks)
    shared = tmp_path / "shared.companion-deck"
    shared.write_bytes(pack_deck(stored, GAME))
    assert unpack_deck(shared)[0].judge is not None
    refinement.stop()


def test_it_waits_for_a_game_to_end_and_a_game_that_starts_ends_it(room: Room) -> None:
    refinement = room.refinement()
    room.gate.touch()
    room.playing = True
    refinement.changed(GAME)
    assert refinement.progress(GAME) == RefinementProgress(GAME, "paused")
    room.playing = False
    await_that(lambda: refinement.progress(GAME) == RefinementProgress(GAME, "running", 7, 9))
    room.playing = True
    await_that(lambda: refinement.progress(GAME) == RefinementProgress(GAME, "paused"))
    assert room.stored.judge is None
    room.playing = False
    room.gate.unlink()
    await_that(lambda: room.refined == [GAME])
    refinement.stop()


def test_a_deck_that_changes_meanwhile_is_refined_again(room: Room) -> None:
    refinement = room.refinement()
    room.gate.touch()
    refinement.changed(GAME)
    await_that(lambda: refinement.progress(GAME) == RefinementProgress(GAME, "running", 7, 9))
    fewer = remove(room.stored, "gun")
    with refinement.writing:
        fewer.save(room.decks / GAME)
    refinement.changed(GAME)
    room.gate.unlink()
    await_that(lambda: room.refined == [GAME])
    assert room.stored.names == fewer.names
    assert room.stored.judge is not None
    refinement.stop()


def test_stopping_ends_the_process_and_the_next_service_goes_on(room: Room) -> None:
    refinement = room.refinement()
    room.gate.touch()
    refinement.changed(GAME)
    await_that(lambda: refinement.progress(GAME) == RefinementProgress(GAME, "running", 7, 9))
    refinement.stop()
    room.gate.unlink()
    assert room.stored.judge is None
    next_one = room.refinement()
    next_one.resume()
    await_that(lambda: room.stored.judge is not None)
    next_one.stop()


def test_a_program_that_fails_is_tried_twice(room: Room) -> None:
    refinement = room.refinement("raise SystemExit(3)")
    refinement.changed(GAME)
    await_that(lambda: refinement.progress(GAME) == RefinementProgress(GAME, "failed"))
    assert room.stored.judge is None
    refinement.stop()


def test_the_enrolment_has_its_deck_refined_and_shows_how_far_it_is(room: Room) -> None:
    refinement = room.refinement(quiet_s=600.0)
    enrolment = DeckEnrolment(room.decks, LatestFrame(monotonic), refinement=refinement)
    assert enrolment.state().refinement is None
    enrolment.open(GAME)
    enrolment.rename("gun", "pistol")
    assert enrolment.state().refinement == RefinementProgress(GAME, "waiting")
    assert enrolment.close().refinement == RefinementProgress(GAME, "waiting")
    refinement.stop()


def test_decks_of_square_tiles_are_not_refined(room: Room) -> None:
    tiles = Deck.load(SHIPPED / "bugs_and_co")
    tiles.save(room.decks / "bugs_and_co")
    refinement = room.refinement()
    refinement.changed("bugs_and_co")
    await_that(lambda: refinement.current() is None)
    assert refinement.progress("bugs_and_co") is None
    assert room.refined == []
    refinement.stop()
