"""What the rulebooks' code can say: the codes and verdicts that stand in it, read from the source."""

import ast
from pathlib import Path

from companion.games import game_names, rulebook
from companion.games.nasty_7.calls import MISTAKE_RULE

ROOT = Path(__file__).resolve().parents[2]
GAMES_FOLDER = ROOT / "companion" / "games"
COMMON = {
    "bad_json",
    "unknown_event",
    "game_over",
    "bad_field",
    "time_reversed",
    "unknown_player",
    "missing_field",
    "unknown_card",
    "wrong_phase",
    "not_your_turn",
    "bad_position",
}
CORRECTIONS = {"nothing_to_undo", "nothing_to_amend", "nothing_to_overrule"}


def files(game: str) -> list[Path]:
    """The modules of one game."""
    return sorted((GAMES_FOLDER / game).glob("*.py"))


def _named(game: str, function: str, argument: int) -> set[str]:
    """The texts that stand as an argument in calls of a function."""
    found = set()
    for path in files(game):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) == function
                and len(node.args) > argument
            ):
                texts = ast.walk(node.args[argument])
                found |= {
                    one.value for one in texts if isinstance(one, ast.Constant) and isinstance(one.value, str)
                }
    return found


def codes(game: str) -> set[str]:
    """The rejection codes of one game, without the common ones."""
    return _named(game, "Breach", 0) - COMMON


def verdicts(game: str) -> set[str]:
    """The verdicts of one game."""
    return _named(game, "Verdict", 1) | (set(MISTAKE_RULE) if game == "nasty_7" else set())


PAGE = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
ALL = tuple(name for name in game_names() if f"\n## {rulebook(name).title}\n" in PAGE)
"""The games that are described in full. From its chapter in docs/events.md on, a game must have chapters,
a sample turn, a digest in every language and a test for each rule."""
