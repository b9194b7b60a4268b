"""The story of The Nasty 7: what a card asks for, which call was right, who takes the pile and why."""

from __future__ import annotations

from companion.core.events import MutableParams
from companion.core.sentence import Sentence, counted
from companion.games.contract.fields import Event
from companion.games.contract.rulebook import Verdict
from companion.games.nasty_7.calls import CORRECT_RULE, PHONES, TWINS, number_of, racketeers_on
from companion.games.nasty_7.state import Nasty7State


def story(
    before: Nasty7State, event: Event, after: Nasty7State, verdicts: tuple[Verdict, ...]
) -> tuple[Sentence, ...]:
    """What an accepted event meant (see `Rulebook.story`)."""
    sentences: list[Sentence] = []
    match event["event"]:
        case "card_played":
            sentences = _played(before, event)
        case "heard":
            sentences = [_heard(before, event, after)]
        case "accused":
            sentences = [Sentence("doubted", {"players": list(event["by"])}, ("N7-23",))]
        case _:
            sentences = [Sentence("time_passed", {"seconds": float(event["t"])})]
    findings = [_finding(one, before) for one in verdicts]
    if findings and findings[0].code == "silence_kept":  # before the card that ends the silence
        sentences.insert(0, findings.pop(0))
    return (*sentences, *findings, *_round(before, after))


def _played(before: Nasty7State, event: Event) -> list[Sentence]:
    """The card, and what has to be called for it."""
    player, card = event["player"], event["card"]
    first = before.racketeers + 1
    numbers = [number_of(first + i) for i in range(racketeers_on(card))]
    said: MutableParams = {"player": player, "card": card, "expected": numbers}
    rule = CORRECT_RULE[card]
    if card == "gun":
        sentences = [Sentence("played_gun", said, (rule, "N7-15"))]
    elif card in PHONES:
        code = "played_phone" if card == "phone" else "played_twin_phone"
        sentences = [Sentence(code, said, (rule, "N7-15"))]
    else:
        sentences = [Sentence("played_number", said, (rule, "N7-8"))]
    if card in TWINS:
        players = before.setup.players
        skipped = players[(players.index(player) + 1) % len(players)]
        twin_rule = "N7-10" if card == "twin_racketeer" else "N7-13"
        sentences.append(Sentence("skips", {"player": skipped}, (twin_rule,)))
    return sentences


def _heard(before: Nasty7State, event: Event, after: Nasty7State) -> Sentence:
    """What was said, and whether it counted for the call."""
    said = {"words": list(event["words"])}
    call = before.call
    if call is None or call.done or event.get("player", call.player) != call.player:
        return Sentence("heard_beside", said, ("N7-R9",))
    if before.sound is None and after.sound is not None:
        return Sentence("sound_invented", {**said, "player": call.player}, ("N7-28",))
    return Sentence("heard", {**said, "player": call.player}, (CORRECT_RULE[call.card],))


def _finding(one: Verdict, before: Nasty7State) -> Sentence:
    said: MutableParams = {"player": one.player, **one.details}
    said["seconds"] = before.setup.settings.hesitation_s
    rules = (one.rule,) if one.rule else ()
    if one.verdict == "correct" and before.call is not None and before.call.silent:
        return Sentence("silence_kept", said, rules)
    return Sentence(one.verdict, said, rules)


def _round(before: Nasty7State, after: Nasty7State) -> list[Sentence]:
    """Who has taken cards, and who begins the next round."""
    if after.round == before.round:
        return []
    sentences = []
    changes = zip(after.setup.players, before.stacks, after.stacks, strict=True)
    for player, old, new in changes:
        if new > old:
            sentences.append(counted("takes_cards", new - old, {"player": player}, ("N7-17",)))
    if after.turn is not None:
        sentences.append(
            Sentence("new_round", {"round": after.round, "turn": after.turn}, ("N7-17", "N7-R2"))
        )
    return sentences
