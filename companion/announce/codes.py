"""Every code that the table may announce: its sentence, its priority and its rhythm.

The sentences are message ids of gettext (English is what they say themselves): N_ marks them for extraction.
What happened comes first, then why; short, plain, never blame. Names in braces are parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

import msgspec

from companion.announce.rhythms import Rhythm


def N_(message: str) -> str:  # noqa: N802 - the name that gettext's tools look for
    """Marks a message for translation and returns it as it is."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - as N_
    """Marks the singular and the plural of a message for translation."""
    return one, many


class Priority(IntEnum):
    """How urgent an announcement is: the most urgent one is given first."""

    ROUTINE = 0
    """What was expected: written in the log, not announced."""
    NOTE = 1
    """Good to know; may wait."""
    SCORE = 2
    """Changes the score board."""
    QUESTION = 3
    """The companion is not sure and asks."""
    FINDING = 4
    """The referee found something that the table must act on now."""
    ALARM = 5
    """Something does not work and the table must know."""


class Meaning(msgspec.Struct, frozen=True):
    """One code: its sentence, its priority and its rhythm (None: silence).

    `counts`: the parameter that decides between `one` and `text`, "" where nothing is counted.
    """

    text: str
    priority: Priority
    rhythm: Rhythm | None = None
    counts: str = ""
    one: str = ""


def _finding(text: str, rhythm: Rhythm | None = "wrong") -> Meaning:
    return Meaning(text, Priority.FINDING, rhythm)


def _counting(
    counts: str, texts: tuple[str, str], priority: Priority, rhythm: Rhythm | None = None
) -> Meaning:
    return Meaning(texts[1], priority, rhythm, counts, texts[0])


def _refusal(text: str) -> Meaning:
    return Meaning(text, Priority.NOTE, "wrong")


VERDICTS: Mapping[str, Meaning] = {
    "correct": Meaning(N_("{player} was right."), Priority.ROUTINE),
    "wrong_number": _finding(N_("{player} said {said}. It was {expected}.")),
    "wrong_word": _finding(N_("{player} said {said}. That was another word than the one wanted.")),
    "wrong_sound": _finding(N_("{player} said {said}. That was not the sound of this round.")),
    "should_be_silent": _finding(N_("{player} said {said}. It was a gun: silence.")),
    "should_have_skipped": _finding(N_("{player} played. It was a twin: {player} skips.")),
    "too_late": _counting(
        "limit",
        NN_("{player} took more than {limit} second.", "{player} took more than {limit} seconds."),
        Priority.FINDING,
        "too_late",
    ),
    "no_call": _finding(N_("{player} said nothing before the next card.")),
    "false_accusation": _finding(N_("{player} doubted the call. It was right.")),
    "misplaced": _finding(N_("{player}'s hidden cards did not fit together. They are sorted now.")),
    "caught": _counting(
        "count",
        NN_("{player} caught {count} card.", "{player} caught {count} cards."),
        Priority.FINDING,
        "right",
    ),
    "detached": _counting(
        "count",
        NN_(
            "{count} card came loose and goes under the pile.",
            "{count} cards came loose and go under the pile.",
        ),
        Priority.NOTE,
    ),
    "must_stop": _finding(N_("{player} took a tile after stopping. It does not count.")),
    "must_not_look": _finding(N_("{player} looked at a tile that was kept. Kept tiles stay unseen.")),
    "must_not_return": _finding(N_("{player} put a kept tile back. Kept tiles stay.")),
    "set_found": _finding(N_("{player} found a set."), "right"),
    "attack_won": _finding(N_("{player} won the attack."), "right"),
    "attack_lost": _finding(N_("{player} lost the attack."), "wrong"),
    "not_announced": _finding(N_("{player} did not announce the power. It has no effect.")),
    "elemental_master": _finding(N_("{player} is Elemental Master and wins."), "right"),
}
"""Findings of the rulebooks."""

REJECTIONS: Mapping[str, Meaning] = {
    "unknown_event": _refusal(N_("That does not exist in this game.")),
    "game_over": _refusal(N_("The game is over. Undo the last move if it is not.")),
    "time_reversed": _refusal(N_("That was before the last move. Undo first, or change the earlier move.")),
    "unknown_player": _refusal(N_("Nobody of that name is at the table.")),
    "missing_field": _refusal(N_("Something is missing in what was entered.")),
    "bad_field": _refusal(N_("What was entered has an impossible value.")),
    "unknown_card": _refusal(N_("There is no such card in this game.")),
    "wrong_phase": _refusal(N_("That is not due now.")),
    "not_your_turn": _refusal(N_("It is {turn}'s turn.")),
    "bad_position": _refusal(N_("Things cannot stand like that. Count again.")),
    "nothing_to_undo": _refusal(N_("There is nothing to undo.")),
    "nothing_to_place": _refusal(N_("{player} has no card to place.")),
    "nothing_to_amend": _refusal(N_("There is no move {n} that could be changed.")),
    "nothing_to_overrule": _refusal(N_("There is no finding about move {n} to set aside.")),
    "nothing_to_agree": _refusal(N_("Move {n} was not refused, or the table has agreed to it already.")),
    "no_outcome": _refusal(N_("What would follow cannot be worked out. Say how things stand.")),
    "bad_json": _refusal(N_("That could not be read.")),
    "not_tied": _refusal(N_("Only one of the two tied players can get the trick.")),
    "wrong_card": _refusal(N_("{player} owes a joker, not a monster.")),
    "wrong_column": _refusal(N_("That card belongs in another column.")),
    "joker_starts_column": _refusal(N_("A joker joins a monster that lies there already.")),
    "must_use_column": _refusal(N_("The joker must join a column: {player} has one.")),
    "nothing_face_down": _refusal(N_("Nothing lies face down there.")),
    "reveal_not_due": _refusal(N_("The hidden cards stay hidden for now.")),
    "impossible_card": _refusal(N_("That card is already on the table, or there are too many of it.")),
    "wrong_total": _refusal(N_("All displays together must hold ten cards for each player.")),
    "no_cards_left": _refusal(N_("{player} has no card left to play.")),
    "nothing_to_accuse": _refusal(N_("There is no finished call to doubt.")),
    "occupied": _refusal(N_("A card lies there already.")),
    "no_side_contact": _refusal(N_("The card must touch another one with a side.")),
    "must_touch_same_colour": _refusal(N_("The card must touch its own colour: there is room for it.")),
    "must_play": _refusal(N_("{player} plays a card first.")),
    "already_stopped": _refusal(N_("{player} has stopped already.")),
    "no_such_trophy": _refusal(N_("That trophy is not there.")),
    "not_highest_trophy": _refusal(N_("The highest trophy goes first.")),
    "already_scored": _refusal(N_("{player}'s tiles are counted already.")),
    "impossible_tiles": _refusal(N_("So many tiles of one kind do not exist.")),
    "must_build": _refusal(N_("A monster must be built first.")),
    "no_card": _refusal(N_("There is no card at that place.")),
    "frozen": _refusal(N_("That card is frozen.")),
    "already_revealed": _refusal(N_("That card is face up already.")),
    "must_search": _refusal(N_("{player} turns over cards first.")),
    "not_allowed_yet": _refusal(N_("{player} owns nothing to trade yet.")),
    "no_such_set": _refusal(N_("That set is not there.")),
    "no_such_monster": _refusal(N_("That monster is not there.")),
    "already_attacked": _refusal(N_("{player} has attacked already in this turn.")),
    "no_such_power": _refusal(N_("{player} has no monster with that power.")),
    "power_lost": _refusal(N_("The power was used without saying so. It is lost for this turn.")),
    "already_used": _refusal(N_("The power was used already for this search.")),
    "already_frozen": _refusal(N_("That card is frozen already.")),
    "no_dice_left": _refusal(N_("No dice are left to freeze a card.")),
    "bad_dice": _refusal(N_("Those five dice are not possible.")),
    "must_throw": _refusal(N_("{player} throws first.")),
}
"""Why an event was not accepted."""

NOTICES: Mapping[str, Meaning] = {
    "ready": Meaning(N_("Ready. Scan the code to join."), Priority.NOTE, "right"),
    "game_started": Meaning(N_("{title} begins. {turn} starts."), Priority.NOTE, "go"),
    "game_started_together": Meaning(N_("{title} begins."), Priority.NOTE, "go"),
    "game_ended": Meaning(N_("The game was put away."), Priority.NOTE),
    "game_resumed": Meaning(N_("The game goes on. The clock waits for the next move."), Priority.NOTE, "go"),
    "continued": Meaning(N_("The clock runs again."), Priority.NOTE, "go"),
    "round_scored": Meaning(N_("Round {round}: {points}."), Priority.SCORE, "right"),
    "winner": Meaning(N_("{winner} wins."), Priority.FINDING, "right"),
    "winners": Meaning(N_("{winner} win together."), Priority.FINDING, "right"),
    "undone": Meaning(N_("Taken back: {what}"), Priority.SCORE, "tick"),
    "amended": Meaning(N_("Move {n} was changed."), Priority.SCORE, "tick"),
    "overruled": Meaning(N_("The table agrees otherwise. Finding {n} is set aside."), Priority.SCORE, "tick"),
    "counted": Meaning(N_("{number}"), Priority.FINDING, "tick"),
    "countdown_over": Meaning(N_("Stop!"), Priority.FINDING, "stop"),
    "unsure_card": Meaning(N_("I am not sure: which card is this?"), Priority.QUESTION, "tick"),
    "unsure_card_of": Meaning(N_("I am not sure: which card did {player} play?"), Priority.QUESTION, "tick"),
    "who_laid_card": Meaning(
        N_("I am not sure: who laid this card, {player} or {other}?"), Priority.QUESTION, "tick"
    ),
    "unsure_card_turned": Meaning(
        N_("I am not sure: which card did {player} turn over?"), Priority.QUESTION, "tick"
    ),
    "unsure_dice_of": Meaning(
        N_("I am not sure: are these the dice that {player} threw?"), Priority.QUESTION, "tick"
    ),
    "cocked_dice_of": Meaning(
        N_("{player}'s dice: I can read {seen} of 5. Does one lean? Lay it flat or throw it again."),
        Priority.QUESTION,
        "tick",
    ),
    "kept_unequal": Meaning(
        N_("{player} kept {dice}, which are not equal. Do the dice count?"), Priority.QUESTION, "tick"
    ),
    "set_turned_back": Meaning(
        N_("I took it for a set, but it was turned back. Which card lay in row {row}, place {column}?"),
        Priority.QUESTION,
        "tick",
    ),
    "cards_taken_as_set": Meaning(
        N_("{player} took both cards away, but I saw no set. Which set is it?"), Priority.QUESTION, "tick"
    ),
    "whose_die": Meaning(
        N_("A die lies in row {row}, place {column}. Who has frozen it?"), Priority.QUESTION, "tick"
    ),
    "die_gone": Meaning(
        N_("{player}'s die in row {row}, place {column} is gone. Is the card no longer frozen?"),
        Priority.QUESTION,
        "tick",
    ),
    "unsure_start": Meaning(N_("I am not sure: which card is the first one?"), Priority.QUESTION, "tick"),
    "unsure_card_at": Meaning(
        N_("I am not sure: which card did {player} lay in row {row}, place {column}?"),
        Priority.QUESTION,
        "tick",
    ),
    "unsure_order": Meaning(
        N_("I am not sure: in which order did {player} lay the cards?"), Priority.QUESTION, "tick"
    ),
    "card_gone": Meaning(
        N_("I do not see {card} in row {row}, place {column} any more. Undo if it was taken back."),
        Priority.NOTE,
    ),
    "card_differs": Meaning(
        N_("In row {row}, place {column} I see {card}, not {known}. Change the move if I am right."),
        Priority.NOTE,
        "tick",
    ),
    "card_in_other_display": Meaning(
        N_("{card} lies in {player}'s display, but {owner} took that trick. Whose is it?"),
        Priority.QUESTION,
        "tick",
    ),
    "card_of_other_display": Meaning(
        N_("{card} lies in {player}'s display. By what I know it is {owner}'s."), Priority.NOTE, "tick"
    ),
    "card_was_other": Meaning(
        N_("In {player}'s display I see {card}, not {known}. Which card was it?"), Priority.QUESTION, "tick"
    ),
    "card_twice": Meaning(
        N_("I see {card} twice in {player}'s display. One of them is another card."), Priority.NOTE, "tick"
    ),
    "card_missing": Meaning(N_("I do not see {card} in {player}'s display."), Priority.NOTE),
    "who_takes_pile": Meaning(
        N_("The pile was picked up, and I do not know why. Who takes it?"), Priority.QUESTION, "tick"
    ),
    "late_card": Meaning(N_("{player} takes this card too, with the pile."), Priority.NOTE),
    "pile_not_taken": _counting(
        "count",
        NN_(
            "{player} takes the pile of the last round: {count} card.",
            "{player} takes the pile of the last round: {count} cards.",
        ),
        Priority.NOTE,
        "tick",
    ),
    "card_is_other": Meaning(
        N_("In row {row}, place {column} I see {card}, not {known}. Which card is it?"),
        Priority.QUESTION,
        "tick",
    ),
    "card_taken_back": Meaning(
        N_("I do not see {player}'s {card} any more. Was it taken back?"), Priority.QUESTION, "tick"
    ),
    "catch_not_seen": Meaning(
        N_("{count} cards were taken away, but I saw no catch. Which card did {player} lay?"),
        Priority.QUESTION,
        "tick",
    ),
    "cards_taken_away": Meaning(
        N_("{count} cards were taken away, but I saw no catch. Which card was another one?"),
        Priority.QUESTION,
        "tick",
    ),
    "caught_still_there": _counting(
        "count",
        NN_(
            "{count} card that {player} caught or that came loose still lies on the table.",
            "{count} cards that {player} caught or that came loose still lie on the table.",
        ),
        Priority.NOTE,
    ),
    "tiles_differ": Meaning(
        N_("{player}'s tiles: {counted} were counted, {taken} were taken. Count them again?"),
        Priority.QUESTION,
        "tick",
    ),
    "table_lost": Meaning(
        N_("I cannot find the known cards on the table. Enter the next cards by phone."),
        Priority.NOTE,
        "tick",
    ),
    "too_many_new": Meaning(
        N_("I see {count} new cards at once. Enter them by phone, in their order."), Priority.NOTE, "tick"
    ),
    "unsure_call": Meaning(N_("I am not sure: was that {guess}?"), Priority.QUESTION, "tick"),
    "missed_card_of": Meaning(
        N_("I heard {guess} but saw no card. Which card did {player} play?"), Priority.QUESTION, "tick"
    ),
    "missed_card_not_made_out": Meaning(
        N_("I could not make out what {player} said, and saw no card. Which card was it?"),
        Priority.QUESTION,
        "tick",
    ),
    "card_between": Meaning(
        N_("I heard {guess}. Did I miss a card of {player} before it?"),
        Priority.QUESTION,
        "tick",
    ),
    "call_on_gun": Meaning(
        N_("I heard {guess} after the gun. Did {player} play a card?"), Priority.QUESTION, "tick"
    ),
    "not_made_out": Meaning(
        N_("I could not make out what {player} said. Was it right?"), Priority.QUESTION, "tick"
    ),
    "doubted_call": Meaning(
        N_("{by} doubted the call of {player}. Was it {words}?"), Priority.QUESTION, "tick"
    ),
    "unsure_hidden": Meaning(
        N_("I am not sure: which hidden column is it, {player}?"), Priority.QUESTION, "tick"
    ),
    "who_got_trick": Meaning(N_("I am not sure: who got the trick?"), Priority.QUESTION, "tick"),
    "who_took_trophy": Meaning(N_("Who took trophy {value}?"), Priority.QUESTION, "tick"),
    "place_first": Meaning(N_("{player} places a card first. Which one?"), Priority.QUESTION, "tick"),
    "unsure_column": Meaning(N_("I am not sure: where does {player}'s joker go?"), Priority.QUESTION, "tick"),
    "taken_as_right": Meaning(
        N_("{player} was not heard. Nobody objected: it counts as right."), Priority.NOTE
    ),
    "source_down": Meaning(N_("The {source} does not answer: {why}"), Priority.ALARM, "wrong"),
    "source_up": Meaning(N_("The {source} works again."), Priority.NOTE),
    "buttons_impaired": Meaning(N_("Some buttons do not work: {names}. {why}"), Priority.ALARM, "wrong"),
    "camera_bumped": Meaning(N_("The camera was bumped. Put it back."), Priority.ALARM, "wrong"),
    "lens_covered": Meaning(N_("Something covers the lens."), Priority.ALARM, "wrong"),
    "too_dark": Meaning(N_("It is too dark for the camera."), Priority.ALARM, "wrong"),
    "too_bright": Meaning(N_("It is too bright for the camera."), Priority.NOTE),
    "out_of_focus": Meaning(N_("The camera's picture is out of focus."), Priority.NOTE),
    "too_shiny": Meaning(N_("A lamp shines on the table: cards there cannot be read."), Priority.NOTE),
    "recording_started": Meaning(
        N_("This evening is being recorded: pictures, sound and what phones send."), Priority.NOTE
    ),
    "recording_stopped": Meaning(N_("The recording has ended."), Priority.NOTE),
    "recording_failed": Meaning(N_("The recording has ended: {why}"), Priority.NOTE, "wrong"),
    "not_written": Meaning(N_("That did not count. {why}"), Priority.ALARM, "wrong"),
    "not_stored": Meaning(N_("Careful: {why}"), Priority.ALARM, "wrong"),
    "wrong_codes": Meaning(
        N_("Somebody tries codes to become the referee: {n} wrong ones."), Priority.ALARM, "wrong"
    ),
    "phone_asks": Meaning(
        N_("A phone ({phone}) asks to be the referee's: press the referee's button if it may."),
        Priority.NOTE,
        "right",
    ),
    "phone_paired": Meaning(N_("A phone ({phone}) is the referee's now."), Priority.NOTE),
    "journal_healed": Meaning(
        N_("The journal was damaged and has been repaired. Entries lost: {lost}. See Past games."),
        Priority.ALARM,
        "wrong",
    ),
    "referee_only": Meaning(
        N_("Only the referee can do that. Enter the code on the join page."), Priority.NOTE
    ),
    "no_game": Meaning(N_("No game is on the table. Start one first."), Priority.NOTE),
    "game_is_on": Meaning(N_("Meanwhile {title} has been started with {players}."), Priority.NOTE),
    "no_question": Meaning(N_("That question has been answered."), Priority.NOTE),
    "no_option": Meaning(N_("That is none of the answers."), Priority.NOTE),
    "no_seating": Meaning(N_("This game is not planned here any more."), Priority.NOTE),
    "no_limit": Meaning(N_("Nobody is being timed now."), Priority.NOTE),
    "meanwhile": Meaning(N_("Something else has happened meanwhile. Look again."), Priority.NOTE),
    "key_reused": Meaning(
        N_("This was sent with the number of another command. Load the page again."), Priority.NOTE
    ),
    "bad_game": Meaning(N_("There is no such game: {why}"), Priority.NOTE),
    "bad_players": Meaning(N_("These players cannot play: {why}"), Priority.NOTE),
    "bad_settings": Meaning(N_("These settings do not fit: {why}"), Priority.NOTE),
}
"""Announcements of the table itself."""

MEANINGS: Mapping[str, Meaning] = {**VERDICTS, **REJECTIONS, **NOTICES}
"""All codes; no code has two meanings."""

CORRECTING = frozenset({"undone", "amended", "overruled"})
"""What was announced before one of these, and not given yet, is out of date."""
