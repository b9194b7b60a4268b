"""docs/events.md names everything that the rulebooks know."""

import json
import re

import msgspec
import pytest
from rule_sources import ALL, COMMON, CORRECTIONS, ROOT, codes, verdicts

from companion.games import rulebook
from companion.games.contract.offers import Choice
from companion.table.record import opened
from companion.table.timeline import CORRECTIONS as CORRECTING

PAGE = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
CHAPTERS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
every_game = pytest.mark.parametrize("game", ALL)


def chapter(game: str) -> str:
    text: str = CHAPTERS[rulebook(game).title]
    return text


@every_game
def test_every_event_and_its_fields(game: str) -> None:
    text = chapter(game)
    for name, kind in rulebook(game).events.items():
        rows = [row for row in text.splitlines() if row.startswith(f"| `{name}` |")]
        assert rows, name
        named = " ".join(rows)
        for field in kind.fields:
            # `column` of a card placed is needed for a joker only, the powers' own fields for one power only
            depends = name in ("card_placed", "power_used")
            mark = "" if field.required or depends else "?"
            assert f"`{field.name}`{mark}" in named, (name, field.name)
            assert depends or not field.required or f"`{field.name}`?" not in named, (name, field.name)


@every_game
def test_every_setting_with_its_default(game: str) -> None:
    text = chapter(game)
    for field in msgspec.structs.fields(rulebook(game).settings_type):
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{field.name}` |")]
        default = field.default
        shown = row.split("|")[2].strip().strip("`")
        if field.name == "first_player":
            assert shown == "first"
        elif isinstance(default, str | bool | int | float) or default is None:
            assert shown == (default if isinstance(default, str) else json.dumps(default))


@every_game
def test_every_code_and_verdict(game: str) -> None:
    text = chapter(game)
    for code in codes(game):
        assert f"`{code}`" in text, code
    for verdict in verdicts(game):
        assert f"`{verdict}`" in text, verdict


@every_game
def test_every_phase_and_every_key_of_the_state(game: str) -> None:
    text, book = chapter(game), rulebook(game)
    for phase in {phase for kind in book.events.values() for phase in kind.phases}:
        assert f"`{phase}`" in text, phase
    state = book.view(book.start(book.header(["A", "B", "C"], {})))
    for key in state:
        assert f"`{key}`" in text.split("State:")[-1], key


def test_the_common_codes_and_corrections() -> None:
    for code in COMMON | CORRECTIONS | {"bad_game", "bad_players", "bad_settings"}:
        assert f"`{code}`" in PAGE, code
    for event in CORRECTING:
        assert f"`{event}`" in CHAPTERS["Corrections"], event


def test_every_kind_of_choice() -> None:
    kinds = set()
    waiting: list[type[Choice]] = [Choice]
    while waiting:
        found = waiting.pop().__subclasses__()
        waiting += found
        kinds |= {str(kind.__struct_config__.tag) for kind in found}
    for kind in kinds:
        assert f"`{kind}`" in CHAPTERS["What may come next"], kind


@every_game
def test_the_examples_play(game: str) -> None:
    for block in re.findall(r"```json\n(.*?)```", chapter(game), re.DOTALL):
        header, *events = [json.loads(line) for line in block.splitlines()]
        record = opened(header)
        for event in events:
            record.push(event)
        assert record.rejected == []


def test_what_is_said_about_the_examples() -> None:
    winner = opened({"game": "bugs_and_co", "players": ["Ida", "Jo"], "settings": {"countdown": "companion"}})
    example = re.findall(r"```json\n(.*?)```", CHAPTERS["Bugs & Co"], re.DOTALL)[0]
    for line in example.splitlines()[1:]:
        winner.push(line)
    assert (winner.scores(), winner.winner()) == ({"Ida": 2, "Jo": 3}, ["Jo"])


def test_the_links_inside_the_page_lead_somewhere() -> None:
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in CHAPTERS}
    for link in re.findall(r"\]\(#([^)]+)\)", PAGE):
        assert link in anchors, link
