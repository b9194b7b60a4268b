"""How well the eyes read: real photographs and rendered pictures.

    python -m bench.vision [--set poker24,uno,unknown,nothing,displays,covered,held] [--shared DIR]
                           [--every N] [--count N] [--seed S] [--verbose]

`--shared` is the folder that holds vision/poker24 and vision/uno (default: ../shared beside the checkout);
sets that need it are left out without it. `--every N` reads each N-th photo, `--count N` renders N pictures a
set. `--verbose` names what was missed and what is false. Figures of sets: see vision_real; composed pictures:
see vision_rendered.
"""

from __future__ import annotations

import argparse
import os
import time
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from bench import vision_real as real
from bench import vision_rendered as rendered
from companion import art
from companion.vision.columns import points, read_display
from companion.vision.deck import Deck
from companion.vision.enrolling import enrol_pictures
from companion.vision.geometry import turned
from companion.vision.picture import load_picture
from companion.vision.recognise import recognise

HEADER = (
    "| set | pictures | cards | precision | recall | false | CPU ms, median |\n|---|---|---|---|---|---|---|"
)
OWN = "seven_merry_monsters"
PARTS = ((1 / 2, "1/2"), (1 / 3, "1/3"), (1 / 5, "1/5"))


def own_deck() -> Deck:
    """Our own deck, enrolled from its drawings."""
    labels = art.card_labels(OWN)
    return enrol_pictures(OWN, labels, [art.draw_card(OWN, label, 440) for label in labels]).deck


def own_cards(height: int = 520) -> dict[str, rendered.Image]:
    """The drawings of our own deck."""
    return {label: np.asarray(art.draw_card(OWN, label, height), np.uint8) for label in art.card_labels(OWN)}


def references(folder: Path) -> dict[str, rendered.Image]:
    """The reference pictures of a set by label."""
    return {path.stem: load_picture(path) for path in sorted((folder / "refs").glob("*.png"))}


def at(corners: rendered.Floats, card: tuple[tuple[float, float], ...]) -> bool:
    """True if a sighting lies where the card lies, whichever way up: corners within 0.3 widths on average."""
    width = float(np.linalg.norm(corners[1] - corners[0]))
    quad = np.asarray(card, np.float32)
    return any(float(np.linalg.norm(q - corners, axis=1).mean()) < 0.3 * width for q in (quad, turned(quad)))


def shots(deck: Deck, pictures: list[rendered.Shot]) -> real.Score:
    """Reads composed pictures; the card asked for counts as found, any card that is not there as false."""
    score = real.Score()
    for number, shot in enumerate(pictures):
        begun = time.process_time()
        cards = recognise(shot.image, deck).cards
        score.ms.append((time.process_time() - begun) * 1000.0)
        score.photos += 1
        hits = [card for card in cards if card.label == shot.label and at(shot.corners, card.corners)]
        score.found += bool(hits)
        score.missed += not hits
        wrong = [card for card in cards if card not in hits and card.label != shot.above]
        score.false += len(wrong)
        score.confidences.extend((card.confidence, card not in wrong) for card in cards)
        if wrong or not hits:
            score.notes.append(f"picture {number}: {shot.label} read as {[card.label for card in cards]}")
    return score


def displays(deck: Deck, count: int, seed: int) -> str:
    """Rendered displays: cards right, scores right, wrong or left unsure."""
    right = total = scored = wrong = unsure = 0
    ms = []
    for number in range(count):
        picture, columns = rendered.display(np.random.default_rng([seed, number]))
        begun = time.process_time()
        reading = read_display(np.asarray(picture.image, np.uint8), deck)
        ms.append((time.process_time() - begun) * 1000.0)
        left = list(reading.cards)
        for truth in picture.truth:
            total += 1
            corners = np.asarray(truth.corners, np.float32)
            hit = next((c for c in left if c.label == truth.label and at(corners, c.corners)), None)
            if hit is not None:
                right += 1
                left.remove(hit)
        expected = {
            monster: {"cards": len(labels), "jokers": labels.count("joker")}
            for monster, labels in columns.items()
        }
        unsure += reading.score is None
        if reading.score is not None:
            scored += reading.score == points(expected)
            wrong += reading.score != points(expected)
    return (
        f"| displays | {count} | {total} | {right / max(1, total):.1%} | {scored / max(1, count):.1%} "
        f"| {wrong / max(1, count):.1%} | {unsure / max(1, count):.1%} | {np.median(ms):.0f} |"
    )


def calibration(confidences: list[tuple[float, bool]]) -> str:
    """How often cards of a given confidence are right."""
    edges = (0.0, 0.6, 0.8, 0.9, 0.95, 0.99, 1.001)
    lines = ["| confidence | cards | right |", "|---|---|---|"]
    for low, high in pairwise(edges):
        inside = [right for value, right in confidences if low <= value < high]
        if inside:
            lines.append(f"| {low:g} to {min(high, 1):g} | {len(inside)} | {np.mean(inside):.1%} |")
    return "\n".join(lines)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", default="poker24,uno,unknown,nothing,displays,covered,held")
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    sets = options.set.split(",")
    photos = options.shared / "vision"
    if not photos.is_dir():
        print(f"{photos} is not there: poker24, uno, unknown, nothing and held are left out")
        sets = [name for name in sets if name in ("displays", "covered")]
    print(HEADER)
    confidences: list[tuple[float, bool]] = []
    for name in sets:
        for line, score in rows(name, photos, options):
            print(line, flush=True)
            if score is not None:
                confidences.extend(score.confidences)
                if options.verbose and score.notes:
                    print("\n".join(score.notes), flush=True)
    if confidences:
        print(calibration(confidences))


def default_shared() -> Path:
    """COMPANION_SHARED, otherwise ../shared beside the checkout."""
    return Path(os.environ.get("COMPANION_SHARED") or Path(__file__).resolve().parents[2] / "shared")


def rows(name: str, photos: Path, options: argparse.Namespace) -> list[tuple[str, real.Score | None]]:
    """The lines of one set."""
    if name in ("poker24", "uno"):
        scores = real.score(
            real.enrolled(photos / name), real.photos(photos / name, options.every), grounds=name == "uno"
        )
        return [(s.row(name if kind == "all" else f"{name}: {kind}"), s) for kind, s in scores.items()]
    if name == "unknown":
        others = real.strangers(photos / "uno" / "unknown", options.every)
        unknown = real.score(real.enrolled(photos / "uno"), others)["all"]
        return [(unknown.row("unknown (another uno, no card)"), unknown)]
    if name == "nothing":
        return [nothing(photos, options.every)]
    if name == "displays":
        print(
            "| set | pictures | cards | cards right | scores right | scores wrong | unsure | CPU ms, median |"
        )
        return [(displays(own_deck(), options.count, options.seed), None)]
    if name == "covered":
        return covered(photos, options.count, options.seed)
    if name == "held":
        backs = [load_picture(p) for p in sorted((photos / "uno" / "unknown").iterdir()) if "WIN" in p.name]
        rng = np.random.default_rng(options.seed)
        cards = references(photos / "uno")
        score = shots(
            real.enrolled(photos / "uno"), [rendered.held(cards, backs, rng) for _ in range(options.count)]
        )
        return [(score.row("held (uno, composed)"), score)]
    raise SystemExit(f"there is no set {name!r}")


def nothing(photos: Path, every: int) -> tuple[str, real.Score]:
    """Photos of one deck read with another: nothing may be named."""
    whole = real.Score()
    for deck, folder in (
        (real.enrolled(photos / "uno"), photos / "poker24" / "photos"),
        (real.enrolled(photos / "poker24"), photos / "uno" / "photos"),
        (own_deck(), photos / "uno" / "photos"),
        (own_deck(), photos / "poker24" / "photos"),
        (own_deck(), photos / "dice_mp" / "photos"),
    ):
        score = real.score(deck, real.strangers(folder, 4 * every))["all"]
        whole.photos += score.photos
        whole.false += score.false
        whole.ms.extend(score.ms)
        whole.notes.extend(f"{deck.name}: {note}" for note in score.notes)
    return whole.row("nothing (another deck's photos)"), whole


def covered(photos: Path, count: int, seed: int) -> list[tuple[str, real.Score | None]]:
    """Half, a third and a fifth of a card visible, 110 px wide."""
    decks = [("our deck", own_deck(), own_cards())]
    if photos.is_dir():
        decks.append(("uno", real.enrolled(photos / "uno"), references(photos / "uno")))
    lines: list[tuple[str, real.Score | None]] = []
    for name, deck, cards in decks:
        for part, words in PARTS:
            rng = np.random.default_rng([seed, round(part * 100)])
            score = shots(deck, [rendered.covered(cards, part, 110.0, rng) for _ in range(count)])
            lines.append((score.row(f"covered: {words} of {name} visible"), score))
    return lines


if __name__ == "__main__":
    main()
