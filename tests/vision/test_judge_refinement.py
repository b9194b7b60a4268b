"""The judge of the verifier that is refined on a deck: its gradient, what it learns, and that it travels."""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from flat_cards import GAME, drawn

from companion import art
from companion.commands import deck_refine
from companion.commands.deck import command as deck_command
from companion.commands.enrol import command as enrol_command
from companion.core.errors import Unreadable, UsageError
from companion.host import deck_refinement
from companion.host.deck_library import SHIPPED
from companion.vision.deck import deck as deck_module
from companion.vision.deck.archive import pack_deck, unpack_deck
from companion.vision.deck.deck import Deck
from companion.vision.deck.edit import merge, rename, select_looks
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Floats
from companion.vision.models import shipped_network
from companion.vision.verifier.network import (
    FEATURES_SHAPE,
    JUDGE,
    compared,
    judge_with,
    number_of_weights,
    shipped_weights,
)
from models.vision.verifier.refine import RefinementStep, is_same, refined_deck
from models.vision.verifier.trainable import Adam, TrainableJudge, maps_of, windows_of


@pytest.fixture(scope="module")
def deck() -> Deck:
    cards = drawn(art.card_labels(GAME)[:6])
    return enrol_pictures(GAME, list(cards), list(cards.values())).deck


@pytest.fixture(scope="module")
def refined(deck: Deck) -> Deck:
    """The deck with a judge of other weights."""
    return dataclasses.replace(deck, judge=shipped_weights() * np.float32(0.5))


@pytest.fixture(scope="module")
def maps() -> Floats:
    """What is compared of three pairs, (n, rows, columns, planes)."""
    some = np.random.default_rng(3).uniform(0, 2, (3, *FEATURES_SHAPE)).astype(np.float32)
    return np.ascontiguousarray(compared(some, some[::-1]).transpose(0, 2, 3, 1))


def test_the_trainable_judge_says_what_the_shipped_one_says(maps: Floats) -> None:
    shipped = shipped_network(JUDGE).forward(np.ascontiguousarray(maps.transpose(0, 3, 1, 2)))[:, 0]
    assert np.allclose(TrainableJudge(shipped_weights()).forward(maps).log_odds, shipped, atol=1e-4)


def test_a_judge_with_the_shipped_weights_is_the_shipped_one_and_with_others_another(maps: Floats) -> None:
    given = np.ascontiguousarray(maps.transpose(0, 3, 1, 2))
    shipped = shipped_network(JUDGE).forward(given)
    assert len(shipped_weights()) == number_of_weights()
    assert np.allclose(judge_with(shipped_weights()).forward(given), shipped)
    assert not np.allclose(judge_with(shipped_weights() * 0.5).forward(given), shipped, atol=0.05)


def test_the_gradient_is_how_the_log_odds_change(maps: Floats) -> None:
    judge, slopes = TrainableJudge(shipped_weights()), np.array([1.0, -2.0, 0.5], np.float32)
    gradient = judge.gradient(judge.forward(maps), slopes)
    steepest = np.argsort(-np.abs(gradient))[:400:20]
    for at in [*steepest, len(gradient) - 1]:
        sums = []
        for step in (2e-3, -4e-3):
            judge.weights[at] += step
            sums.append(float((judge.forward(maps).log_odds * slopes).sum()))
        judge.weights[at] += 2e-3
        assert (sums[0] - sums[1]) / 4e-3 == pytest.approx(gradient[at], rel=0.15)


def test_windows_and_maps_are_each_others_transpose() -> None:
    rng = np.random.default_rng(1)
    maps, windows = rng.normal(size=(2, 4, 3, 5)), rng.normal(size=(2, 4, 3, 45))
    one, other = (np.asarray(values, np.float32) for values in (maps, windows))
    assert (windows_of(one) * other).sum() == pytest.approx(float((one * maps_of(other)).sum()), rel=1e-4)


def test_adam_finds_the_bottom_of_a_bowl() -> None:
    weights = np.array([3.0, -2.0], np.float32)
    adam = Adam(weights)
    for _ in range(400):
        adam.step(2 * (weights - np.array([1.0, 1.0], np.float32)), 0.05)
    assert weights == pytest.approx([1.0, 1.0], abs=0.1)


def test_a_few_steps_report_and_change_the_judge(deck: Deck) -> None:
    reports = list[RefinementStep]()
    better = refined_deck(deck, 8, reports.append)
    assert [(one.step, one.steps) for one in reports] == [(8, 8)]
    assert np.isfinite(reports[0].loss)
    assert better.judge is not None
    assert 0 < np.abs(better.judge - shipped_weights()).max() < 0.1
    assert better.labels == deck.labels


def test_a_refinement_ends_when_its_time_is_over(deck: Deck) -> None:
    times = iter([0.3, 0.6, 1.2])
    better = refined_deck(deck, 50, time_used=lambda: next(times))
    assert next(times, None) is None
    assert better.judge is not None


def test_our_own_deck_enrolled_by_somebody_is_no_other_deck(deck: Deck) -> None:
    shipped = Deck.load(SHIPPED / GAME)
    renamed = dataclasses.replace(deck, labels=tuple(f"my {label}" for label in deck.labels))
    others = dataclasses.replace(deck, labels=(*deck.labels[1:], deck.labels[0]))
    assert is_same(shipped, deck)
    assert not is_same(shipped, renamed)
    assert not is_same(shipped, others)


def test_a_refined_judge_travels_with_its_deck(refined: Deck, tmp_path: Path) -> None:
    shared = tmp_path / "shared.companion-deck"
    shared.write_bytes(pack_deck(refined, GAME))
    again = unpack_deck(shared)[0]
    assert refined.judge is not None
    assert again.judge is not None
    assert np.allclose(again.judge, refined.judge, atol=2e-3)


def test_a_refined_judge_judges(deck: Deck, refined: Deck) -> None:
    seen = deck.enrolled.features([0, 1])
    own = deck.enrolled.log_odds(seen, [0, 0])
    assert own[0] > 0 > own[1]
    assert not np.allclose(own, refined.enrolled_for_soft.log_odds(seen, [0, 0]), atol=0.1)


def test_sharp_pictures_are_judged_by_the_shipped_judge(deck: Deck, refined: Deck) -> None:
    seen = deck.enrolled.features([0, 1])
    assert np.allclose(deck.enrolled.log_odds(seen, [0, 0]), refined.enrolled.log_odds(seen, [0, 0]))
    assert deck.enrolled_for_soft is deck.enrolled


def test_a_judge_for_other_networks_is_left_out(
    refined: Deck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refined.save(tmp_path)
    monkeypatch.setattr(deck_module, "judge_version", lambda: "another")
    again = Deck.load(tmp_path)
    assert again.judge is None
    assert again.verifier_features is not None


def test_a_judge_of_another_size_or_of_no_numbers_is_no_deck(refined: Deck, tmp_path: Path) -> None:
    assert refined.judge is not None
    for odd in (refined.judge[:-1], np.full_like(refined.judge, np.nan)):
        with pytest.raises(Unreadable):
            Deck.load(dataclasses.replace(refined, judge=odd).save(tmp_path))


def test_editing_keeps_a_refined_judge_where_it_still_fits(refined: Deck) -> None:
    assert select_looks(refined, [2, 0]).judge is not None
    assert rename(refined, refined.names[0], "another").judge is not None
    assert merge(refined, select_looks(refined, [1])).judge is None


@pytest.mark.usefixtures("refined_at_once")
def test_the_command_refines_and_says_how_far_it_is(deck: Deck, tmp_path: Path) -> None:
    deck.save(tmp_path / "mine")
    done = CliRunner().invoke(deck_command, ["refine", str(tmp_path / "mine"), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {
        "deck": GAME, "file": str(tmp_path / "mine" / "deck.npz"), "cards": 6,
    }  # fmt: skip
    assert done.stderr == f"refining {GAME}: 4 of 8 steps\n"
    assert Deck.load(tmp_path / "mine").judge is not None


@pytest.mark.usefixtures("refined_at_once")
def test_enrolling_refines_unless_it_is_told_not_to(tmp_path: Path) -> None:
    import cv2

    for label, picture in drawn(art.card_labels(GAME)[:3]).items():
        cv2.imwrite(str(tmp_path / f"{label}.png"), picture)
    for more, expected in (([], True), (["--no-refine"], False)):
        given = [str(tmp_path / "deck"), "--from", str(tmp_path), "--json", *more]
        done = CliRunner().invoke(enrol_command, given)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["refined"] is expected
        assert (Deck.load(tmp_path / "deck").judge is not None) is expected


def test_a_refinement_that_fails_leaves_the_deck(
    deck: Deck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck_refinement, "PROGRAM", (sys.executable, "-c", "raise SystemExit(3)"))
    deck.save(tmp_path)
    before = (tmp_path / "deck.npz").read_bytes()
    done = CliRunner().invoke(deck_command, ["refine", str(tmp_path)])
    assert isinstance(done.exception, UsageError)
    assert done.exception.message.code == "deck.refinement_failed"
    assert (tmp_path / "deck.npz").read_bytes() == before
    assert deck_refine.refined(deck) is None


@pytest.mark.parametrize("broken", ["program", "room"])
def test_an_enrolment_whose_refinement_fails_has_learned_the_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    import cv2

    for label, picture in drawn(art.card_labels(GAME)[:3]).items():
        cv2.imwrite(str(tmp_path / f"{label}.png"), picture)
    if broken == "program":
        monkeypatch.setattr(deck_refinement, "PROGRAM", (sys.executable, "-c", "raise SystemExit(3)"))
    else:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nothing"))
    done = CliRunner().invoke(enrol_command, [str(tmp_path / "deck"), "--from", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["refined"] is False
    assert "note: deck could not be refined" in done.stderr
    assert len(Deck.load(tmp_path / "deck").names) == 3


def test_decks_of_tiles_are_not_refined() -> None:
    done = CliRunner().invoke(deck_command, ["refine", str(SHIPPED / "bugs_and_co")])
    assert isinstance(done.exception, UsageError)
    assert done.exception.message.code == "deck.not_refined"
