"""The circuit is complete, is that of the configuration, and takes no harm from a plug turned round."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.wiring import command
from companion.core.config import Config, load, parse, pins
from companion.games import game_names
from companion.wiring import board, header, schematic
from companion.wiring.circuit import MOST_MA, WiredPart, parts, steps, supplies, turned_round

EXAMPLE = Path(__file__).parents[2] / "docs" / "companion.toml"
OTHERS = {
    "passive": '[buzzer]\npin = 18\nkind = "passive"',
    "module": "[buzzer]\npin = 12\nactive_high = false",
    "common anode": "[lamps]\nrgb = [22, 23, 24]\nactive_high = false",
    "buttons to 3.3 V": "[buttons]\nseats = [5, 6]\nactive_high = true",
    "all ground pins opposite to a used one": "[buttons]\nseats = [4, 17, 9, 23, 12, 19]\n[buzzer]\npin = 26",
    "trophies and one lamp": "[buttons]\ntrophies = {5 = 20, 8 = 16}\n[lamps]\npin = 21\nlistening = 8",
}


def configurations() -> list[Config]:
    return [load(EXAMPLE, game_names()), *(parse(text, game_names()) for text in OTHERS.values())]


def test_the_header_is_that_of_a_raspberry_pi() -> None:
    """Positions from Raspberry Pi's own documentation of the header."""
    gpios = (2, 18, 5, 6, 13, 19, 26, 21, 25)
    assert [header.pin_of(gpio) for gpio in gpios] == [3, 12, 29, 31, 33, 35, 37, 40, 22]
    grounds = [number for number, name in enumerate(header.HEADER, 1) if name == "GND"]
    assert grounds == [6, 9, 14, 20, 25, 30, 34, 39]
    assert [header.HEADER[pin - 1] for pin in (1, 17, 2, 4)] == ["3V3", "3V3", "5V", "5V"]


@pytest.mark.parametrize("config", configurations())
def test_every_pin_of_the_configuration_is_wired_once(config: Config) -> None:
    found = parts(config)
    assert sorted(part.gpio for part in found) == sorted(gpio for _, gpio in pins(config))
    for drawing in (board.draw(found), schematic.draw(found)):
        for part in found:
            assert re.search(rf">GPIO {part.gpio}[ <]", drawing)
            if part.kind in ("button", "lamp"):
                assert part.name in drawing


@pytest.mark.parametrize("config", configurations())
def test_every_part_has_its_resistor(config: Config) -> None:
    found = parts(config)
    assert all(part.ohms >= 330 for part in found)
    for drawing in (board.draw(found), schematic.draw(found)):
        assert len(re.findall(r">(?:1 kΩ|330 Ω)<", drawing)) == len(found)


def opposite(pin: int) -> str:
    return header.HEADER[header.turned(pin) - 1]


@pytest.mark.parametrize("config", configurations())
def test_turned_round_no_supply_reaches_a_wire_without_a_resistor(config: Config) -> None:
    """Ground and supply wires have no resistor: none of them may meet another supply, 5 V least of all."""
    for name, pin in supplies(parts(config)).items():
        if name == header.SUPPLY_5V:
            assert opposite(pin) == header.GROUND
        else:
            assert opposite(pin) not in (header.SUPPLY_5V, header.SUPPLY_3V3)


@pytest.mark.parametrize("config", configurations())
def test_turned_round_a_pin_is_not_overloaded(config: Config) -> None:
    wires = turned_round(parts(config))
    assert wires
    assert all(wire.ma <= MOST_MA for wire in wires)


def test_the_referee_button_turned_round_is_named_with_its_current() -> None:
    """GPIO 21 is opposite to 3.3 V: without the resistor a press joined 3.3 V and 5 V."""
    [wire] = [
        wire
        for wire in turned_round(parts(parse("[buttons]\nreferee = 21", game_names())))
        if wire.wire == "referee"
    ]
    assert (header.what(wire.pin), wire.ma) == ("3.3 V", 5.0)


def test_the_ground_wire_avoids_pins_opposite_to_wired_ones() -> None:
    found = [WiredPart(4, "seat 1", "button", "GND")]  # pin 7 is opposite to pin 34
    assert supplies(found) == {"GND": 30}


def test_an_active_buzzer_has_transistor_and_diode_and_a_passive_one_has_not() -> None:
    active = parts(parse("[buzzer]\npin = 18", game_names()))
    passive = parts(parse(OTHERS["passive"], game_names()))
    for draw in (board.draw, schematic.draw):
        assert "BC547" in draw(active)
        assert "1N4148" in draw(active)
        assert "BC547" not in draw(passive)
        assert "1N4148" not in draw(passive)
    assert "band at 5 V" in "\n".join(steps(active))


def test_the_command_lists_and_draws(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        command, ["--config", str(EXAMPLE), "--out", str(tmp_path)], catch_exceptions=False
    )
    assert done.exit_code == 0
    assert "pin 29  GPIO 5: resistor 1000 ohm, seat 1, ground" in done.output
    assert "seat 5: on pin 4, 5 V; at most 5.0 mA" in done.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["schematic.svg", "wiring.svg"]


@pytest.mark.parametrize("name", ["wiring.svg", "schematic.svg"])
def test_the_drawings_of_the_docs_are_current(name: str) -> None:
    """Otherwise: companion wiring --config docs/companion.toml --out docs/images"""
    draw = {"wiring.svg": board.draw, "schematic.svg": schematic.draw}[name]
    drawn = draw(parts(load(EXAMPLE, game_names())))
    assert (EXAMPLE.parent / "images" / name).read_text(encoding="utf-8") == drawn


def test_without_pins_the_command_says_what_to_do(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--data", str(tmp_path)], catch_exceptions=False)
    assert "names no pins" in done.output
