"""The areas whose tests are measured: their files, and the tests that are to notice a fault in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.paths import ROOT


@dataclass(frozen=True)
class Area:
    """Files and tests as patterns below the repository root; a pattern with `!` before it takes away."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]

    def paths(self) -> list[Path]:
        """The files, relative to the repository root."""
        return [path.relative_to(ROOT) for path in matching(self.files) if path.stat().st_size]

    def test_paths(self) -> list[str]:
        """What pytest is to run, relative to the repository root."""
        return [str(path.relative_to(ROOT)) for path in matching(self.tests)]


def matching(patterns: Sequence[str]) -> list[Path]:
    """The existing files of some patterns, without those of the patterns that begin with `!`."""
    found: dict[Path, None] = {}
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern.removeprefix("!"))):
            if pattern.startswith("!"):
                found.pop(path, None)
            else:
                found[path] = None
    return list(found)


_BROWSER_ONLY = (
    "!tests/web/test_browser_*.py",
    "!tests/web/test_page_art.py",
    "!tests/web/test_script_imports.py",
)

AREAS = {
    area.name: area
    for area in (
        Area(
            "rules",
            ("companion/games/*/*.py", "!companion/games/*/__init__.py", "!companion/games/*/game.py",
             "!companion/games/*/spotter.py", "!companion/games/*/story.py", "!companion/games/*/position.py",
             "!companion/games/*/proposals.py", "!companion/games/*/lattice*.py",
             "!companion/games/contract/fields.py", "!companion/games/contract/number_words.py",
             "!companion/games/contract/remedies.py"),
            ("tests/games/test_bugs_and_co.py", "tests/games/test_nasty_7.py",
             "tests/games/test_seven_merry_monsters.py", "tests/games/test_thirteen_*.py",
             "tests/games/test_trio_monsters.py", "tests/games/test_choices.py",
             "tests/games/test_common_codes.py", "tests/games/test_outcome.py"),
        ),
        Area(
            "table",
            ("companion/table/*.py",),
            ("tests/games/test_record.py", "tests/games/test_story.py", "tests/table/test_*.py"),
        ),
        Area("web", ("web/*.py", "web/views/*.py"), ("tests/web/test_*.py", *_BROWSER_ONLY)),
        Area("store", ("companion/store/*.py",), ("tests/store/test_*.py",)),
        Area(
            "verdict",
            ("companion/speech/recognition/verdict.py",),
            ("tests/speech/test_verdict.py", "tests/speech/test_verifier.py",
             "tests/speech/test_speech_regression.py"),
        ),
        Area(
            "score",
            ("companion/vision/match/score.py", "companion/vision/match/suppression.py",
             "companion/vision/match/strip_templates.py"),
            ("tests/vision/test_score.py", "tests/vision/test_suppression.py",
             "tests/vision/test_vision_regression.py"),
        ),
    )
}  # fmt: skip
"""By name. Rules: what judges events, not what draws them on pages or looks at pictures. Tests that take long
and rarely find what the others do not are left out: random games, pages in a browser, speech models."""
