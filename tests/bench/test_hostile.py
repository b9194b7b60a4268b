"""The attacks themselves, in small: what they measure must be what they say."""

import json
from collections import Counter
from pathlib import Path

from bench.hostile import crowd, damage, guesses, kills, pictures, requests
from bench.hostile.target import target
from companion.store.pairing import PairingFile


def test_nothing_that_comes_over_the_network_does_harm(tmp_path: Path) -> None:
    with target(tmp_path / "data") as running:
        found, faults = requests.attack(running, 400, seed=3)
        assert faults == []
        assert found["rights"] == 0
        assert isinstance(found, Counter)
        assert found["200"] > 0, "some of them must be well formed"
        growth, _ = crowd.flood(running)
        assert growth < 1.1
        memory, _ = pictures.bombs(running)
        assert memory < 150.0
        assert max(crowd.newcomers(running, 3)) < 10.0  # on a busy machine; the measure is 2 s


def test_addresses_guess_until_the_table_announces_it(tmp_path: Path) -> None:
    with target(tmp_path / "data") as running:
        attack = guesses.Guesses(running)
        attack.run(seconds=3.0, per_s=200.0)
        assert attack.found == 0
        assert attack.said_after is not None
        assert attack.said_after <= 10
        code, _ = PairingFile(running.data).fresh()
        body = json.dumps({"code": code}).encode()
        assert running.request("POST", "/api/role", body, address="127.0.7.7")[0] == 200, "a right one counts"


def test_damage_is_found_and_commands_count_once(tmp_path: Path) -> None:
    (tmp_path / "damage").mkdir()
    (tmp_path / "kills").mkdir()
    damaged = damage.damage(tmp_path / "damage", flips=12, seed=5)
    assert (damaged.opened, damaged.silent) == (damaged.tried, 0)
    again, doubled = kills.kills(tmp_path / "kills", 2, seed=5)
    assert again >= 6
    assert doubled == 0
