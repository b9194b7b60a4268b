"""Changes of the configuration keep what the owner wrote beside them."""

import tomllib

import pytest

from companion.core.errors import UsageError
from companion.owner.settings_file import difference, with_values

TEXT = """# The table in the kitchen.

[camera]           # above the table
above_cm = 80.0    # measured with a ruler
fps = 15.0

# The buzzer is under the table.
[buzzer]
pin = 17

[zones.nasty_7]
pile = [[0.1, 0.1], [0.5, 0.1], [0.5, 0.5]]
"""


def test_comments_and_order_stay_and_only_the_value_changes() -> None:
    after = with_values(TEXT, {"camera.above_cm": 75.0})
    assert after == TEXT.replace("80.0 ", "75.0 ")


def test_a_key_is_added_to_its_section_and_a_section_to_the_file() -> None:
    after = with_values(TEXT, {"camera.device": 2, "mqtt.host": "broker.local", "buttons.trophies": {"2": 5}})
    read = tomllib.loads(after)
    assert read["camera"] == {"above_cm": 80.0, "fps": 15.0, "device": 2}
    assert read["mqtt"] == {"host": "broker.local"}
    assert read["buttons"] == {"trophies": {"2": 5}}
    assert all(line in after.splitlines() for line in TEXT.splitlines())


def test_a_key_is_removed_with_its_own_line_only() -> None:
    after = with_values(TEXT, {"buzzer.pin": None, "lamps.pin": None})
    assert after == TEXT.replace("pin = 17\n", "")


def test_an_empty_file_gets_the_section() -> None:
    assert with_values("", {"table.language": "de"}) == '[table]\nlanguage = "de"\n'


def test_the_difference_names_changed_lines() -> None:
    lines = difference(TEXT, with_values(TEXT, {"camera.fps": 10.0}))
    assert [line for line in lines if line[0] in "+-"] == ["-fps = 15.0", "+fps = 10.0"]


def test_a_file_that_is_no_toml_is_refused() -> None:
    with pytest.raises(UsageError):
        with_values("[camera\n", {"camera.fps": 10.0})
    with pytest.raises(UsageError):
        with_values("camera = 3\n", {"camera.fps": 10.0})
