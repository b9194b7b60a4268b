"""What is typed wrongly is said in one line, with the exit status of wrong use."""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from companion.commands import cli, reference


def run(
    arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["companion", *arguments.split()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    code = ended.value.code
    shown = capsys.readouterr()
    return (code if isinstance(code, int) else 0), shown.out, shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("nosuch", "No such command 'nosuch': see `companion --help`"),
        ("--nosuch", "No such option '--nosuch': see `companion --help`"),
        ("dice", "Missing argument 'IMAGE...': see `companion dice --help`"),
        ("serve --port 99999", "99999 is not in the range 0<=x<=65535: see `companion serve --help`"),
        ("rules chess", "'chess' is no game; the games are"),
        ("deck draw chess --out x.pdf", "no deck is drawn for 'chess'"),
    ],
)
def test_wrong_use_is_one_line_and_status_two(
    arguments: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(arguments, monkeypatch, capsys)
    assert (status, out) == (2, "")
    assert err.startswith("companion: ")
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize("arguments", ["--help", "--version", "serve --help"])
def test_what_was_asked_for_is_no_failure(
    arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(arguments, monkeypatch, capsys)
    assert (status, err) == (0, "")
    assert out


def test_a_command_alone_shows_what_it_can_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run("deck", monkeypatch, capsys)
    assert status in (0, 2)
    assert "draw" in out + err


ROOT = Path(__file__).resolve().parents[1]
WRITTEN = re.compile(r"(?:`|^    (?:sudo )?)(?:\.venv/bin/)?companion ([a-z]+[^`\n|]*)", re.MULTILINE)
MEANT = {"GAME": "nasty_7"}


def written() -> set[str]:
    """The commands in the README and the documents, as somebody would type them."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return {line.strip() for page in pages for line in WRITTEN.findall(page.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("line", sorted(written()))
def test_every_command_in_the_documents_can_be_typed(line: str) -> None:
    """Its options and arguments are taken; nothing is carried out."""
    words = [MEANT.get(word, word) for word in line.split("#")[0].split()]
    context = cli.group.make_context("companion", words)
    name, command, rest = cli.group.resolve_command(context, words)
    while isinstance(command, click.Group) and rest:
        context = click.Context(command, parent=context, info_name=name)
        name, command, rest = command.resolve_command(context, rest)
    assert command is not None
    with contextlib.suppress(click.MissingParameter):  # a sentence may name a command without its files
        command.make_context(name, list(rest), parent=context)


def test_a_folder_that_belongs_to_somebody_else_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As with the service's data, which only the service may read."""

    def refused(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refused)
    status, out, err = run("export --data /var/lib/companion", monkeypatch, capsys)
    assert (status, out) == (1, "")
    assert err.startswith("companion: /var/lib/companion/journal.sqlite: permission denied; run this as")
    assert err.count("\n") == 1


def test_the_reference_says_what_the_commands_say() -> None:
    """Otherwise: python -m companion.commands.reference"""
    page = Path(__file__).parents[1] / "docs" / "cli.md"
    assert page.read_text(encoding="utf-8") == reference.reference()


def test_the_reference_has_every_command_and_option() -> None:
    page = reference.reference()
    for name in cli.COMMANDS:
        assert f"\n## companion {name}\n" in page
    assert "\n### companion deck share\n" in page
    assert "| `--explain` |" in page


@pytest.mark.parametrize(
    ("arguments", "status"),
    [("pair --data {}", 0), ("pair --data={}", 0), ("export 99 --data {}", 1), ("deck check nosuch", 2)],
)
def test_what_root_leaves_in_the_data_folder_is_given_to_its_owner(
    arguments: str,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given: list[Path] = []
    monkeypatch.setattr("companion.commands.data_folder.give_back", given.append)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert run(arguments.format(tmp_path), monkeypatch, capsys)[0] == status
    assert set(given) == {tmp_path}


def test_numpy_is_loaded_after_its_threads_are_limited() -> None:
    told = "import sys, companion, os; print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])"
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    ran = subprocess.run(
        [sys.executable, "-c", told], env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["False", "1"]
