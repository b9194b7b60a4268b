"""From words to Kaldi's phones, and the decoding graph with the runtime grammar.

`HCLr.fst` turns transitions into words; Vosk composes it with the grammar that the listener asks for. Its
shape carries what is known of calls: one or two words, then a pause or a price. From the start one word
leads to a second hub, from there a second word to a third, and from the third a further word costs `third`
more; silence leads back to the start. So "two three" for a drawn-out "three" has to pay for its second
word.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

from .features import CONF
from .kaldi import Fst
from .words import COUGH, LAUGHTER, SILENCE, SOUNDS, STATES, UNKNOWN, pdf_table

DISAMBIGUATION = 99999
SILENCE_PHONE = 1


@dataclass(frozen=True)
class Costs:
    """What the graph charges, in nats next to acoustic scores scaled by `scale`."""

    word: float = 4.0
    second: float = 1.0
    third: float = 2.0
    unknown: float = 6.0
    sound: float = 4.0
    silence: float = 0.7
    scale: float = 0.4
    prior_power: float = 0.5


@dataclass
class Phones:
    """One phone per state of each word: `pdfs` and self-loop probabilities by phone, and each word's row."""

    pdfs: list[int] = field(default_factory=lambda: [SILENCE])
    loops: list[float] = field(default_factory=lambda: [0.9])
    kinds: list[str] = field(default_factory=lambda: ["nonword"])
    words: dict[str, list[int]] = field(default_factory=dict)

    def add(self, word: str, pdfs: list[int], loop: float) -> None:
        row = []
        for i, pdf in enumerate(pdfs):
            self.pdfs.append(pdf)
            self.loops.append(loop)
            self.kinds.append("begin" if i == 0 else "end" if i == len(pdfs) - 1 else "internal")
            row.append(len(self.pdfs))
        self.words[word] = row


def phones() -> Phones:
    """Silence is phone 1; `[unk]` passes its one pdf four times, so it lasts 120 ms at least."""
    table, result = pdf_table(), Phones()
    for word in STATES:
        result.add(word, list(table[word]), 0.75 if word in SOUNDS else 0.6)
    result.add(UNKNOWN, [table[UNKNOWN][0]] * 4, 0.6)
    return result


def _chain(
    fst: Fst, source: int, target: int, row: list[int], loops: list[float], word: int, cost: float
) -> None:
    """A word: forward transition on entry, then the self-loop, then an epsilon out (Kaldi's reordering)."""
    for i, phone in enumerate(row):
        loop, state = loops[phone - 1], fst.state()
        fst.arc(source, state, 2 * phone, word if i == 0 else 0, cost if i == 0 else 0.0)
        fst.arc(state, state, 2 * phone - 1, 0, -math.log(loop))
        if i == len(row) - 1:
            fst.arc(state, target, 0, 0, -math.log(1 - loop))
        else:
            after = fst.state()
            fst.arc(state, after, 0, 0, -math.log(1 - loop))
            source = after


def lexicon(book: Phones, ids: dict[str, int], costs: Costs) -> Fst:
    """HCLr: three hubs (fresh, after one word, after two) as the module describes them."""
    fst = Fst()
    hubs = [fst.state(), fst.state(), fst.state()]
    price = {UNKNOWN: costs.unknown, **dict.fromkeys(SOUNDS, costs.sound)}
    for i, hub in enumerate(hubs):
        fst.final[hub] = 0.0
        extra = (0.0, costs.second, costs.second + costs.third)[i]
        for word, row in book.words.items():
            free = word in (UNKNOWN, COUGH, LAUGHTER)
            target = hubs[0] if free else hubs[min(i + 1, 2)]
            _chain(
                fst,
                hub,
                target,
                row,
                book.loops,
                ids[word],
                price.get(word, costs.word) + (0 if free else extra),
            )
        _chain(fst, hub, hubs[0], [SILENCE_PHONE], book.loops, 0, costs.silence)
    return fst


def write(folder: Path, costs: Costs) -> Phones:
    """conf/ and graph/ of the model folder; returns the phones for am/final.mdl."""
    book = phones()
    ids = {word: i for i, word in enumerate(book.words, 1)}
    for part in ("am", "conf", "graph/phones"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "conf/mfcc.conf").write_text(CONF)
    (folder / "conf/model.conf").write_text(
        f"--min-active=200\n--max-active=3000\n--beam=13.0\n--lattice-beam=4.0\n--acoustic-scale={costs.scale}\n"
        "--frame-subsampling-factor=3\n--frames-per-chunk=6\n--endpoint.silence-phones=1\n"
        "--endpoint.rule2.min-trailing-silence=0.3\n--endpoint.rule3.min-trailing-silence=0.45\n"
        "--endpoint.rule4.min-trailing-silence=0.75\n"
    )
    lines = "".join(f"{word} {number}\n" for word, number in ids.items())
    (folder / "graph/words.txt").write_text("<eps> 0\n" + lines)
    (folder / "graph/disambig_tid.int").write_text(f"{DISAMBIGUATION}\n")
    kinds = "".join(f"{phone} {kind}\n" for phone, kind in enumerate(book.kinds, 1))
    (folder / "graph/phones/word_boundary.int").write_text(kinds)
    lexicon(book, ids, costs).write(folder / "graph/HCLr.fst")
    every = Fst()
    hub = every.state()
    every.final[hub] = 0.0
    for number in ids.values():
        every.arc(hub, hub, number, number, 0.0)
    every.write(folder / "graph/Gr.fst")
    return book
