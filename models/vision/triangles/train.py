"""Trains the network that compares triangular cards and writes triangles.onnx.

    python -m models.vision.triangles.train --work DIR [--minutes M] [--seed S] [--start WEIGHTS] [--out ONNX]

DIR/triangles and DIR/triangles_left_out are filled by samples.py. Each step takes places of one photograph:
what is seen at each is compared with its card in all turns, with the looks that are most like it and with
some others, which stand for all others. "None of them" is among the choices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.lattice.card_views import look_planes, seen_planes
from companion.vision.lattice.colours import Illuminant, TriangleTemplates
from models.vision.learning import (
    TrainingSchedule,
    choice_figures,
    onnx_bytes,
    prepare,
    record_run,
    training_parser,
    with_weights,
)
from models.vision.sample_files import SampleFiles
from models.vision.triangles.network import TriangleComparison
from models.vision.triangles.samples import NO_CARD

FOLDER = Path(__file__).parent
RATE = 3e-3
TABLES, PLACES, EMPTY = 3, 14, 0.45
"""Tables of a step, places of each, and share of them that show no card."""
NEAREST, OTHERS = 4, 3
"""Looks of other cards that a place is compared with: those most like it, and any."""
HALVED = 0.15
"""Share of the steps that know half of a deck."""
LAMP_ERROR = 0.06
"""Largest deviation (logarithm) by which the lamp of a table is estimated wrong in a step."""
REPORT_STEPS = 400
LIMITS = (0.5, 0.9)


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """A file of samples.py."""

    looks: TriangleTemplates
    lamp: Illuminant
    white: float
    picture_white: Floats
    colours: Bytes
    covered: Array
    truth: Array

    @staticmethod
    def read(file: Path) -> TrainingTable:
        """That file."""
        with np.load(file) as found:
            cards, lamp, whites = found["cards"], found["lamp"], found["whites"]
            looks = TriangleTemplates(
                tuple(map(str, range(int(cards.max()) + 1))), cards, found["looks"].astype(np.float32)
            )
            light = Illuminant(lamp[:2], float(lamp[2]))
            return TrainingTable(
                looks, light, float(whites[0]), whites[1:], found["colours"], found["covered"], found["truth"]
            )

    def varied(self, rng: np.random.Generator) -> TrainingTable:
        """The same with red and blue exchanged in half of the cases, its lamp a little wrong."""
        one = self
        if rng.random() < 0.5:
            other = np.array([1, -1, 1, 1], np.float32)
            one = replace(
                one,
                looks=replace(one.looks, values=one.looks.values * other),
                lamp=Illuminant(one.lamp.colour * np.float32([-1, 1]), one.lamp.brightness),
                picture_white=one.picture_white[::-1],
                colours=one.colours[..., ::-1],
            )
        wrong = rng.normal(0, LAMP_ERROR * rng.random(), 3).astype(np.float32)
        lamp = Illuminant(one.lamp.colour + wrong[:2], one.lamp.brightness + float(wrong[2]))
        return replace(one, lamp=lamp)

    def seen(self, at: Array) -> Floats:
        """What is seen at places."""
        colours = self.colours[at].astype(np.float32)
        return seen_planes(colours, self.covered[at], self.white, self.picture_white, self.lamp)

    def shown(self) -> Floats:
        """What all turned looks show."""
        return look_planes(self.looks, self.white, self.picture_white, self.lamp)


def likeness_order(seen: Floats, looks: Floats) -> Array:
    """The looks for each place, those first whose colours differ least: (places, looks)."""
    inside = looks[0, -2:] > 0
    own, other = seen[:, :6][:, :, inside.any(axis=0)], looks[:, :6][:, :, inside.any(axis=0)]
    away = np.minimum(np.abs(own[:, None] - other[None]), 0.5).mean(axis=(2, 3))
    return np.asarray(away.argsort(axis=1))


@dataclass(frozen=True, eq=False)
class TrainingPairs:
    """Places of a table compared with looks: the pairs (n, planes, rows, columns), the place of each (n,),
    the logarithm of how many pairs each stands for (n,), and whether the look is one of the place's
    card (n,)."""

    pairs: Floats
    owner: Array
    weight: Floats
    right: Array
    places: int


def pairs_of(one: TrainingTable, rng: np.random.Generator) -> TrainingPairs:
    """Some places of a table; where half of the deck is left out, its cards are none."""
    one = one.varied(rng)
    full, empty = np.flatnonzero(one.truth >= 0), np.flatnonzero(one.truth == NO_CARD)
    none = round(PLACES * EMPTY)
    at = np.concatenate([rng.permutation(full)[: PLACES - none], rng.permutation(empty)[:none]])
    seen, looks, cards = one.seen(at), one.shown(), one.looks.cards
    if rng.random() < HALVED:
        kept = np.isin(cards, rng.permutation(cards.max() + 1)[: (cards.max() + 2) // 2])
        looks, cards = looks[kept], cards[kept]
    pairs, weight, right = [], [], []
    for row, (place, near) in enumerate(zip(at, likeness_order(seen, looks), strict=True)):
        own = cards[near] == one.truth[place]
        others = near[~own]
        far = rng.permutation(others[NEAREST:])[:OTHERS]
        chosen = [*near[own], *others[:NEAREST], *far]
        share = math.log(max(len(others) - NEAREST, 1) / max(len(far), 1))
        weight += [0.0] * (len(chosen) - len(far)) + [share] * len(far)
        right += [True] * int(own.sum()) + [False] * (len(chosen) - int(own.sum()))
        pairs += [(row, look) for look in chosen]
    rows, columns = np.array(pairs).T
    whole = np.concatenate([seen[rows], looks[columns]], axis=1)
    if rng.random() < 0.5:  # seen in a mirror
        whole = np.ascontiguousarray(whole.transpose(0, 1, 3, 2))
    return TrainingPairs(whole, rows, np.array(weight, np.float32), np.array(right), len(at))


def loss_of(net: TriangleComparison, tables: Sequence[TrainingPairs]) -> torch.Tensor:
    """The mean loss of the places of several tables."""
    first = np.cumsum([0, *(one.places for one in tables)])
    owner = np.concatenate([one.owner + start for one, start in zip(tables, first, strict=False)])
    odds = net(torch.from_numpy(np.concatenate([one.pairs for one in tables])))[:, 0]
    odds = odds + torch.from_numpy(np.concatenate([one.weight for one in tables]))
    right = torch.from_numpy(np.concatenate([one.right for one in tables]))
    return choice_loss(odds, torch.from_numpy(owner), right, int(first[-1]))


def choice_loss(odds: torch.Tensor, owner: torch.Tensor, right: torch.Tensor, places: int) -> torch.Tensor:
    """The mean negative logarithm of the right choice's probability: any of the looks that are right, or none
    where there are none."""
    table = torch.full((places, int(owner.bincount().max()) + 1), -60.0)
    place_in_row = torch.cat([torch.arange(int(count)) for count in owner.bincount(minlength=places)]) + 1
    table[:, 0] = 0.0
    table = table.index_put((owner, place_in_row), odds)
    mask = torch.zeros(table.shape, dtype=torch.bool).index_put((owner, place_in_row), right)
    mask[:, 0] = ~mask.any(dim=1)
    good = table.masked_fill(~mask, -60.0).logsumexp(dim=1)
    return (table.logsumexp(dim=1) - good).mean()


def card_odds(net: TriangleComparison, one: TrainingTable) -> torch.Tensor:
    """The log odds of all cards at all places (places, cards)."""
    seen, looks = torch.from_numpy(one.seen(np.arange(len(one.truth)))), torch.from_numpy(one.shown())
    rows = [
        net(torch.cat([place.expand(len(looks), -1, -1, -1), looks], dim=1))[:, 0]
        .view(-1, 3)
        .logsumexp(dim=1)
        for place in seen
    ]
    return torch.stack(rows)


def figures(net: TriangleComparison, tables: Sequence[TrainingTable]) -> dict[str, float]:
    """On photographs of decks left out: the loss, the share of cards that are likeliest, and for each of
    LIMITS the recall and the precision of names that are more probable."""
    net.eval()
    with torch.no_grad():
        odds = [functional.pad(card_odds(net, one), (0, 1)) for one in tables]
    net.train()
    targets = [
        torch.from_numpy(np.where(table.truth == NO_CARD, one.shape[1] - 1, table.truth)).long()
        for table, one in zip(tables, odds, strict=True)
    ]
    losses = [
        functional.cross_entropy(one, right, reduction="none")
        for one, right in zip(odds, targets, strict=True)
    ]
    found = {"loss": float(torch.cat(losses).mean())} | choice_figures(odds, targets, LIMITS, "cards")
    return {name: round(value, 4) for name, value in found.items()}


def main() -> None:
    """The command."""
    parser = training_parser(__doc__, 25.0)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=FOLDER / "triangles.onnx")
    options = parser.parse_args()
    rng = prepare(options.seed)
    net = TriangleComparison()
    with_weights(net, options.start)
    samples = SampleFiles(options.work, "triangles", TrainingTable.read)
    left_out = samples.left_out
    schedule = TrainingSchedule(net, RATE, options.minutes)
    while schedule.next_step():
        if schedule.steps % REPORT_STEPS == 1:
            samples.look_again()
            print(
                f"{schedule.minutes:.1f} min, {schedule.steps} steps", figures(net, left_out[:10]), flush=True
            )
        schedule.learn(loss_of(net, [pairs_of(one, rng) for one in samples.drawn(TABLES, rng)]))
    found = figures(net, left_out)
    print(found)
    out: Path = options.out
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    example = torch.from_numpy(
        np.concatenate([left_out[0].seen(np.arange(2)), left_out[0].shown()[:2]], axis=1)
    )
    out.write_bytes(onnx_bytes(net, example, "pairs", ["log_odds"]))
    run = {"minutes": options.minutes, "seed": options.seed, "steps": schedule.steps}
    record_run(out, options.start, run, found)


if __name__ == "__main__":
    main()
