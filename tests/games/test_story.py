"""The story: every accepted event has its sentence, in every language, with rules that exist."""

import json
import string
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import companion.games
from bench.rules.play import header_of, whole_game
from companion.commands.cli import group
from companion.games import game_names, rulebook
from companion.games.digest import digest
from companion.locale import make
from companion.table.record import Record, opened
from companion.table.story import sentences_of, story, templates

FOLDER = Path(companion.games.__file__).parent
LANGUAGES = ("en", *make.languages())
FINISHED = ("en", *make.finished())
GAMES = 12
"""Random games of each kind."""


def files(game: str) -> dict[str, dict[str, str]]:
    """Language -> code -> sentence, of one game or the common ones."""
    folder = FOLDER / "common_story" if game == "common" else FOLDER / game / "story"
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.toml")}


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("game", [*game_names(), "common"])
def test_every_language_has_the_same_sentences_with_the_same_blanks(game: str) -> None:
    """A language that is not finished may lack sentences, but has no others; a game may have none at all."""
    found = files(game)
    assert not found or set(FINISHED) <= set(found) <= set(LANGUAGES)
    for language in found:
        assert set(found[language]) <= set(found["en"]), language
        assert language not in FINISHED or set(found[language]) == set(found["en"]), language
        for code, text in found[language].items():
            assert blanks(text) == blanks(found["en"][code]), (language, code)


@pytest.mark.parametrize("game", game_names())
def test_every_event_of_random_games_has_a_sentence_that_can_be_filled(game: str) -> None:
    book, random, rules = rulebook(game), Random(f"story {game}"), digest(game).rules
    for _ in range(GAMES):
        record = whole_game(header_of(book, random), random, longest=250)
        told = sentences_of(record)
        accepted = {entry.n for entry in record.entries if entry.code is None}
        assert accepted <= {n for n, _ in told}
        for n, sentences in told:
            assert sentences, record.entries[n - 1]
            for sentence in sentences:
                template = templates(game, "en")[sentence.code]
                assert blanks(template) <= sentence.params.keys(), sentence
                assert set(sentence.rules) <= set(rules), sentence
        for language in LANGUAGES:
            assert all(line.text and "{" not in line.text for line in story(record, language))


def merry(*events: dict[str, Any]) -> list[str]:
    record: Record[Any] = opened(
        {"game": "seven_merry_monsters", "players": ["Ida", "Jo", "Kai"], "settings": {}}
    )
    for event in events:
        assert record.push(event).code is None
    return [line.text for line in story(record, "en")]


def plays(player: str, monster: str, number: int | None = None) -> dict[str, Any]:
    card = {"monster": monster} if number is None else {"monster": monster, "number": number}
    return {"event": "card_played", "player": player, "card": card}


def test_a_trick_is_told_with_who_takes_it_and_why() -> None:
    lines = merry(plays("Ida", "green", 4), plays("Jo", "joker"), plays("Kai", "red", 6))
    assert lines == [
        "Ida leads trick 1 with green 4.",
        "Jo plays joker.",
        "Kai plays red 6.",
        "Kai takes trick 1 with the highest number, 6, and leads the next one.",
        "Into Kai's columns: green 4 and red 6.",
        "Kai puts the joker into a column of choice.",
    ]


def test_a_tie_and_who_had_no_turn() -> None:
    given = {"event": "trick_awarded", "player": "Jo", "to": "Ida"}
    lines = merry(plays("Ida", "green", 4), plays("Jo", "red", 4), given)
    assert lines[2:] == [
        "That equals Ida's 4, the highest so far: the trick stops, and Jo gives it to one of the two.",
        "Jo gives trick 1 to Ida, who leads the next one.",
        "Into Ida's columns: green 4 and red 4.",
        "A card of the hand goes into the display of whoever had no turn in this trick: Kai.",
    ]


def test_a_display_is_told_as_a_sum() -> None:
    record = opened(
        {
            "game": "seven_merry_monsters",
            "players": ["Ida", "Jo", "Kai"],
            "settings": {"tracking": "scan"},
        }
    )
    display = {m: {"cards": n, "jokers": 0} for m, n in (("red", 1), ("blue", 2), ("green", 3), ("pink", 4))}
    record.push({"event": "display_scanned", "player": "Ida", "display": display})
    assert [line.text for line in story(record, "en")] == ["Ida's display was read: 10 + 6 + 3 + 4 = 23."]
    german = [line.text for line in story(record, "de")]
    assert german == ["Die Auslage von Ida wurde gelesen: 10 + 6 + 3 + 4 = 23."]


def test_dice_become_points() -> None:
    record = opened({"game": "thirteen_monsters", "players": ["Ida", "Jo"], "settings": {}})
    sets = [{"monster": n, "part": part} for n, part in ((3, "top"), (6, "eyes"), (6, "bottom"))]
    nine = {"monster": 9, "part": "top"}
    for event in (
        {"event": "sets_dealt", "player": "Ida", "sets": sets},
        {"event": "sets_dealt", "player": "Jo", "sets": [nine]},
        {"event": "attack_declared", "player": "Ida", "parts": [3, 6, 6], "set": nine},
        {"event": "dice_thrown", "player": "Ida", "dice": [4, 4, 1, 2, 6]},
    ):
        assert record.push(event).code is None
    assert story(record, "en")[-1].text == "Ida throws 6 4 4 2 1: 2 × 4 = 8."


def test_what_was_taken_back_is_not_told() -> None:
    assert merry(plays("Ida", "green", 4), {"event": "undone"}) == []


def test_what_ran_out_before_a_refused_event_is_told() -> None:
    record = opened({"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {"deck_size": 8}})
    record.push({"event": "card_played", "player": "Ida", "card": "racketeer", "t": 1.0})
    assert record.push({"event": "card_played", "player": "Jo", "card": "phone", "t": 9.0}).code is not None
    lines = [(line.n, line.code) for line in story(record, "en")]
    assert lines[1:] == [(2, "time_passed"), (2, "too_late"), (2, "takes_cards_one"), (2, "new_round")]


def test_the_command_prints_the_story(tmp_path: Path) -> None:
    script = tmp_path / "game.jsonl"
    header = {"game": "seven_merry_monsters", "players": ["Ida", "Jo", "Kai"], "settings": {}}
    script.write_text("\n".join(map(json.dumps, (header, plays("Ida", "green", 4)))), encoding="utf-8")
    text = CliRunner().invoke(group, ["replay", str(script), "--story"]).output
    assert text == "Ida leads trick 1 with green 4.\nIda 0, Jo 0, Kai 0\n"
    french = CliRunner().invoke(group, ["replay", str(script), "--story", "--language", "fr"]).output
    assert french.startswith("Ida ouvre le pli 1 avec vert 4.")
    both = json.loads(CliRunner().invoke(group, ["replay", str(script), "--story", "--json"]).stdout)
    assert both["story"] == [
        {"n": 1, "code": "led", "text": "Ida leads trick 1 with green 4.", "rules": ["SMM-8"]}
    ]
    explained = CliRunner().invoke(group, ["replay", str(script), "--explain"]).output
    assert "     1  Ida leads trick 1 with green 4. [SMM-8]" in explained
