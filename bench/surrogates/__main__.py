"""Sets of pictures that stand for photographs that cannot be shared: drawn, with their truth.

    python -m bench.surrogates --out DIR --set NAME [--seed N] [--count M] [--shared DIR] [--part P]
                                    [--width PX]

writes DIR/photos/*.jpg, DIR/refs/<label>.png, DIR/truth.json (picture -> [[label, x, y], ...], the card's
middle as fractions), DIR/enrol.json (empty: no reference was cut out of a picture) and DIR/detail.json (for
each card of the truth its corners in fractions, the part of it that can be seen and its width in pixels).

hands       a card held before a soft webcam, fingers over it: uno of the shared folder, else our own deck
hands_own   the same with our own deck
hands_likes held cards of uno, of which every other one is enrolled: those that are not
glare_mat   overlapping cards of a game with one common frame, sleeves, glare, a printed mat; a quarter of the
            cards is not enrolled and must get no label
hands_rough, hands_rough_likes   held cards of uno before worse webcams, in gloves and cuffs; the same by half
glare_rich  cards of a game of many frames, shiny, tapped, stacked, in worse sleeves
foreign     pictures without any card of our deck
strips      our own deck, another card of it laid over: 1/2, 1/3, 22 % or 1/5 of the length is visible
strips_uno  the same with uno of the shared folder
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from bench.paths import default_shared
from bench.surrogates.sets import PictureSet, shots, the_set


def write(made: PictureSet, out: Path, seed: int, count: int) -> None:
    """Writes a set in the layout of the real ones."""
    for folder in (out / "photos", out / "refs"):
        folder.mkdir(parents=True, exist_ok=True)
    for label, picture in made.references.items():
        cv2.imwrite(str(out / "refs" / f"{label}.png"), picture)
    truth: dict[str, list[list[object]]] = {}
    detail: dict[str, list[dict[str, object]]] = {}
    for number, shot in enumerate(shots(made, seed, count)):
        name = f"{number:04d}.jpg"
        cv2.imwrite(str(out / "photos" / name), shot.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        size = np.array(shot.image.shape[1::-1], float)
        rows = [(card, (card.corners / size)) for card in shot.cards]
        truth[name] = [[card.label, *(round(float(v), 4) for v in at.mean(axis=0))] for card, at in rows]
        detail[name] = [
            {
                "label": card.label,
                "corners": [[round(float(v), 4) for v in point] for point in at],
                "visible": round(card.visible, 3),
                "width": round(float(np.linalg.norm(card.corners[1] - card.corners[0])), 1),
            }
            for card, at in rows
        ]
    (out / "truth.json").write_text(json.dumps(truth, indent=0))
    (out / "detail.json").write_text(json.dumps(detail, indent=0))
    (out / "enrol.json").write_text("{}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument(
        "--part", type=float, help="strips: visible part of the length (default: all of them)"
    )
    parser.add_argument("--width", type=float, default=110.0, help="strips: width of the card in pixels")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    made = the_set(options.set, options.shared, options.seed, options.part, options.width)
    write(made, options.out, options.seed, options.count)
    print(f"{options.out}: {options.count} pictures of {options.set}, {len(made.references)} references")


if __name__ == "__main__":
    main()
