"""What the people at the table do with their phones: answer questions truthfully, mend what is wrong.

They answer a question some seconds after it was asked. When they look at the page they compare it with what
has happened: they take back an accusation that was wrong, put right or remove an event, enter one that is
missing at the end, and where nothing else helps take moves back and enter them again. If that does not help
either, they agree on how things stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bench.evenings.counts import Cause, Evening
from bench.evenings.keys import ComparedItem, EventDifference, differences, items
from bench.evenings.page import ACCUSING, Page, Verdicts
from bench.evenings.script import TIMES, Rng
from bench.evenings.truth import EveningTruth
from companion.api.commands import Amend, Answer, EnterEvent, Overrule, Reply, Request, SetPosition, Undo
from companion.games.spotter import Option
from companion.table.questions import OpenQuestion

Send = Callable[[Request], Reply]
"""Sends a command from a phone and waits for its reply."""
ENTERED = ("phone", "photograph")
"""Senses of events that come from a phone."""
MOST_UNDOS = 25
MOST_MENDS = 30
PLAYED_ON = 0.5
"""How often the players go on without answering a question that lets them."""


def taps_of(event: Mapping[str, Any]) -> int:
    """Taps that it takes to enter an event: its kind, and each field but times and the player to act."""
    return 1 + len([name for name in event if name not in TIMES | {"event", "player", "announced"}])


class Manners:
    """The people's dealings with the page of one evening."""

    def __init__(self, page: Page, truth: EveningTruth, counts: Evening, send: Send, rng: Rng) -> None:
        self._page, self._truth, self._counts, self._send, self._rng = page, truth, counts, send, rng
        self._asked: dict[str, float] = {}
        self._unanswered: set[str] = set()
        self._accused: set[tuple[int, str, str]] = set()
        self._skip = (0, 0)
        self._helped: set[int] = set()
        self.what = ""
        """Circumstances of the present beat, if nothing true happens in it."""
        self.alarmed = False
        """Whether the companion has accused somebody wrongly: people look at the page as soon as they can."""

    # --- questions ----------------------------------------------------------------------------------------

    def notice(self, now: float, true: Verdicts) -> None:
        """Looks at new questions and new accusations; `true` are the mistakes up to the end of the beat."""
        for asked in self._page.questions:
            if asked.id not in self._asked:
                self._asked[asked.id] = now + float(self._rng.uniform(1.5, 3.5))
                self._counts.questions += 1
                if not asked.question.blocks and self._rng.random() < PLAYED_ON:
                    self._unanswered.add(asked.id)
        self._notice_accusations(true)

    def answer_due(self, now: float) -> None:
        """Answers the questions whose time has come."""
        for asked in self._page.questions:
            if asked.id in self._unanswered or now < self._asked.get(asked.id, now + 1):
                continue
            option, item = self._choice(asked)
            reply = self._send(Answer(asked.id, option.id))
            self._counts.answers += 1
            self._counts.taps += 1
            moment = self._truth.of(item).moment if item is not None else self._situation
            if item is not None:
                self._helped.add(item.numbers[0])
            seen = "" if asked.question.options[0] is option else f"first: {asked.question.options[0].id}"
            self._note(asked.question.source, f"question {asked.question.code}", moment, now, seen)
            if not reply.ok:
                self._asked[asked.id] = now + 2.0
            elif self._stands_right(option) and option.events[0]["event"] == "position":
                self._skip = (len(self._truth.items()), len(self._page.items()))

    @property
    def waits(self) -> bool:
        """Whether the players hold the game because of a question."""
        open_ones = [asked for asked in self._page.questions if not asked.question.stays]
        return any(asked.id not in self._unanswered for asked in open_ones)

    def _choice(self, asked: OpenQuestion) -> tuple[Option, ComparedItem | None]:
        """The true answer, and the true event that it brings; "none of these" if no option is true."""
        missing = [item for one in self._differences() for item in one.wanted]
        options = asked.question.options
        for option in options:
            if self._stands_right(option):
                return option, None
            keys = [item.key for item in items(list(enumerate(option.events)))]
            wanted = [item for item in missing if item.key in keys]
            if keys and len(wanted) >= len(keys):
                return option, wanted[0]
        return next((one for one in options if not one.events), options[-1]), None

    def _stands_right(self, option: Option) -> bool:
        """Whether the option agrees on how things stand, or changes an event, and they do stand so."""
        if [one["event"] for one in option.events] not in (["position"], ["amended"]):
            return False
        return self._page.record.preview(option.events[0]).view == self._truth.view

    def _notice_accusations(self, true: Verdicts) -> None:
        """Counts accusations by the companion that are not true."""
        record = self._page.record
        for verdict in record.verdicts:
            kind = str(verdict["verdict"])
            name = (int(verdict["n"]), str(verdict["player"]), kind)
            if kind not in ACCUSING or name in self._accused:
                continue
            self._accused.add(name)
            shown = self._page.verdicts()[name[1:]]
            if shown > true[name[1:]]:
                self._counts.wrong_accusations += 1
                self.alarmed = True

    # --- mending ------------------------------------------------------------------------------------------

    def _differences(self) -> list[EventDifference]:
        wanted, found = self._truth.items(), self._page.items()
        return [
            EventDifference(one.at + self._skip[1], one.wanted, one.found)
            for one in differences(wanted[self._skip[0] :], found[self._skip[1] :])
        ]

    @property
    def agrees(self) -> bool:
        """Whether the page shows what has happened."""
        if self._differences() or self._page.verdicts() != self._truth.verdicts():
            return False
        return self._page.phase == self._truth.view["phase"]

    def look(self, now: float) -> None:
        """Looks at the page, counts what is wrong on it and mends it."""
        counts = self._counts
        self.alarmed = False
        counts.looks += 1
        if dict(self._page.snapshot.scores) != dict(self._truth.scores) and not self._page.questions:
            counts.wrong_scores += 1
        missing = self._truth.verdicts() - self._page.verdicts()
        counts.missed_mistakes += sum(missing.values())
        for _ in range(MOST_MENDS):
            if self.agrees:
                return
            if not self._mend_next(now):
                break
        if not self.agrees:
            self._agree(now)

    def _mend_next(self, now: float) -> bool:
        """Mends the first thing that is wrong; whether something was done."""
        found = self._differences()
        wrong = self._wrong_verdict()
        at = found[0].at if found else len(self._page.items())
        if wrong is not None and (not found or self._position(wrong) <= at):
            verdict = next(v for v in self._page.record.verdicts if v["n"] == wrong)
            self._note("rules", f"{verdict['verdict']} invented", self._truth.moment, now)
            return self._command(Overrule(wrong), 2)
        if not found and self._page.phase == "countdown":
            self._note("microphone", "countdown not followed", "count", now)
            return self._command(SetPosition(self._truth.view), 3)
        if not found:
            return self._let_time_run(now)
        return self._mend(found[0], now)

    def _mend(self, first: EventDifference, now: float) -> bool:
        shown = self._page.items()
        self._note_difference(first, now)
        if first.kind == "missed" and first.at == len(shown):
            return self._enter_from(first.wanted[0])
        if first.kind == "invented" and len(first.found[0].numbers) == 1:
            return self._command(Amend(first.found[0].numbers[0], None), 2)
        one, other = (first.wanted or (None,))[0], (first.found or (None,))[0]
        alike = one is not None and other is not None and one.key[0] == other.key[0]
        if alike and len(first.wanted) == len(first.found) and len(other.numbers) == 1:
            self._helped.add(one.numbers[0])
            times = {name: value for name, value in other.event.items() if name in TIMES}
            better = {**{k: v for k, v in one.event.items() if k not in TIMES}, **times}
            changed = sum(better.get(name) != value for name, value in other.event.items())
            before = self._page.items()[: first.at]
            if self._command(Amend(other.numbers[0], better), 2 + changed):
                return len(self._page.items()) > len(before)
        return self._take_back_to(first)

    def _take_back_to(self, first: EventDifference) -> bool:
        """Takes moves back until what is left is right, and enters what has happened since."""
        for _ in range(MOST_UNDOS):
            if len(self._page.items()) <= first.at or not self._command(Undo(), 1):
                break
        entered = False
        left = self._truth.items()[self._skip[0] :]
        while len(left) > (good := len(self._page.items()) - self._skip[1]):
            if not self._enter_from(left[good]):
                break
            entered = True
        return entered

    def _enter_from(self, item: ComparedItem) -> bool:
        """Enters the true event of an item, and those that only time brings before it."""
        number = item.numbers[0]
        self._helped.update(item.numbers)
        event = {k: v for k, v in self._truth.events[number].event.items() if k not in TIMES}
        return self._command(EnterEvent(event), taps_of(event))

    def _let_time_run(self, now: float) -> bool:
        """Says that a player was too late, where the page has not noticed."""
        book, state = self._page.record.book, self._page.record.state
        deadline = book.deadline(state)
        if deadline is None or not self._truth.verdicts() - self._page.verdicts():
            return False
        self._note("clock", "too_late missed", self._truth.moment, now)
        return self._command(EnterEvent({"event": "time_passed", "t": round(deadline + 0.05, 3)}), 2)

    def _wrong_verdict(self) -> int | None:
        """The number of the first entry with an accusation that is not true; None without one."""
        true = self._truth.verdicts()
        for verdict in self._page.record.verdicts:
            if verdict["verdict"] not in ACCUSING:
                continue
            name = (str(verdict["player"]), str(verdict["verdict"]))
            if true[name] == 0:
                return int(verdict["n"])
            true[name] -= 1
        return None

    def _position(self, n: int) -> int:
        """How many items the page shows before entry `n`."""
        return sum(item.numbers[-1] < n for item in self._page.items())

    def _agree(self, now: float) -> None:
        """Agrees on how things stand; from now on the journal is compared from here."""
        self._note("phone", "position agreed", self._truth.moment, now)
        if self._command(SetPosition(self._truth.view), 6):
            self._skip = (len(self._truth.items()), len(self._page.items()))
            self._counts.note += "position agreed; "

    def _command(self, request: Request, taps: int) -> bool:
        """Sends a correction; whether it was accepted."""
        self._counts.corrections += 1
        self._counts.taps += taps
        return self._send(request).ok

    @property
    def _situation(self) -> str:
        return self.what or f"after {self._truth.moment}"

    # --- counting -----------------------------------------------------------------------------------------

    def _note(self, sense: str, what: str, moment: str, now: float, detail: str = "") -> None:
        self._counts.causes.append(Cause(sense, what, moment, round(now, 1), detail))

    def _note_difference(self, first: EventDifference, now: float) -> None:
        wanted = first.wanted[0] if first.wanted else None
        found = first.found[0] if first.found else None
        if wanted is None:
            assert found is not None
            sense = self._page.source(found.numbers[-1])
            self._note(sense, f"{found.key[0]} invented", self._situation, now, str(found.key[1:]))
            return
        true = self._truth.of(wanted)
        alike = found is not None and found.key[0] == wanted.key[0]
        kind = "misread" if alike and len(first.wanted) == len(first.found) else "missed"
        seen = "" if found is None else f"seen {found.key[1:]} for {wanted.key[1:]}"
        self._note(true.sense, f"{wanted.key[0]} {kind}", true.moment, now, seen)

    def finish(self) -> None:
        """Counts at the end: what was found, and whether everything is right."""
        truth, counts = self._truth, self._counts
        told = sorted(number for item in truth.items() for number in item.numbers)
        sensed = [i for i in told if truth.events[i].sense not in ENTERED]
        counts.events = len(sensed)
        counts.found = len([i for i in sensed if i not in self._helped])
        counts.entered = len(told) - len(sensed)
        counts.mistakes = sum(truth.verdicts().values())
        view = dict(self._page.record.book.view(self._page.record.state))
        same = view == truth.view and dict(self._page.snapshot.scores) == dict(truth.scores)
        counts.equal = same and self.agrees
        counts.alone = counts.equal and counts.answers == 0 and counts.corrections == 0
        if not counts.equal:
            wrong = [key for key, value in truth.view.items() if view.get(key) != value]
            counts.note += f"at the end {', '.join(wrong) or 'the events'} differ; "
