"""What is typed wrongly is said in one line, with the exit status of wrong use."""

import pytest

from companion import cli


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
        ("rules chess", "'chess' is not one of"),
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
