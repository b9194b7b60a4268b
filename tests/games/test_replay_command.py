"""`companion replay`: what it prints, how it ends, and that it starts light."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rulescripts import ROOT, counted, falls, passes, played, trick

from companion.commands.replay import command

Json = dict[str, Any]
HEADER = {"game": "seven_merry_monsters", "players": ["Ida", "Jo", "Kai"], "settings": {}}
NASTY = {"game": "nasty_7", "players": ["Abby", "Beth", "Carter", "Debbie"], "settings": {}}
EXAMPLE = """\
{"game":"seven_merry_monsters","players":["Ida","Jo","Kai"],"settings":{"target":100}}
{"event":"card_played","player":"Ida","card":{"monster":"green","number":4}}
{"event":"card_played","player":"Jo","card":{"monster":"joker"}}
{"event":"card_played","player":"Kai","card":{"monster":"red","number":6}}
{"event":"card_placed","player":"Kai","card":{"monster":"joker"},"column":"red"}
{"event":"card_played","player":"Ida","card":{"monster":"pink","number":2}}
"""


def replay(path: Path, *options: str) -> Result:
    return CliRunner().invoke(command, [str(path), *options])


def script(folder: Path, *lines: Json | str, end: str = "\n") -> Path:
    path = folder / "script.jsonl"
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text + end, encoding="utf-8")
    return path


def test_the_printed_example_of_the_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "example.jsonl"
    path.write_text(EXAMPLE, encoding="utf-8")
    result = replay(path, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "state": {
            "phase": "trick",
            "round": 1,
            "trick": 2,
            "turn": "Kai",
            "leader": "Kai",
            "table": [],
            "display": {
                "Ida": {},
                "Jo": {},
                "Kai": {"green": {"cards": 1, "jokers": 0}, "red": {"cards": 2, "jokers": 1}},
            },
            "aside": {"Ida": 0, "Jo": 0, "Kai": 0},
            "face_down": {"Ida": [0, 0], "Jo": [0, 0], "Kai": [0, 0]},
            "to_place": {},
            "round_scores": [],
            "revealed": {"Ida": [], "Jo": [], "Kai": []},
            "numbers_seen": [],
            "scanned": {"Ida": False, "Jo": False, "Kai": False},
        },
        "verdicts": [],
        "rejected": [{"n": 5, "code": "not_your_turn"}],
        "scores": {"Ida": 0, "Jo": 0, "Kai": 0},
        "winner": [],
    }
    assert result.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ({**HEADER, "game": "chess"}, "bad_game"),
        ({**HEADER, "game": 7}, "bad_game"),
        ({"players": ["a", "b", "c"]}, "bad_game"),
        ({**HEADER, "game": "chess", "players": []}, "bad_game"),
        ({**HEADER, "players": ["a", "b"]}, "bad_players"),
        ({**HEADER, "players": ["a", "b", ""]}, "bad_players"),
        ({**HEADER, "players": ["a", "b", "a"]}, "bad_players"),
        ({**HEADER, "players": ["a", "b", 3]}, "bad_players"),
        ({**HEADER, "players": "abc"}, "bad_players"),
        ({"game": "seven_merry_monsters"}, "bad_players"),
        ({**HEADER, "players": [], "settings": {"x": 1}}, "bad_players"),
        ({**HEADER, "settings": {"x": 1}}, "bad_settings"),
        ({**HEADER, "settings": None}, "bad_settings"),
        ({**HEADER, "settings": []}, "bad_settings"),
        ("not json", "bad_game"),
        ("[]", "bad_game"),
        ("", "bad_game"),
    ],
)
def test_a_bad_header(tmp_path: Path, header: Json | str, code: str) -> None:
    result = replay(script(tmp_path, header, played("a", "red 1")), "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (2, {"error": code})


def test_a_bad_header_without_json_is_one_line_on_standard_error(tmp_path: Path) -> None:
    path = script(tmp_path, {**HEADER, "players": ["a"]})
    done = run(str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "3 to 6 players" in done.stderr


@pytest.mark.parametrize(
    ("header", "remedy"),
    [
        ({**NASTY, "settings": {"x": 1}}, "the settings are deck_size, cards, hesitation_s"),
        ({**NASTY, "settings": {"enforcement": "never"}}, "it is one of automatic, on_accusation"),
        ({**NASTY, "settings": {"cards": {"bomb": 1}}}, "it is one of racketeer, twin_racketeer, phone"),
        ({**NASTY, "settings": {"deck_size": "all"}}, "Expected `int`, got `str` - at `$.deck_size`"),
        ({**NASTY, "settings": None}, "leave it out"),
        ({**NASTY, "game": "chess"}, "the games are seven_merry_monsters"),
        ("# my evening", 'the first line is {"game"'),
    ],
)
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_bad_header_is_told_with_its_line_and_what_would_do(
    tmp_path: Path, header: Json | str, remedy: str, options: tuple[str, ...]
) -> None:
    path = script(tmp_path, header)
    result = replay(path, *options)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"companion: {path}, line 1: bad_")
    assert remedy in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_script_that_is_no_utf8_says_so(tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_bytes(json.dumps(HEADER).encode("utf-16"))
    result = replay(path, "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (2, {"error": "bad_game"})
    assert "save the script as UTF-8" in result.stderr


def test_lines_that_are_no_objects_are_named_on_standard_error_and_play_goes_on(tmp_path: Path) -> None:
    path = script(tmp_path, HEADER, "", played("Ida", "red 1"), "# Jo now", played("Jo", "red 2"))
    result = replay(path, "--json")
    assert result.exit_code == 0
    assert result.stderr == (
        f"companion: {path}, lines 2, 4 are no JSON objects and were passed over: one {{...}} a line, UTF-8\n"
    )
    assert json.loads(result.stdout)["state"]["turn"] == "Kai"
    many = replay(script(tmp_path, HEADER, *["x"] * 9), "--json")
    assert "lines 2, 3, 4, 5, 6, ... are" in many.stderr
    assert replay(script(tmp_path, HEADER, played("Ida", "red 1")), "--json").stderr == ""


def test_a_header_alone_prints_the_start_and_may_leave_the_settings_out(tmp_path: Path) -> None:
    header = {"game": "nasty_7", "players": ["a", "b"]}
    for end in ("", "\n", "\n\n \n"):
        result = json.loads(replay(script(tmp_path, header, end=end), "--json").stdout)
        assert result["state"]["stack"] == {"a": 55, "b": 55}
        assert result["rejected"] == []


def test_lines_are_numbered_from_one_and_an_empty_line_between_is_a_bad_one(tmp_path: Path) -> None:
    path = script(tmp_path, HEADER, played("Ida", "red 1"), "", "{", played("Jo", "red 2"), end="\n\n\n")
    result = json.loads(replay(path, "--json").stdout)
    assert result["rejected"] == [{"n": 2, "code": "bad_json"}, {"n": 3, "code": "bad_json"}]
    assert result["state"]["turn"] == "Kai"


def test_bytes_that_are_no_utf8_a_byte_order_mark_and_dos_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    events = [json.dumps(played("Ida", "red 1")).encode(), b'{"event": "\xff"}']
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join([json.dumps(HEADER).encode(), *events]) + b"\r\n")
    result = json.loads(replay(path, "--json").stdout)
    assert result["rejected"] == [{"n": 2, "code": "bad_json"}]


def test_names_beyond_ascii_are_printed_as_they_are(tmp_path: Path) -> None:
    header = {**HEADER, "players": ["Zoë", "李", "Jürgen\u2028"]}
    path = script(tmp_path, json.dumps(header, ensure_ascii=False), played("Zoë", "red 1"))
    done = run(str(path), "--json", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert "李" in done.stdout
    assert json.loads(done.stdout)["state"]["turn"] == "李"


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_script_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    done = run(str(tmp_path / name), "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("companion: cannot read")
    assert done.stderr.count("\n") == 1


def test_the_summary_names_verdicts_rejections_and_points(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        NASTY,
        *counted(1),
        falls("Beth", "racketeer", 12.0),
        passes(16.0),
        falls("Abby", "gun", 17.0),
    )
    text = replay(path).stdout
    assert "The Nasty 7: play, Beth is to act" in text
    assert "4  Beth: too_late" in text
    assert "5  rejected: not_your_turn" in text
    assert "28  Beth" in text


def test_a_recording_is_for_games_in_which_something_is_said(tmp_path: Path) -> None:
    done = run(str(script(tmp_path, HEADER)), "--audio", str(tmp_path / "table.wav"), "--json")
    assert done.returncode == 2
    assert "--audio" in done.stderr


def test_it_loads_neither_eyes_nor_ears_nor_pages(tmp_path: Path) -> None:
    path = script(tmp_path, HEADER, *trick(("Ida", "red 1"), ("Jo", "red 2"), ("Kai", "red 3")))
    code = (
        "import sys; from companion.commands.cli import group;"
        f"group.main(['replay', {str(path)!r}, '--json'], standalone_mode=False);"
        "heavy = {'cv2', 'numpy', 'vosk', 'flask', 'waitress', 'gpiozero', 'sqlite3', 'asyncio'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`companion replay` in a process of its own."""
    import os

    return subprocess.run(
        [sys.executable, "-c", "from companion.commands.cli import main; main()", "replay", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_a_game_is_printed_as_one_line_with_which_another_table_goes_on(tmp_path: Path) -> None:
    script = tmp_path / "game.jsonl"
    script.write_text(EXAMPLE, encoding="utf-8")
    result = replay(script, "--position")
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    line: Json = json.loads(result.stdout)
    state = line.pop("state")
    assert (line["players"], line["settings"]["target"], state["turn"]) == (["Ida", "Jo", "Kai"], 100, "Kai")
    script.write_text(
        "\n".join(map(json.dumps, (line, {"event": "position", "state": state}))), encoding="utf-8"
    )
    assert json.loads(replay(script, "--json").stdout)["state"] == state
