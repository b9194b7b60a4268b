"""The digest, the reasons, and the answer to "what may I do now?"."""

import json
import re
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from coverage_table import PAGE, cited, page
from rule_sources import ALL, COMMON, CORRECTIONS, codes, verdicts
from rulescripts import SHARED, needs
from threescripts import COUNTING, GRUNTS, STARTED, bugs, freezes, lays, opens, thirteen, trio, trophy, turn

from bench.rules.play import header_of, next_event
from companion.commands.cli import group
from companion.commands.replay import explanations
from companion.core.errors import BadHeader
from companion.games import rulebook
from companion.games.digest import LANGUAGES, digest, in_language, sample
from companion.games.explain import explain, listed
from companion.games.may import choice_words, described, may, possibilities
from companion.locale import make
from companion.table.record import Record, opened
from companion.table.story import phrases

rules = pytest.mark.rules
every_game = pytest.mark.parametrize("game", ALL)
COUNTS = {
    "seven_merry_monsters": (37, 12),
    "trio_monsters": (20, 13),
    "bugs_and_co": (25, 8),
    "thirteen_monsters": (66, 19),
    "nasty_7": (32, 17),
}


# --- the sentences ----------------------------------------------------------------------------------------


@every_game
def test_every_rule_and_ruling_has_one_short_sentence(game: str) -> None:
    found = digest(game).rules
    prefix = next(iter(found)).split("-")[0]
    stated, rulings = COUNTS[game]
    wanted = [f"{prefix}-{n}" for n in range(1, stated + 1)] + [
        f"{prefix}-R{n}" for n in range(1, rulings + 1)
    ]
    assert list(found) == wanted
    for rule in found.values():
        assert rule.text.endswith((".", "2.")), rule
        assert 20 <= len(rule.text) <= 160, rule
        assert (rule.mark == "ruling") is ("-R" in rule.id)
    assert len({rule.text for rule in found.values()}) == len(found)


@every_game
@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_the_rules_say_the_same_in_every_language(game: str, language: str) -> None:
    """As far as it can be checked without reading: the same rules, each in other words, with the same
    settings and figures."""
    english = digest(game)
    other = in_language(english, game, language)
    assert list(other.rules) == list(english.rules)
    for id_, rule in other.rules.items():
        known = english.rules[id_]
        assert rule.text != known.text or language not in make.finished(), id_
        assert (rule.mark, rule.physical) == (known.mark, known.physical)
        assert re.findall(r"`\w+`", rule.text) == re.findall(r"`\w+`", known.text), id_
        figures = [sorted(re.findall(r"\d+", text)) for text in (rule.text, known.text)]
        assert figures[0] == figures[1], id_
        assert 15 <= len(rule.text) <= 190, id_


def test_every_finished_language_has_rules_in_its_words() -> None:
    assert set(make.finished()) <= set(LANGUAGES)


def test_the_command_tells_the_rules_in_a_language() -> None:
    told = CliRunner().invoke(group, ["rules", "nasty_7", "--language", "de", "--find", "N7-R1"]).output
    assert told.startswith("The Nasty 7\n\nFestlegungen, wo die Spielregel etwas offen lässt\nN7-R1 ")
    assert "Sieben und eins kommen" in told
    nothing = CliRunner().invoke(group, ["rules", "nasty_7", "--language", "fr", "--find", "chess"]).output
    assert nothing.endswith("Aucune règle ne dit cela ; essayez un autre mot.\n")
    assert CliRunner().invoke(group, ["rules", "nasty_7", "--language", "xx"]).exit_code == 2


@every_game
def test_the_ids_are_those_of_the_shared_list(game: str) -> None:
    text = needs(SHARED / "rules" / "RULES.md").read_text(encoding="utf-8")
    prefix = next(iter(digest(game).rules)).split("-")[0]
    assert set(re.findall(rf"^- ({prefix}-R?\d+) ", text, re.MULTILINE)) == set(digest(game).rules)


@rules("BUGS-12", "BUGS-14", "M13-5", "N7-4")
def test_what_no_companion_can_see_is_for_people_only() -> None:
    physical = {rule.id for game in ALL for rule in digest(game).rules.values() if rule.physical}
    assert physical == {"BUGS-12", "BUGS-14", "M13-5", "N7-4"}


def test_settings_that_decide_otherwise_are_named_in_the_sentences() -> None:
    for game in ALL:
        settings = rulebook(game).settings_type.__struct_fields__
        for rule in digest(game).rules.values():
            for name in re.findall(r"`(\w+)`", rule.text):
                assert name in (*settings, "extra_round"), rule


def test_an_unknown_game_has_no_digest() -> None:
    with pytest.raises(BadHeader):
        digest("chess")


# --- reasons ----------------------------------------------------------------------------------------------


@every_game
def test_every_verdict_and_code_has_a_reason_and_no_reason_is_idle(game: str) -> None:
    found = digest(game)
    assert set(found.verdicts) == verdicts(game)
    assert set(found.codes) == codes(game) | COMMON | CORRECTIONS
    assert set(found.rests_on) <= verdicts(game) | set(found.codes)
    for finding in (*verdicts(game), *codes(game)):
        rule, sentence = explain(game, finding)
        assert rule in found.rules, finding
        assert sentence.endswith(found.rules[rule].text)


@every_game
def test_every_rule_that_the_rulebook_names_is_in_the_digest(game: str) -> None:
    book, found = rulebook(game), digest(game).rules
    for seed in range(6):
        random = Random(seed)
        record = opened(header_of(book, random))
        for _ in range(150):
            if record.state.phase == "over":
                break
            assert all(offer.rule in found for offer in book.expects(record.state))
            record.push(next_event(record, random))
            record.push(
                {"event": random.choice(list(book.events)), "player": random.choice(record.setup.players)}
            )
        for entry in record.entries:
            assert entry.rule == "" or entry.rule in found
            assert all(one.rule in found and one.verdict in digest(game).verdicts for one in entry.findings)


def test_the_reason_is_the_rule_that_was_named() -> None:
    rule, sentence = explain("nasty_7", "wrong_number", {"expected": [2, 3], "rule": "N7-18"})
    assert (rule, "2 and 3" in sentence) == ("N7-18", True)
    assert explain("trio_monsters", "must_touch_same_colour", {"rule": "TRIO-R4"})[0] == "TRIO-R4"
    assert explain("trio_monsters", "bad_json") == ("", "This line is no JSON object.")
    assert explain("trio_monsters", "not_your_turn")[0] == "TRIO-5"
    assert "{" not in explain("nasty_7", "wrong_number")[1]


def test_replay_explains(tmp_path: Any) -> None:
    script = tmp_path / "script.jsonl"
    lines = [
        {"game": "trio_monsters", "players": ["Ida", "Jo"], "settings": {}},
        opens("blue"),
        *lays("Jo", ("red", 0, 1)),
    ]
    script.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = CliRunner().invoke(group, ["replay", str(script), "--json", "--explain"])
    result = json.loads(done.stdout)
    (reason,) = result["explanations"]
    assert (reason["n"], reason["code"], reason["rule"]) == (2, "not_your_turn", "TRIO-5")
    assert "youngest" in reason["text"]
    assert "Ida: lay blue beside another blue." in result["may"]
    told = CliRunner().invoke(group, ["replay", str(script), "--explain"])
    assert "[TRIO-5]" in told.stdout
    assert "Ida: lay blue beside another blue." in told.stdout


@pytest.mark.parametrize(
    ("event", "beginning"),
    [
        ({"event": "trophy_taken", "player": "Ida", "value": "3", "t": 1}, "`value`: Something"),
        ({"event": "trophy_taken", "player": "Ida", "t": 1}, "`value`: Something"),
        ({"event": "trophy_taken", "player": "Nobody", "value": 3, "t": 1}, "`player`: Nobody"),
        ({"event": "tile_taken", "player": "Nobody", "t": -1}, "`t`: Something"),
        ({"event": "heard", "words": ["ten"], "start": "1", "end": 2}, "`start`: Something"),
        ({"event": "heard", "words": ["ten"], "start": 2, "end": 1}, "`end`: Something"),
        ({"event": "heard", "start": 1, "end": 2}, "`words`: Something"),
        ({"event": "undone", "t": "1"}, "`t`: Something"),
        ({"event": "amended", "replacement": None}, "`n`: Something"),
        ({"event": "amended", "n": True, "replacement": None}, "`n`: Something"),
        ({"event": "amended", "n": 1}, "`replacement`: Something"),
        ({"event": "tile_eaten"}, "This game knows no such event. It knows game_started, trophy_taken, "),
        ({"event": "trophy_taken", "player": "Ida", "value": 1, "t": 1}, "This is not the moment"),
    ],
)
def test_a_refused_event_is_told_which_field_is_meant(event: Any, beginning: str) -> None:
    record = bugs({"event": "tile_taken", "player": "Ida"}, event, players=["Ida", "Jo"])
    reason = explanations(record)[-1]
    assert reason["text"].startswith(beginning)


# --- what may I do now? -----------------------------------------------------------------------------------


def told(record: Record[Any], player: str | None = None) -> list[str]:
    return may(record.book.name, record.book.expects(record.state), player)


def test_what_a_child_hears_in_trio_monsters() -> None:
    assert told(trio()) == ["Turn over the start card."]
    record = trio(opens("blue"), *lays("Anna", ("red", 0, 1)))
    assert told(record) == [
        "Anna: lay blue beside another blue.",
        "Anna: lay red beside another red.",
        "Anna: lay another colour along any free side.",
        "Anna: end your turn and draw.",
    ]
    assert told(record, "Ben") == []
    record = trio(opens("red"), *turn("Anna", ("red", 0, 1), ("red", 0, 2)), *lays("Ben", ("red", 0, 3)))
    assert told(record) == ["Ben: lay a card wherever you like.", "Ben: end your turn and draw."]


def test_what_a_child_hears_in_bugs_and_co() -> None:
    assert told(bugs()) == ["Count to three and start the game."]
    record = bugs(STARTED, trophy("Amy", 3, 1.0))
    assert told(record, "Amy") == []
    assert told(record, "Bob") == [
        "Bob: take the trophy 2 and stop.",
        "Bob: look at a tile, keep it or put it back.",
    ]
    assert "Call ten." in told(bugs(*COUNTING))
    assert told(bugs(*COUNTING), "Bob") == ["Call ten."]


def test_what_a_child_hears_in_13_monsters() -> None:
    record = thirteen(*GRUNTS, freezes("Ada", 0, 0))
    assert told(record, "Bo") == []
    assert told(record, "Ada") == [
        "Ada: use sacrifice; say it aloud.",
        "Ada: use permafrost; say it aloud.",
        "Ada: attack a set with your monster.",
        "Ada: turn over a card.",
    ]


@every_game
def test_somebody_is_always_told_something(game: str) -> None:
    book = rulebook(game)
    for seed in range(5):
        random = Random(seed)
        record = opened(header_of(book, random))
        for _ in range(120):
            sentences = told(record)
            assert all("{" not in one and "something" not in one and "…" not in one for one in sentences)
            if record.state.phase == "over":
                assert sentences == []
                break
            if game != "nasty_7" or record.state.call is None:
                assert sentences
            record.push(next_event(record, random))


@every_game
@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_what_may_be_done_is_said_in_every_language(game: str, language: str) -> None:
    english, other = digest(game).may, in_language(digest(game), game, language).may
    assert list(other) == list(english)
    for event, text in english.items():
        assert (other[event] != text) is bool(text), event
        gaps = [set(re.findall(r"{(\w+)}", one)) for one in (text, other[event])]
        assert gaps[1] <= gaps[0], event
    assert choice_words(language).keys() == choice_words("en").keys()
    assert not set(choice_words(language).values()) & set(choice_words("en").values())


def test_what_may_be_done_names_cards_in_the_language() -> None:
    record = trio(opens("blue"), *lays("Anna", ("red", 0, 1)))
    offers = record.book.expects(record.state)
    found = possibilities("trio_monsters", offers, language="de", say=phrases("de").card)
    assert [(one.text, one.players) for one in found][:2] == [
        ("Anna: leg Blau an eine Karte derselben Farbe.", ("Anna",)),
        ("Anna: leg Rot an eine Karte derselben Farbe.", ("Anna",)),
    ]


def test_values_in_words() -> None:
    assert listed([2, 3]) == "2 and 3"
    assert listed(["a", "b", "c"], " or ") == "a, b or c"
    assert listed({"monster": 13, "part": "top"}) == "top of 13"
    assert listed([]) == ""
    record = trio(opens("blue"))
    choices = [offer.fields["at"] for offer in record.book.expects(record.state) if "at" in offer.fields]
    assert [described(choice) for choice in choices] == ["one of 3 places", "one of 3 places"]


# --- the command ------------------------------------------------------------------------------------------


@every_game
def test_the_command_prints_every_rule(game: str) -> None:
    done = CliRunner().invoke(group, ["rules", game])
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    for rule in digest(game).rules.values():
        assert f"{rule.id} " in text
        assert rule.text in text
    assert "Rulings" in text


@every_game
def test_the_command_prints_json(game: str) -> None:
    result = json.loads(CliRunner().invoke(group, ["rules", game, "--json"]).stdout)
    assert (result["game"], result["title"]) == (game, rulebook(game).title)
    assert [rule["id"] for rule in result["rules"]] == list(digest(game).rules)
    assert set(result["rules"][0]) == {"id", "text", "mark", "physical"}


def test_the_command_finds_words_and_refuses_other_games() -> None:
    done = CliRunner().invoke(group, ["rules", "thirteen_monsters", "--find", "supernova"])
    assert "M13-43" in done.stdout
    assert "M13-12" not in done.stdout
    assert "No rule says that" in CliRunner().invoke(group, ["rules", "nasty_7", "--find", "chess"]).stdout
    assert CliRunner().invoke(group, ["rules", "chess"]).exit_code == 2


# --- the table of coverage --------------------------------------------------------------------------------


@every_game
def test_every_rule_has_a_test(game: str) -> None:
    missing = [id_ for id_ in digest(game).rules if id_ not in cited()]
    assert missing == [], "name these rules in the marker of a test that shows them"


def test_no_test_names_a_rule_that_there_is_not() -> None:
    assert set(cited()) <= {id_ for game in ALL for id_ in digest(game).rules}


def test_the_table_of_coverage_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tests/games/coverage_table.py"


@every_game
def test_every_rule_stands_in_one_chapter(game: str) -> None:
    found = digest(game)
    placed = [id_ for ids in found.chapters.values() for id_ in ids]
    stated = [rule.id for rule in found.rules.values() if rule.mark != "ruling"]
    assert sorted(placed) == sorted(stated)
    assert {"aim", "material", "set_up", "turn", "end"} <= {
        *found.chapters,
        "end" if game == "nasty_7" else "",
    }


@every_game
def test_the_sample_turn_plays_and_is_told_with_rules(game: str) -> None:
    lines = sample(game)
    record = opened(json.loads(lines[0]))
    for line in lines[1:]:
        assert record.push(line).code is None, line
    shown = CliRunner().invoke(group, ["rules", game]).output
    assert "A sample turn" in shown
    result = json.loads(CliRunner().invoke(group, ["rules", game, "--json", "--language", "de"]).stdout)
    assert [line["n"] for line in result["sample"]][-1] == len(lines) - 1
    assert {rule for line in result["sample"] for rule in line["rules"]} <= set(digest(game).rules)
