"""One TOML file: every key documented, every error names the key."""

from pathlib import Path

import pytest

from companion.core import config
from companion.core.errors import UsageError

GAMES = ("nasty_7", "trio_monsters")


def test_the_reference_is_up_to_date() -> None:
    """Otherwise: python -m companion.core.config > docs/configuration.md"""
    reference = Path(__file__).parents[2] / "docs" / "configuration.md"
    assert reference.read_text(encoding="utf-8") == config.reference()


def test_an_empty_file_is_a_whole_configuration() -> None:
    assert config.parse("", GAMES) == config.Config() == config.load(None, GAMES)


def test_keys_are_read() -> None:
    found = config.parse(
        """
        [buttons]
        seats = [17, 27]
        trophies = { "5" = 22 }
        [lamps]
        rgb = [5, 6, 13]
        [zones.nasty_7]
        pile = [[0.1, 0.1], [0.9, 0.1], [0.5, 0.9]]
        """,
        GAMES,
    )
    assert found.buttons.seats == [17, 27]
    assert [pin for _, pin in config.pins(found)] == [17, 27, 22, 5, 6, 13]
    assert found.zones["nasty_7"]["pile"][2] == (0.5, 0.9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[pages]\nprot = 80", "there is no key pages.prot"),
        ("[page]\n", "there is no key page"),
        ("[pages]\nport = 99999", "pages.port: "),
        ("[pages]\nport = '80'", "pages.port: "),
        ("[camera]\nbackend = 'telescope'", "camera.backend: "),
        ("[buttons]\nseats = [17, 40]", "buttons.seats"),
        ("[buttons]\nseats = [17, 17]", r"buttons.seats\[1\] and buttons.seats\[0\] are both pin 17"),
        ("[buttons]\nseats = [17]\n[buzzer]\npin = 17", r"buzzer.pin and buttons.seats\[0\] are both pin 17"),
        ("[zones.chess]\nboard = []", "zones.chess: the games are"),
        ("[decks]\nchess = 'wood'", "decks.chess: the games are nasty_7, trio_monsters"),
        ("[zones.nasty_7]\npile = [[0.1, 0.2]]", "needs at least three corners"),
        ("[zones.nasty_7]\npile = [[0.1, 2.0]]", r"zones\[...\]\[...\]"),
        ("pages = ", "is no TOML"),
    ],
)
def test_errors_name_the_key(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        config.parse(text, GAMES, "config.toml")
    assert str(caught.value).startswith("config.toml")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no configuration"):
        config.load(tmp_path / "config.toml", GAMES)


def test_a_picture_has_both_sizes_or_follows_from_the_card() -> None:
    assert config.parse("[camera]\nwidth = 1280\nheight = 720", GAMES).camera.width == 1280
    assert config.parse("", GAMES).camera.card_px == 130
    with pytest.raises(UsageError, match="set both"):
        config.parse("[camera]\nwidth = 1280", GAMES)
