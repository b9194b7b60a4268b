"""The pages show the printed decks: the committed pictures equal what companion.art draws.

`python tests/web/test_page_art.py` draws them again.
"""

import math
from pathlib import Path

from companion.art import card_labels, card_svg
from companion.art.decks.faces import MOODS
from companion.art.decks.monsters import NAMES, bust, sign
from companion.art.decks.thirteen_monsters import LOOKS, PARTS, whole_part
from companion.art.dice import LATTICE
from companion.art.draw.palette import INK, PAPER
from companion.art.draw.svg import to_svg
from companion.art.draw.vector import Drawing, Node, Shape, box, ellipse, moved, place

ART = Path(__file__).resolve().parents[2] / "web" / "static" / "art"
SIZE = 48.0


def monster_svg(name: str) -> str:
    nodes = moved(bust(name, MOODS[NAMES.index(name) + 1]), place(SIZE / 2, SIZE / 2 + 1, 17.5))
    return to_svg(Drawing(SIZE, SIZE, tuple(nodes)), name)


def joker_svg() -> str:
    """All seven in a ring, as the small signs: the joker is read at 20 pixels."""
    nodes: list[Node] = []
    for index, name in enumerate(NAMES):
        turn = math.radians(-90 + index * 360 / 7)
        nodes += moved(
            sign(name), place(SIZE / 2 + 15.5 * math.cos(turn), SIZE / 2 + 15.5 * math.sin(turn), 6.6)
        )
    return to_svg(Drawing(SIZE, SIZE, tuple(nodes)), "joker")


def parade_svg() -> str:
    """All seven side by side: one picture, so that the first page takes one request for it."""
    nodes: list[Node] = []
    for index, name in enumerate(NAMES):
        nodes += moved(bust(name, MOODS[index + 1]), place(SIZE * (index + 0.5), SIZE / 2 + 1, 17.5))
    return to_svg(Drawing(SIZE * len(NAMES), SIZE, tuple(nodes)), "parade")


def die_svg(value: int) -> str:
    """The face of a die."""
    body = Shape(box(0.6, 0.6, 22.8, 22.8, 4.6), fill=PAPER, stroke=INK, width=1.0)
    pips = [Shape(ellipse(12 + 6 * x, 12 + 6 * y, 2.2), fill=INK) for x, y in LATTICE[value]]
    return to_svg(Drawing(24, 24, (body, *pips)), str(value))


def pictures() -> dict[str, str]:
    """Path below static/art, without .svg -> the picture."""
    whole = {
        f"{game}/{label}": card_svg(game, label)
        for game in ("nasty_7", "trio_monsters", "bugs_and_co")
        for label in card_labels(game)
    }
    return {
        **{name: monster_svg(name) for name in NAMES},
        "joker": joker_svg(),
        "parade": parade_svg(),
        **{
            f"thirteen_monsters/{part}_{value}": to_svg(whole_part(value, part), f"{value} {part}")
            for part in PARTS
            for value in range(1, len(LOOKS) + 1)
        },
        **{f"dice/{value}": die_svg(value) for value in LATTICE},
        **whole,
    }


def test_pages_show_what_the_decks_show() -> None:
    drawn = pictures()
    found = {str(path.relative_to(ART).with_suffix("")) for path in ART.rglob("*.svg")}
    assert found == drawn.keys()
    for name, svg in drawn.items():
        assert (ART / f"{name}.svg").read_text(encoding="utf-8") == svg, name


if __name__ == "__main__":
    for title, svg in pictures().items():
        (ART / title).parent.mkdir(parents=True, exist_ok=True)
        (ART / f"{title}.svg").write_text(svg, encoding="utf-8")
