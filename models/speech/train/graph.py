"""Maps words to Kaldi's phones, and writes the decoding graph for runtime grammars.

`HCLr.fst` maps transitions to words; Vosk composes it with the grammar of a listener. Silence does not follow
silence, nor other speech other speech: otherwise every way to divide a pause would be one more path in the
lattice, and the search would be four times as slow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

from models.speech.train.features import CONF
from models.speech.train.kaldi import Fst
from models.speech.train.words import SILENCE, SOUNDS, STATES, UNKNOWN, pdf_table

DISAMBIGUATION = 99999
"""A transition number that does not occur."""
SILENCE_PHONE = 1


@dataclass(frozen=True)
class Costs:
    """Costs of the graph in nats, and settings of the search. Acoustic scores are multiplied by `scale`."""

    word: float = 2.0
    """Of a word,"""
    unknown: float = 6.0
    """of each piece of other speech,"""
    lift: float = 0.5
    """less this for every 30 ms of other speech,"""
    sound: float = 4.0
    """of a throat sound, cough or laugh,"""
    silence: float = 0.7
    """of a pause."""
    scale: float = 0.6
    """Acoustic scale."""
    prior_power: float = 0.9
    """The priors of the states are raised to this power."""
    silence_loop: float = 0.9
    """Self-loop probability of silence,"""
    unknown_loop: float = 0.6
    """and of other speech."""
    beam: float = 10.0
    """Beams of the search and of the lattice."""
    lattice_beam: float = 3.0


@dataclass
class Phones:
    """One phone for each state of each word. Phones are numbered from 1; the lists begin with phone 1."""

    pdfs: list[int] = field(default_factory=lambda: [SILENCE])
    """The acoustic state of each phone."""
    loops: list[float] = field(default_factory=list)
    """The self-loop probability of each phone."""
    kinds: list[str] = field(default_factory=lambda: ["nonword"])
    """The place of each phone in its word, as in Kaldi's word_boundary.int."""
    words: dict[str, list[int]] = field(default_factory=dict)
    """The phones of each word."""

    def add(self, word: str, pdfs: list[int], loop: float) -> None:
        row = []
        for i, pdf in enumerate(pdfs):
            self.pdfs.append(pdf)
            self.loops.append(loop)
            self.kinds.append("begin" if i == 0 else "end" if i == len(pdfs) - 1 else "internal")
            row.append(len(self.pdfs))
        self.words[word] = row


def phones(costs: Costs) -> Phones:
    """The phones of all words. `[unk]` has its one state four times, so that it lasts at least 120 ms."""
    table, result = pdf_table(), Phones(loops=[costs.silence_loop])
    for word in STATES:
        result.add(word, list(table[word]), 0.75 if word in SOUNDS else 0.6)
    result.add(UNKNOWN, [table[UNKNOWN][0]] * 4, costs.unknown_loop)
    return result


def _chain(
    fst: Fst, source: int, target: int, row: list[int], loops: list[float], word: int, cost: float
) -> None:
    """Adds a word: per phone the forward transition, the self-loop, then an epsilon arc (Kaldi's
    reordering)."""
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
    """HCLr with three hub states: at the start or after a word, after silence, after other speech."""
    fst = Fst()
    word, silence, other = fst.state(), fst.state(), fst.state()
    price = {UNKNOWN: costs.unknown, **dict.fromkeys(SOUNDS, costs.sound)}
    for hub in (word, silence, other):
        fst.final[hub] = 0.0
        for name, row in book.words.items():
            if name != UNKNOWN:
                _chain(fst, hub, word, row, book.loops, ids[name], price.get(name, costs.word))
        if hub != silence:
            _chain(fst, hub, silence, [SILENCE_PHONE], book.loops, 0, costs.silence)
        if hub != other:
            _chain(fst, hub, other, book.words[UNKNOWN], book.loops, ids[UNKNOWN], costs.unknown)
    return fst


def write(folder: Path, costs: Costs) -> Phones:
    """Writes conf/ and graph/ of the model folder; returns the phones for am/final.mdl."""
    book = phones(costs)
    ids = {word: i for i, word in enumerate(book.words, 1)}
    for part in ("am", "conf", "graph/phones"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "conf/mfcc.conf").write_text(CONF)
    (folder / "conf/model.conf").write_text(
        f"--min-active=50\n--max-active=3000\n--beam={costs.beam}\n--lattice-beam={costs.lattice_beam}\n"
        f"--acoustic-scale={costs.scale}\n"
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
