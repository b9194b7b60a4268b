"""What is seen of a table of triangles becomes placements of the player on turn, a question, or a remark."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.observations import CoveredLattice, LatticeCard, LatticeSeen, Point
from companion.games import rulebook
from companion.games.spotter import Fact, GameView, Question, Remark, Resolved
from companion.games.trio_monsters.lattice import Place, corners
from companion.games.trio_monsters.lattice_match import Pose, Stand, matched, turned
from companion.games.trio_monsters.spotter import TrioMonstersSpotter, leaving_of
from companion.vision.lattice import fit

Event = dict[str, Any]
LABELS = ("green", "yellow", "red", "blue", "black")
START: Event = {"event": "card_revealed", "card": "green", "at": [0, 0]}


def played(player: str, card: str, *at: int) -> Event:
    return {"event": "card_played", "player": player, "card": card, "at": list(at)}


def game_after(*events: Event) -> GameView:
    book = rulebook("trio_monsters")
    setup = book.header(["Ida", "Jo"], {})
    state = book.start(setup)
    for event in events:
        state = book.play(state, event).state
    return GameView(
        ("Ida", "Jo"), setup.settings, book.view(state), tuple(book.expects(state)), float, events,
        tuple(range(1, len(events) + 1)), LABELS,
    )  # fmt: skip


def card(label: str, at: Place, confidence: float = 0.95) -> LatticeCard:
    a, b, c = (_pixel(x, y) for x, y in corners(at))
    return LatticeCard(at, label, confidence, (a, b, c))


VIEW = (100.0, 0.0, 300.0, 0.0, 100.0, 300.0, 0.0, 0.0, 1.0)


def _pixel(x: int, y: int) -> Point:
    return 300 + 50.0 * x, 300 + 100 * math.sqrt(3) / 2 * y


def seen(
    cards: dict[Place, str], unsure: dict[Place, str] | None = None, pose: Pose | None = None
) -> LatticeSeen:
    """The table as a camera sees it that counts places in a way of its own."""
    back = (pose or Pose()).back
    doubtful = {back(at): label for at, label in (unsure or {}).items()}
    return LatticeSeen(
        9.0,
        "table",
        tuple(card(label, back(at)) for at, label in cards.items()),
        tuple(card(label, at, 0.4) for at, label in doubtful.items()),
        VIEW,
    )


def table(game: GameView) -> dict[Place, str]:
    return {(laid["at"][0], laid["at"][1]): laid["card"] for laid in game.view["table"]}


def events_of(findings: list[Any]) -> list[Event]:
    return [{k: v for k, v in one.event.items() if k != "t"} for one in findings if isinstance(one, Fact)]


THREE = (START, played("Ida", "green", 1, 0), played("Ida", "yellow", 0, 1))


@pytest.mark.parametrize("at", [(r, c) for r in range(-3, 4) for c in range(-3, 4)])
def test_places_turn_as_the_eyes_turn_them(at: Place) -> None:
    assert [turned(at, n) for n in range(6)] == [fit.rotated(at, n) for n in range(6)]
    pose = Pose(2, -1, 3)
    assert pose.back(pose.of(at)) == at


@pytest.mark.parametrize("pose", [Pose(n, 3, -1) for n in range(6)])
def test_a_new_card_is_the_players_on_turn_however_the_camera_counts(pose: Pose) -> None:
    game = game_after(*THREE)
    lying = {**table(game), (1, 1): "red"}
    found = TrioMonstersSpotter().observe(seen(lying, pose=pose), game)
    assert events_of(found) == [played("Ida", "red", 1, 1)]


def test_the_start_card_is_at_the_middle_of_the_count() -> None:
    found = TrioMonstersSpotter().observe(seen({(0, 0): "green"}, pose=Pose(3, 5, 2)), game_after())
    assert events_of(found) == [START]


def test_of_several_start_cards_the_table_is_asked() -> None:
    (found,) = TrioMonstersSpotter().observe(seen({(0, 0): "green", (0, 1): "red"}), game_after())
    assert isinstance(found, Question)
    assert [option.id for option in found.options][:2] == ["green", "red"]


def test_a_table_that_could_be_turned_two_ways_is_not_guessed() -> None:
    game = game_after(START, played("Ida", "red", 0, 1))
    cards = [card("green", (0, 0)), card("blue", (0, -1)), card("red", (1, 0))]
    # only the green card is known to this one: on which of its sides the red one lies, nobody can tell
    assert matched(cards[:1], (), table(game)) is None
    assert matched(cards, (), table(game)) is not None


def test_a_camera_that_stands_still_knows_which_way_round() -> None:
    watching, game = TrioMonstersSpotter(), game_after(START)
    assert watching.observe(seen({(0, 0): "green"}), game) == []
    found = watching.observe(seen({(0, 0): "green", (1, 0): "green"}), game)
    assert events_of(found) == [played("Ida", "green", 1, 0)]


def test_a_camera_that_stands_still_knows_which_way_round_a_single_card_lies() -> None:
    game = game_after(START, played("Ida", "red", 0, 1))
    watching = TrioMonstersSpotter()
    assert watching.observe(seen(table(game)), game) == []
    (found,) = watching.observe(seen({(0, 0): "green"}), game)
    assert isinstance(found, Question)
    assert found.code == "card_taken_back"
    laid = watching.observe(seen({**table(game), (1, 0): "blue"}), game)
    assert events_of(laid) == [played("Ida", "blue", 1, 0)]


@pytest.mark.parametrize("sixths", [0, 2, 4])
def test_a_card_beside_a_single_known_one_lies_where_the_camera_saw_that_side_before(sixths: int) -> None:
    pose = Pose(sixths, 2, 0)
    crooked = card("red", (1, 0))
    a, b, c = ((x, y + 30) for x, y in crooked.corners)
    lying = [card("green", (0, 0)), replace(crooked, corners=(a, b, c))]
    counted = [replace(one, at=pose.back(one.at)) for one in lying]
    places = [(0, 0), (0, 1), (1, 0), (2, 3)]
    counts = np.array([[*fit.corners_of(at).mean(axis=0), 1] for at in places])
    lies = np.array([[*fit.corners_of(pose.of(at)).mean(axis=0), 1] for at in places])
    onto = np.linalg.lstsq(counts, lies, rcond=None)[0].T
    now = tuple(float(value) for value in (np.reshape(VIEW, (3, 3)) @ onto).ravel())
    found = matched(counted, (), {(0, 0): "green"}, Stand(VIEW, Pose()), now)  # type: ignore[arg-type]
    assert found is not None
    assert list(found.new) == [(1, 0)]


def test_an_unsure_card_after_an_empty_hand_is_the_next_players() -> None:
    game = game_after(*THREE, played("Ida", "red", 1, 1))
    (found,) = TrioMonstersSpotter().observe(seen(table(game), {(1, -1): "green"}), game)
    assert isinstance(found, Question)
    assert found.player == found.params["player"] == "Jo"
    first = [{k: v for k, v in event.items() if k != "t"} for event in found.options[0].events]
    assert first == [{"event": "turn_ended", "player": "Ida"}, played("Jo", "green", 1, -1)]


def test_an_empty_hand_ends_the_turn() -> None:
    game = game_after(*THREE, played("Ida", "red", 1, 1))
    found = TrioMonstersSpotter().observe(seen({**table(game), (1, -1): "green"}), game)
    assert events_of(found) == [{"event": "turn_ended", "player": "Ida"}, played("Jo", "green", 1, -1)]


def test_two_cards_at_once_need_no_order_where_none_matters() -> None:
    game = game_after(START)
    found = TrioMonstersSpotter().observe(seen({**table(game), (1, 0): "green", (1, 1): "red"}), game)
    assert events_of(found) == [played("Ida", "green", 1, 0), played("Ida", "red", 1, 1)]


def test_the_order_is_asked_where_a_catch_depends_on_it() -> None:
    ended: Event = {"event": "turn_ended", "player": "Ida"}
    row = (START, played("Ida", "green", 0, 1), played("Ida", "green", 0, 2), played("Ida", "yellow", -1, 1))
    above = (played("Jo", "red", -1, 0), played("Jo", "blue", -1, -1), played("Jo", "pink", -1, 2))
    game = game_after(*row, ended, *above, {**ended, "player": "Jo"}, played("Ida", "purple", -1, 3))
    # either green card catches the row; the other one then lies alone
    new = {(0, -1): "green", (0, 3): "green"}
    (found,) = TrioMonstersSpotter().observe(seen({**table(game), **new}), game)
    assert isinstance(found, Question)
    assert len([option for option in found.options if option.events]) == 2


def test_the_rules_may_leave_one_order_only() -> None:
    ended: Event = {"event": "turn_ended", "player": "Ida"}
    game = game_after(START, played("Ida", "green", 1, 0), played("Ida", "yellow", 0, 1),
                      played("Ida", "green", 1, -1), ended)  # fmt: skip
    # once the green ones are caught there is nothing to lay the red card against
    found = TrioMonstersSpotter().observe(seen({**table(game), (0, -1): "green", (1, 1): "red"}), game)
    assert events_of(found) == [played("Jo", "red", 1, 1), played("Jo", "green", 0, -1)]


def test_caught_cards_may_lie_there_until_they_are_taken() -> None:
    watching = TrioMonstersSpotter()
    laid = (START, played("Ida", "green", 1, 0), played("Ida", "yellow", 0, 1), played("Ida", "green", 1, -1))
    ended = {"event": "turn_ended", "player": "Ida"}
    catch = played("Jo", "green", 0, -1)
    before, after = game_after(*laid, ended), game_after(*laid, ended, catch)
    whole = {**table(before), (0, -1): "green"}
    assert events_of(watching.observe(seen(whole), before)) == [catch]
    watching.follow(before, catch, after)
    assert leaving_of(after).keys() == {(0, 0), (1, 0), (1, -1), (0, -1)}
    assert watching.observe(seen(whole), after) == []
    found = watching.observe(seen({(0, 1): "yellow", (0, 2): "red"}), after)
    assert events_of(found) == [played("Jo", "red", 0, 2)]


def test_a_doubtful_card_is_asked_for_and_the_table_plays_on() -> None:
    game = game_after(*THREE)
    (found,) = TrioMonstersSpotter().observe(seen(table(game), {(1, 1): "red", (5, 5): "blue"}), game)
    assert isinstance(found, Question)
    assert (found.code, found.blocks, found.params["row"]) == ("unsure_card_at", False, 1)
    assert found.options[0].events[0]["card"] == "red"


def test_of_two_cards_that_it_may_be_both_are_offered_first() -> None:
    game = game_after(*THREE)
    look = seen(table(game), {(1, 1): "red"})
    either = replace(look, unsure=tuple(replace(card, other="yellow") for card in look.unsure))
    (found,) = TrioMonstersSpotter().observe(either, game)
    assert isinstance(found, Question)
    assert [option.events[0]["card"] for option in found.options[:2]] == ["red", "yellow"]


def test_what_differs_is_asked_once_with_the_correction_as_an_answer() -> None:
    watching, game = TrioMonstersSpotter(), game_after(*THREE)
    assert watching.observe(seen(table(game)), game) == []
    other = {**table(game), (0, 1): "red"}
    (found,) = watching.observe(seen(other), game)
    assert isinstance(found, Question)
    assert (found.code, found.params["known"], found.stays) == ("card_is_other", "yellow", True)
    (mend,) = found.options[0].events
    assert (mend["event"], mend["n"], mend["replacement"]["card"]) == ("amended", 3, "red")
    assert found.options[1].events == ()
    assert watching.observe(seen(other), game) == []
    assert watching.observe(seen(table(game)), game) == [Resolved("differs 0,1 red")]


def test_the_last_card_that_is_gone_may_have_been_taken_back() -> None:
    watching, game = TrioMonstersSpotter(), game_after(*THREE)
    watching.observe(seen(table(game)), game)
    gone = {at: label for at, label in table(game).items() if at != (0, 1)}
    (found,) = watching.observe(seen(gone), game)
    assert isinstance(found, Question)
    assert found.code == "card_taken_back"
    assert found.options[0].events == ({"event": "amended", "n": 3, "replacement": None},)


def test_an_earlier_card_that_is_gone_is_remarked_on() -> None:
    watching, game = TrioMonstersSpotter(), game_after(*THREE, played("Ida", "red", 1, 1))
    gone = {at: label for at, label in table(game).items() if at != (0, 1)}
    (found,) = watching.observe(seen(gone), game)
    assert isinstance(found, Remark)
    assert (found.code, found.params) == ("card_gone", {"card": "yellow", "row": 0, "column": 1})


def test_cards_that_were_taken_away_are_a_catch_with_a_misread_card() -> None:
    ended: Event = {"event": "turn_ended", "player": "Ida"}
    laid = (START, played("Ida", "green", 1, 0), played("Ida", "yellow", 0, 1), played("Ida", "red", 1, -1))
    right = (played("Jo", "purple", 0, 2), played("Jo", "blue", 0, 3))
    game = game_after(*laid, ended, *right, played("Jo", "green", 0, -1))
    watching = TrioMonstersSpotter()
    watching.observe(seen(table(game)), game)
    rest = {(0, 1): "yellow", (0, 2): "purple", (0, 3): "blue"}
    (found,) = watching.observe(seen(rest), game)
    assert isinstance(found, Question)
    assert (found.code, found.params) == ("cards_taken_away", {"count": 4})
    assert [option.id for option in found.options] == ["green [1, -1]", "none"]
    (mend,) = found.options[0].events
    after = game_after(*laid[:3], {**laid[3], "card": "green"}, ended, *right, played("Jo", "green", 0, -1))
    assert (mend["n"], mend["replacement"]) == (4, {**laid[3], "card": "green"})
    assert (table(after), after.view["won"]["Jo"]) == (rest, 4)


def test_a_catch_that_was_taken_away_at_once_is_asked_for() -> None:
    ended: Event = {"event": "turn_ended", "player": "Ida"}
    laid = (START, played("Ida", "green", 1, 0), played("Ida", "yellow", 0, 1), played("Ida", "green", 1, -1))
    past = (*laid, ended, played("Jo", "purple", 0, 2), played("Jo", "blue", 0, 3))
    rest = {(0, 1): "yellow", (0, 2): "purple", (0, 3): "blue"}
    game = game_after(*past)
    watching = TrioMonstersSpotter()
    watching.observe(seen(table(game)), game)
    (found,) = watching.observe(seen(rest), game)
    assert isinstance(found, Question)
    assert (found.code, found.params) == ("catch_not_seen", {"count": 3, "player": "Jo"})
    assert [option.card for option in found.options] == ["green", None]
    (catch,) = found.options[0].events
    after = game_after(*past, catch)
    assert (table(after), after.view["won"]["Jo"]) == (rest, 4)


ENDED: Event = {"event": "turn_ended", "player": "Ida"}
FOUR = (START, played("Ida", "green", 1, 0), played("Ida", "yellow", 0, 1), played("Ida", "green", 1, -1))
REST = {(0, 1): "yellow", (0, 2): "purple", (0, 3): "blue"}


def under_hand(cards: dict[Place, str]) -> CoveredLattice:
    glimpse = seen(cards)
    return CoveredLattice(glimpse.cards, glimpse.view)


def test_a_catch_seen_under_a_hand_before_it_was_taken_away_is_told() -> None:
    past = (*FOUR, ENDED, played("Jo", "purple", 0, 2), played("Jo", "blue", 0, 3))
    watching, game = TrioMonstersSpotter(), game_after(*past)
    watching.observe(seen(table(game)), game)
    # the hand covers the yellow and the purple card, the blue one is not caught
    lying = {(0, 0): "green", (1, 0): "green", (1, -1): "green", (0, 3): "blue", (2, -1): "green"}
    catch = played("Jo", "green", 2, -1)
    found = watching.observe(replace(seen(REST), covered=(under_hand(lying),)), game)
    assert events_of(found) == [catch]
    after = game_after(*past, catch)
    assert table(after) == REST
    watching.follow(game, catch, after)
    assert watching.observe(seen(REST), after) == []


def test_a_card_under_a_hand_that_catches_something_else_is_not_told() -> None:
    past = (*FOUR, ENDED, played("Jo", "purple", 0, 2), played("Jo", "blue", 0, 3))
    watching, game = TrioMonstersSpotter(), game_after(*past)
    watching.observe(seen(table(game)), game)
    held = under_hand({**table(game), (2, -1): "red"})
    (found,) = watching.observe(replace(seen(REST), covered=(held,)), game)
    assert isinstance(found, Question)
    assert found.code == "catch_not_seen"


def test_a_catch_under_a_hand_that_empties_the_table_is_told_and_the_next_card_seen() -> None:
    past = ({**START, "card": "red"}, played("Ida", "black", 0, -1), ENDED, played("Jo", "purple", 0, -2))
    watching, game = TrioMonstersSpotter(), game_after(*past)
    watching.observe(seen(table(game)), game)
    catch = played("Jo", "green", -1, -1)
    emptied = replace(seen({}), covered=(under_hand({**table(game), (-1, -1): "green"}),))
    assert events_of(watching.observe(emptied, game)) == [catch]
    after = game_after(*past, catch)
    watching.follow(game, catch, after)
    assert events_of(watching.observe(seen({(0, 0): "red"}), after)) == [played("Jo", "red", 0, 0)]


def test_for_a_catch_that_empties_the_table_unseen_any_card_is_offered() -> None:
    past = ({**START, "card": "red"}, played("Ida", "black", 0, -1), ENDED, played("Jo", "purple", 0, -2))
    watching, game = TrioMonstersSpotter(), game_after(*past)
    watching.observe(seen(table(game)), game)
    (found,) = watching.observe(seen({}), game)
    assert isinstance(found, Question)
    assert [option.card for option in found.options] == ["green", "yellow", "blue", "black", None]


def test_a_table_that_is_put_away_is_no_catch() -> None:
    watching, game = TrioMonstersSpotter(), game_after(*THREE)
    watching.observe(seen(table(game)), game)
    assert watching.observe(seen({}), game) == []


def test_cards_seen_at_once_are_told_as_they_came_to_rest() -> None:
    game = game_after(*THREE, ENDED)
    lying = {**table(game), (0, 2): "red", (1, -1): "blue"}
    since = {(0, 2): 8.0, (1, -1): 6.5}
    shown = seen(lying)
    cards = tuple(replace(one, since=since.get(one.at)) for one in shown.cards)
    found = TrioMonstersSpotter().observe(replace(shown, cards=cards), game)
    assert [one.event for one in found if isinstance(one, Fact)] == [
        {**played("Jo", "blue", 1, -1), "t": 6.5},
        {**played("Jo", "red", 0, 2), "t": 8.0},
    ]


def test_caught_cards_that_still_lie_there_are_named_when_the_next_card_is_laid() -> None:
    watching = TrioMonstersSpotter()
    laid = (START, played("Ida", "green", 1, 0), played("Ida", "yellow", 0, 1), played("Ida", "green", 1, -1))
    ended = {"event": "turn_ended", "player": "Ida"}
    catch, following = played("Jo", "green", 0, -1), played("Jo", "red", 0, 2)
    before, after = game_after(*laid, ended), game_after(*laid, ended, catch)
    whole = {**table(before), (0, -1): "green"}
    watching.observe(seen(whole), before)
    assert watching.follow(before, catch, after) == []
    watching.observe(seen({**whole, (0, 2): "red"}), after)
    (remark,) = watching.follow(after, following, game_after(*laid, ended, catch, following))
    assert isinstance(remark, Remark)
    assert (remark.code, remark.params) == ("caught_still_there", {"player": "Jo", "count": 4})


def test_cards_that_were_entered_by_phone_are_not_missed_by_a_camera_that_did_not_look() -> None:
    watching = TrioMonstersSpotter()
    laid = (START, played("Ida", "green", 1, 0), played("Ida", "yellow", 0, 1), played("Ida", "green", 1, -1))
    ended = {"event": "turn_ended", "player": "Ida"}
    catch, following = played("Jo", "green", 0, -1), played("Jo", "red", 0, 2)
    after = game_after(*laid, ended, catch)
    watching.follow(game_after(*laid, ended), catch, after)
    assert watching.follow(after, following, game_after(*laid, ended, catch, following)) == []


def test_a_card_that_was_taken_back_is_not_told_again() -> None:
    watching, game = TrioMonstersSpotter(), game_after(*THREE)
    lying = {**table(game), (1, 1): "red"}
    assert len(events_of(watching.observe(seen(lying), game))) == 1
    watching.reset()
    assert watching.observe(seen(lying), game) == []
    assert watching.observe(seen(table(game)), game) == []
    assert len(events_of(watching.observe(seen(lying), game))) == 1


def test_a_table_that_is_another_one_is_said_to_be_lost() -> None:
    watching, game = TrioMonstersSpotter(), game_after(*THREE)
    found = watching.observe(seen({(0, 0): "blue", (0, 1): "black"}), game)
    assert [type(one) for one in found] == [Remark]


def test_a_card_laid_on_a_table_that_a_catch_has_emptied_is_seen() -> None:
    opening = ({**START, "card": "red"}, played("Ida", "black", 0, -1))
    before = game_after(*opening, {"event": "turn_ended", "player": "Ida"}, played("Jo", "purple", 0, -2))
    catch = played("Jo", "green", -1, -1)
    after = game_after(*before.past, catch)
    assert table(after) == {}
    watching = TrioMonstersSpotter()
    watching.follow(before, catch, after)
    assert watching.observe(seen({**table(before), (-1, -1): "green"}), after) == []
    assert watching.observe(seen({}), after) == []
    assert events_of(watching.observe(seen({(0, 0): "red"}), after)) == [played("Jo", "red", 0, 0)]
