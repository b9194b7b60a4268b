"""The lab notes: one short page a question, all of them in the index."""

import re
from pathlib import Path

import pytest

from bench.paths import ROOT

LAB = ROOT / "docs" / "lab"
PAGES = sorted(path for path in LAB.rglob("*.md") if path.name != "README.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(LAB).as_posix())
def test_a_page_answers_one_question_in_sixty_lines(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    parts = re.findall(r"^## (\w+)", text, re.MULTILINE)
    assert parts[:4] == ["Question", "Data", "Result", "Decision"]
    for link in re.findall(r"\]\(([^)#]+\.md)", text):
        assert (page.parent / link).is_file(), link


def test_the_index_names_every_page() -> None:
    index = (LAB / "README.md").read_text(encoding="utf-8")
    linked = {LAB / link for link in re.findall(r"\]\((\w[\w/-]*\.md)\)", index)}
    assert linked == set(PAGES)
