"""The story of Trio Monsters: why a card was legal, what it caught, who draws."""

from __future__ import annotations

from companion.core.sentence import Sentence, counted
from companion.games.contract.fields import Event
from companion.games.contract.rulebook import Verdict
from companion.games.trio_monsters.cells import beside, cell_of
from companion.games.trio_monsters.state import BLACK, TrioMonstersState


def story(
    before: TrioMonstersState, event: Event, after: TrioMonstersState, verdicts: tuple[Verdict, ...]
) -> tuple[Sentence, ...]:
    """What an accepted event meant (see `Rulebook.story`)."""
    if event["event"] == "card_revealed":
        return (Sentence("start_card", {"card": event["card"], "turn": after.turn}, ("TRIO-4", "TRIO-5")),)
    if event["event"] == "turn_ended":
        return _turn_ended(before, after)
    sentences = [_laid(before, event)]
    for one in verdicts:
        cards = len(one.details["cards"])
        if one.verdict == "caught":
            code = "caught_black" if one.rule == "TRIO-16" else "caught_chain"
            sentences.append(Sentence(code, {"player": one.player, "n": cards}, (one.rule, "TRIO-R1")))
        else:
            sentences.append(counted("detached", cards, {}, ("TRIO-17", "TRIO-R6")))
    return tuple(sentences)


def _laid(before: TrioMonstersState, event: Event) -> Sentence:
    """Where the card lies, and which rule allowed it there."""
    table, card = before.table, event["card"]
    said = {"player": event["player"], "card": card}
    neighbours = [table.get(cell) for cell in beside(cell_of(event["at"]))]
    if not table:
        return Sentence("laid_freely", said, ("TRIO-R7",))
    if card in neighbours:
        return Sentence("laid_to_its_colour", said, ("TRIO-R4" if card == BLACK else "TRIO-10",))
    if card == BLACK and not before.setup.settings.black_follows_colour_rule:
        return Sentence("black_laid_anywhere", said, ("TRIO-R4",))
    known = card in table.values()
    code, rule = ("laid_colour_closed", "TRIO-11") if known else ("laid_new_colour", "TRIO-9")
    return Sentence(code, said, (rule,))


def _turn_ended(before: TrioMonstersState, after: TrioMonstersState) -> tuple[Sentence, ...]:
    assert before.turn is not None
    seat = before.setup.players.index(before.turn)
    drawn = min(3 - before.hands[seat], before.draw_pile)
    said = {"player": before.turn, "left": after.draw_pile}
    rules = ("TRIO-8", "TRIO-R8")
    sentences = [counted("drew", drawn, said, rules) if drawn else Sentence("drew_none", said, rules)]
    if after.turn is not None:
        sentences.append(Sentence("turn_of", {"turn": after.turn}, ("TRIO-5",)))
    else:
        sentences.append(Sentence("nothing_left", {}, ("TRIO-19",)))
    return tuple(sentences)
