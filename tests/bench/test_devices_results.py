"""The measures that are taken from the checks of the virtual machine."""

from bench.devices.__main__ import estimates
from bench.report.measures import catalogue

PRESSES = {"n": 4, "median": 23.5, "p95": 40.0, "largest": 40.0, "values": [21.0, 23.0, 24.0, 40.0]}
EDGES = {"n": 3, "median": 0.5, "p95": 3.0, "largest": 3.9, "values": [0.1, 0.5, 3.9]}
FIGURES = {
    "press_to_event_ms": PRESSES,
    "countdown_edge_error_ms": EDGES,
    "kill_to_ready_s": 5.0,
    "hang_to_ready_s": 9.0,
    "memory_mb": 163,
    "idle_cpu_percent": 12,
    "card": "phone",
}


def test_all_measures_come_from_the_figures() -> None:
    found = estimates({"failed": [], "figures": FIGURES})
    assert set(found) == {measure.id for measure in catalogue().of_part("devices.machine")}
    values = {name.partition("/")[2]: round(one.value, 3) for name, one in found.items()}
    assert values["press"] == 23.5
    assert 24.0 < values["press-p95"] <= 40.0
    assert (values["edges"], values["memory"], values["idle-cpu"]) == (3.9, 163, 0.12)
    assert (values["failed"], values["kill"], values["hang"]) == (0, 5.0, 9.0)


def test_a_check_that_failed_leaves_its_measure_out() -> None:
    figures = {name: value for name, value in FIGURES.items() if name != "kill_to_ready_s"}
    found = estimates({"failed": ["a_killed_service_takes_the_game_up"], "figures": figures})
    assert "devices/kill" not in found
    assert found["devices/failed"].value == 1
