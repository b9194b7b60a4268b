"""The Nasty 7 refereed from what is seen and heard, in the time of what happened."""

from typing import Any

import pytest

from companion.core.observations import (
    LATEST_SOUND,
    HeardWord,
    Landing,
    Listened,
    Press,
    Sighting,
    Utterance,
    Watched,
)
from companion.core.weighing import CallDue, Weigh, WeighedCall, by_confidence

Bench = Any


def begin(bench: Bench, **settings: Any) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30, **settings)
    bench.up("camera", "microphone")


def test_a_round_is_refereed_from_camera_and_microphone(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("phone", "pile")
    bench.at(5.6).says("hmmrrr")
    bench.at(7.2).lands("twin_racketeer", "pile")
    bench.at(7.9).says("two", "four", length=0.7)
    assert bench.verdicts == ["correct", "wrong_number"]
    assert bench.given[-1] == "Jo said two four. It was two, three."
    assert bench.shown["state"]["stack"] == {"Ida": 9, "Jo": 11, "Kai": 10}
    assert bench.rejected == []
    assert [entry["source"] for entry in bench.log] == ["camera", "microphone"] * 2


def test_a_card_noticed_late_does_not_come_after_the_call(bench: Bench) -> None:
    """The call is reported first, the card 0.9 s later; judged in the order of happening."""
    begin(bench)
    start = bench.now
    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    bench.at(6.0).put(
        Utterance((HeardWord("one", start + 5.3, start + 5.6, 0.9),), start + 5.3, start + 5.6, 0.9),
        Listened(start + 6.0),
    )
    assert bench.log == []
    bench.at(6.2).put(Landing(start + 5.0, "pile", Sighting("racketeer", 0.9, corners)), Watched(start + 6.1))
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played", "heard"]
    assert bench.verdicts == ["correct"]


def test_hesitation_is_found_without_an_event_and_no_earlier_than_the_ears_have_listened(
    bench: Bench,
) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(8.2).step()
    assert bench.verdicts == []
    bench.passed()
    assert bench.verdicts == ["too_late"]
    assert bench.given[-1] == "Ida took more than 3 seconds."
    assert bench.log[-1]["event"] == {"event": "time_passed", "t": 8.001}


def test_a_call_begun_within_the_limit_counts_although_it_is_reported_after_it(bench: Bench) -> None:
    begin(bench)
    start = bench.now
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(8.6).put(Listened(start + 7.9), Watched(start + 8.5))
    assert bench.verdicts == []
    bench.at(9.0).put(
        Utterance((HeardWord("one", start + 7.9, start + 8.4, 0.9),), start + 7.9, start + 8.4, 0.9),
        Listened(start + 8.9),
    )
    assert bench.verdicts == ["correct"]


def test_a_right_call_is_believed_easily_and_a_wrong_one_is_asked_about(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one", confidence=0.55)
    assert bench.verdicts == ["correct"]
    bench.at(7.0).lands("racketeer", "pile")
    bench.at(7.5).says("three", confidence=0.89)
    assert bench.verdicts == ["correct"]
    (question,) = bench.questions
    assert question["text"] == "I am not sure: was that three?"
    assert [option["label"] for option in question["options"]] == ["three", "two", "None of these"]
    assert bench.shown["deadline"] is None


def test_ears_that_are_not_proven_accuse_nobody(bench: Bench) -> None:
    begin(bench, language="fr")
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("un", confidence=0.6)
    assert bench.verdicts == ["correct"]
    bench.at(7.0).lands("racketeer", "pile")
    bench.at(7.5).says("trois", confidence=1.0)
    assert bench.verdicts == ["correct"]
    (question,) = bench.questions
    assert [option["label"] for option in question["options"]][:2] == ["trois", "deux"]


def test_what_cannot_be_made_out_is_asked_about_and_never_too_late(bench: Bench) -> None:
    """Something was said in time, and no word that the ears know: the table is asked, nobody is accused."""
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.5).put(Utterance((), bench.now - 0.6, bench.now - 0.3, 0.6))
    bench.passed()
    (question,) = bench.questions
    assert question["text"] == "I could not make out what Ida said. Was it right?"
    assert [option["label"] for option in question["options"]] == ["one", "None of these"]
    bench.at(30.0).passed()
    assert bench.verdicts == []
    bench.do("answer", question=question["id"], option="one")
    assert bench.verdicts == ["correct"]


@pytest.mark.parametrize(("words", "verdict"), [("one", "correct"), ("hmmrrr", "wrong_sound")])
def test_a_call_that_a_person_enters_was_made_in_time(bench: Bench, words: str, verdict: str) -> None:
    """The clock stood just behind the deadline while the table was asked what was said: who entered it then
    was told that the call was too late."""
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.5).put(Utterance((), bench.now - 0.6, bench.now - 0.3, 0.6))
    bench.passed()
    bench.at(12.0).passed()
    bench.do("event", event="heard", words=[words])
    assert bench.verdicts == [verdict]


def test_noise_that_is_hardly_a_call_is_not_asked_about(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.5).put(Utterance((), bench.now - 0.6, bench.now - 0.3, 0.001))
    bench.passed()
    assert bench.questions == []
    bench.at(9.0).passed()
    assert bench.verdicts == ["too_late"]


def test_what_may_have_been_the_call_is_asked_about_only_when_the_time_runs_out(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.5).put(Utterance((), bench.now - 0.6, bench.now - 0.3, 0.1))
    bench.passed()
    assert bench.questions == []
    bench.at(9.0).passed()
    (question,) = bench.questions
    assert question["text"] == "I could not make out what Ida said. Was it right?"
    assert bench.verdicts == []
    bench.do("answer", question=question["id"], option="none")
    bench.at(10.0).passed()
    assert bench.verdicts == ["too_late"], "nobody is asked twice"


def test_what_may_have_been_the_call_is_forgotten_with_the_call(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.0).put(Utterance((), bench.now - 0.6, bench.now - 0.3, 0.1))
    bench.at(6.5).says("one")
    assert bench.verdicts == ["correct"]
    bench.at(9.6).passed()
    bench.at(10.5).passed()
    assert (bench.questions, bench.verdicts) == ([], ["correct", "too_late"])


def test_the_table_plays_on_after_what_may_have_been_the_call(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.0).put(Utterance((), bench.now - 0.6, bench.now - 0.3, 0.1))
    bench.at(7.0).lands("racketeer", "pile")
    assert bench.verdicts == ["correct"]
    assert "Ida was not heard. Nobody objected: it counts as right." in bench.given


def test_a_card_after_a_call_that_was_hardly_made_out_is_not_late(bench: Bench) -> None:
    """Of a call that counts as right because the table plays on, nobody knows when it was over. The time for
    it was over before the card: the table was asked, and has not answered."""
    begin(bench)
    zero = bench.now
    bench.at(5.0).lands("racketeer", "pile")
    three = HeardWord("three", zero + 5.01, zero + 5.03, 0.1)
    bench.at(7.2).put(Utterance((three,), zero + 5.01, zero + 7.0, 0.1))
    bench.passed()
    bench.at(8.5).table.submit(seen_at(bench, "racketeer", -0.2))
    bench.passed()
    assert bench.verdicts == ["correct"]
    assert bench.log[1]["event"] == {"event": "heard", "words": ["one"], "start": 5.01, "end": 8.0}


def test_a_card_reported_with_a_call_before_it_does_not_pass_over_the_deadline_between(bench: Bench) -> None:
    """No camera saw the card of the call. Its time was over when the next card landed, and all of it was
    known at once: the table was asked for the card before that one, and has played on."""
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one", length=0.3)
    zero = bench.at(0.0).now
    two = Utterance((HeardWord("two", zero + 8.0, zero + 8.3, 0.9),), zero + 8.0, zero + 8.3, 0.9)
    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    card = Landing(zero + 9.5, "pile", Sighting("racketeer", 0.9, corners))
    bench.at(9.8).put(two, card, Listened(zero + 9.8), Watched(zero + 9.8))
    assert bench.verdicts == ["correct", "correct"]
    assert [entry["event"].get("player") for entry in bench.log] == ["Ida", None, "Jo", None, "Kai"]


@pytest.mark.parametrize(("late_s", "verdict"), [(0.08, "correct"), (0.2, "too_late")])
def test_nobody_is_too_late_by_less_than_a_sense_dates_wrongly(
    bench: Bench, late_s: float, verdict: str
) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(8.0 + late_s).says("one")
    assert bench.verdicts == [verdict]


@pytest.mark.parametrize(("late_s", "verdicts"), [(0.08, []), (0.2, ["too_late"])])
def test_nor_with_the_next_card(bench: Bench, late_s: float, verdicts: list[str]) -> None:
    begin(bench)
    bench.at(5.0).lands("gun", "pile")
    bench.at(8.0 + late_s).lands("racketeer", "pile")
    assert bench.verdicts == ["correct", *verdicts]


def test_half_a_call_after_a_doubtful_half_is_never_a_missing_call(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("twin_phone", "pile")
    bench.at(5.4).says("four", confidence=0.6)
    assert len(bench.questions) == 1
    bench.at(6.2).says("hmmrrr")
    assert (bench.questions, bench.verdicts) == ([], [])
    bench.at(7.5).lands("racketeer", "pile")
    assert bench.verdicts == ["correct"]
    assert bench.rejected == []


def test_the_other_half_of_a_call_is_looked_for_behind_the_one_that_was_made_out(bench: Bench) -> None:
    """The network finds it there although the listener has reported no word; without it the call for the
    next card, shouted too early, was a wrong other half."""

    def weigh(sound: Utterance, due: CallDue) -> WeighedCall:
        if sound.words or sound.part is None or due.right != (("two",),):
            return by_confidence(sound, due)
        return WeighedCall((HeardWord("two", sound.start, sound.end, 0.9),), 0.9)

    begin(bench)
    bench.weigh = weigh
    bench.at(5.0).lands("twin_racketeer", "pile")
    at = bench.now
    bench.at(6.6).put(Utterance((HeardWord("one", at + 0.4, at + 0.7, 0.9),), at + 0.4, at + 1.3, 0.9))
    bench.passed()
    bench.at(7.2).says("three")
    assert (bench.verdicts, bench.questions) == (["correct"], [])


def torn(*whole: str, right: float, wrong: float) -> Weigh:
    """Weighs a torn call: the second number by itself probably is the right call misheard; all that was heard
    together was `whole`, with these probabilities."""

    def weigh(sound: Utterance, due: CallDue) -> WeighedCall:
        if sound.sound != LATEST_SOUND:
            return WeighedCall(sound.words, 0.92, 0.05)
        long = (sound.end - sound.start) / len(whole)
        starts = [sound.start + place * long for place in range(len(whole))]
        words = [HeardWord(word, start, start + long, 0.9) for word, start in zip(whole, starts, strict=True)]
        return WeighedCall(tuple(words), right, wrong)

    return weigh


def test_a_call_that_noise_tore_is_put_together_before_anybody_is_asked(bench: Bench) -> None:
    begin(bench)
    bench.weigh = torn("one", "two", right=0.9, wrong=0.02)
    bench.at(5.0).lands("twin_racketeer", "pile")
    bench.at(6.0).says("two")
    assert (bench.verdicts, bench.questions) == (["correct"], [])
    assert bench.log[-1]["event"]["words"] == ["one", "two"]


@pytest.mark.parametrize(("right", "wrong"), [(0.4, 0.1), (0.02, 0.96)])
def test_the_second_number_of_a_pair_alone_is_asked_about(bench: Bench, right: float, wrong: float) -> None:
    """Nothing before it was a number: who forgets the twin and miscounts says that too. All that was heard
    accuses nobody: it may hold talk."""
    begin(bench)
    bench.weigh = torn("two", right=right, wrong=wrong)
    bench.at(5.0).lands("twin_racketeer", "pile")
    bench.at(6.0).says("two")
    assert [one["code"] for one in bench.questions] == ["unsure_call"]
    assert bench.verdicts == []


def test_the_first_half_of_a_call_does_not_count_twice(bench: Bench) -> None:
    """Noise tears a call: the second sound begins with the end of "one", and "one" is found in both."""
    begin(bench)
    bench.at(5.0).lands("twin_racketeer", "pile")
    bench.at(5.4).says("one", confidence=0.9, length=0.2)
    bench.at(5.7).says("one", "two", confidence=0.9)
    assert (bench.verdicts, bench.questions) == (["correct"], [])
    assert [one["event"]["words"] for one in bench.log[1:]] == [["one"], ["two"]]


def test_a_call_shouted_as_the_card_goes_down_counts_for_that_card(bench: Bench) -> None:
    """Up to half a second before the landing, whether the card is reported early or late."""
    begin(bench)
    start = bench.now
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.4).says("one")
    bench.at(7.0).put(heard_from(bench, "two", -0.1, 0.3), seen_at(bench, "racketeer", 0.35))
    bench.at(8.0).passed()
    assert bench.verdicts == ["correct", "correct"]
    assert bench.log[-1]["event"]["start"] == bench.log[-2]["event"]["t"] == 7.35
    bench.at(9.5).put(heard_from(bench, "three", -0.2, 0.2), Watched(start + 9.2))
    bench.at(12.2).step()
    assert bench.verdicts == ["correct", "correct"], "the card is not reported yet"
    bench.at(12.25).put(seen_at(bench, "racketeer", -2.65))
    bench.passed()
    assert bench.verdicts == ["correct"] * 3


def test_behind_a_question_the_call_of_two_cards_counts_for_the_second(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("phone", "pile")
    bench.at(5.5).says("four", confidence=0.6)
    assert len(bench.questions) == 1
    at = bench.now
    said = Utterance((HeardWord("hmmrrr", at + 0.6, at + 0.9, 0.9),), at + 0.6, at + 0.9, 0.9)
    bench.at(7.2).put(said, seen_at(bench, "phone", -0.2))
    bench.at(7.6).passed()
    assert (bench.verdicts, bench.questions) == (["correct", "correct"], [])


def test_words_between_two_cards_accuse_neither_player(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.4).says("one")
    bench.at(7.0).put(heard_from(bench, "six", -0.1, 0.3), seen_at(bench, "racketeer", 0.35))
    bench.at(8.0).passed()
    assert (bench.verdicts, bench.questions) == (["correct"], [])
    bench.at(8.2).says("two")
    assert bench.verdicts == ["correct", "correct"]


def test_a_call_at_the_end_of_talk_that_began_long_before_its_card_counts(bench: Bench) -> None:
    """A television does not pause for the players."""
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.4).says("one")
    at = bench.now
    six, two = HeardWord("six", at + 0.6, at + 0.9, 0.9), HeardWord("two", at + 2.4, at + 2.7, 0.9)
    bench.at(8.6).put(Utterance((six, two), at + 0.6, at + 2.7, 0.9), seen_at(bench, "racketeer", -1.0))
    bench.at(9.0).passed()
    assert bench.verdicts == ["correct", "correct"]
    assert bench.log[-1]["event"] == {"event": "heard", "words": ["two"], "start": 8.4, "end": 8.7}


def test_the_end_of_talk_is_judged_whatever_millisecond_its_card_is_down(bench: Bench) -> None:
    """Half a second before 8.002 s is more than half a second before it, in binary fractions."""
    begin(bench)
    at = bench.now
    bench.at(8.002).lands("racketeer", "pile")
    six, one = HeardWord("six", at + 6.1, at + 6.4, 0.9), HeardWord("one", at + 8.2, at + 8.5, 0.9)
    bench.at(8.6).put(Utterance((six, one), at + 6.1, at + 8.5, 0.9))
    bench.at(9.0).passed()
    assert bench.verdicts == ["correct"]


def test_talk_that_was_over_before_the_card_is_no_call(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.4).says("one")
    at = bench.now
    two = HeardWord("two", at + 0.6, at + 0.9, 0.9)
    bench.at(8.6).put(Utterance((two,), at + 0.6, at + 0.9, 0.9), seen_at(bench, "racketeer", -1.0))
    bench.at(9.0).passed()
    assert bench.verdicts == ["correct"]


def test_a_call_in_one_breath_with_talk_on_a_gun_accuses_nobody(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("gun", "pile")
    at = bench.now
    two = HeardWord("two", at + 2.0, at + 2.3, 0.95)
    bench.at(8.2).put(Utterance((two,), at + 0.9, at + 2.3, 0.95), seen_at(bench, "racketeer", -1.6))
    bench.at(8.6).passed()
    assert (bench.verdicts, bench.questions) == (["correct", "correct"], [])
    assert bench.log[-1]["event"]["words"] == ["two"]


def test_what_is_said_on_a_gun_before_the_next_call_is_judged_on_the_gun(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("gun", "pile")
    at = bench.now
    six, two = HeardWord("six", at + 0.2, at + 0.5, 0.95), HeardWord("two", at + 2.0, at + 2.3, 0.95)
    bench.at(8.2).put(Utterance((six, two), at + 0.2, at + 2.3, 0.95), seen_at(bench, "racketeer", -1.6))
    bench.at(8.6).passed()
    assert bench.verdicts[0] == "should_be_silent"


def one_two_in_one_breath(zero: float, confidence: float) -> Utterance:
    """5.4 to 6.4 s behind a moment."""
    one = HeardWord("one", zero + 5.4, zero + 5.7, confidence)
    two = HeardWord("two", zero + 6.1, zero + 6.4, confidence)
    return Utterance((one, two), one.start, two.end, confidence)


def test_one_breath_over_two_cards_is_divided_at_the_second_one(bench: Bench) -> None:
    begin(bench)
    said = one_two_in_one_breath(bench.now, 0.9)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.6).put(said, seen_at(bench, "racketeer", -0.6))
    bench.at(7.0).passed()
    assert bench.verdicts == ["correct", "correct"]


def test_the_end_of_one_breath_that_was_asked_about_counts_for_the_next_card(bench: Bench) -> None:
    begin(bench)
    said = one_two_in_one_breath(bench.now, 0.6)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.6).put(said)
    bench.passed()
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="one")
    bench.at(7.0).put(seen_at(bench, "racketeer", -0.6))
    bench.at(7.4).passed()
    assert bench.verdicts == ["correct", "correct"]
    assert bench.log[-1]["event"]["words"] == ["two"]
    assert bench.questions == []


def test_so_does_the_end_of_one_that_was_asked_about_when_the_time_ran_out(bench: Bench) -> None:
    begin(bench)
    said = one_two_in_one_breath(bench.now + 2.0, 0.2)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(8.6).put(said)
    bench.passed()
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="one")
    bench.at(9.0).put(seen_at(bench, "racketeer", -0.6))
    bench.at(9.4).passed()
    bench.at(13.0).passed()
    assert bench.verdicts == ["correct", "correct"]
    assert bench.log[-1]["event"]["words"] == ["two"]


@pytest.mark.parametrize(
    ("option", "verdicts", "pile"),
    [("racketeer", ["correct", "correct"], 2), ("no", ["should_be_silent"], 0), ("none", [], 1)],
)
def test_on_a_gun_the_next_call_asks_for_its_card(
    bench: Bench, option: str, verdicts: list[str], pile: int
) -> None:
    """Its landing may have been missed: then nobody spoke on the gun."""
    begin(bench)
    bench.at(5.0).lands("gun", "pile")
    bench.at(6.5).says("two")
    assert bench.verdicts == []
    (question,) = bench.questions
    assert question["text"] == "I heard two after the gun. Did Jo play a card?"
    assert [one["id"] for one in question["options"][:2]] == ["racketeer", "twin_racketeer"]
    labels = [one["label"] for one in question["options"][-2:]]
    assert labels == ["No, but it was said", "No, nobody said it"]
    bench.at(8.0).do("answer", question=question["id"], option=option)
    assert bench.verdicts == verdicts
    assert bench.shown["state"]["pile"] == pile
    assert bench.rejected == []


def test_the_table_that_plays_on_after_a_gun_saw_no_other_card(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("gun", "pile")
    bench.at(6.3).says("two")
    bench.at(7.4).lands("racketeer", "pile")
    bench.at(7.9).says("two")
    assert [one["event"]["player"] for one in bench.log if "card" in one["event"]] == ["Ida", "Jo"]
    assert bench.verdicts == ["correct", "correct"]


def test_a_sound_on_a_gun_counts_for_a_phone_that_is_reported_later(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("gun", "pile")
    bench.at(7.0).put(Utterance((), bench.now + 0.1, bench.now + 0.5, 0.4))
    bench.at(7.6).passed()
    assert bench.questions == []
    bench.at(7.8).put(seen_at(bench, "phone", -0.9))
    bench.passed()
    bench.at(12.0).passed()
    (question,) = bench.questions
    assert question["text"] == "I could not make out what Jo said. Was it right?"


def test_an_answer_is_judged_in_the_time_of_the_call(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("three", confidence=0.5)
    bench.at(60.0).step()
    assert bench.verdicts == []
    (question,) = bench.questions
    assert bench.do("answer", question=question["id"], option="one")["ok"]
    assert bench.verdicts == ["correct"]
    assert bench.log[-1]["event"] == {"event": "heard", "words": ["one"], "start": 5.5, "end": 5.9}
    assert bench.questions == []
    assert 0 < bench.shown["deadline"]["in"] <= 3.0


def test_who_plays_on_without_answering_agrees_with_the_call(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("three", confidence=0.5)
    bench.at(9.0).lands("racketeer", "pile")
    assert bench.verdicts == ["correct"]
    assert "Ida was not heard. Nobody objected: it counts as right." in bench.given
    assert bench.shown["state"]["pile"] == 2
    assert bench.rejected == []


def test_a_card_that_could_not_be_named_is_asked_about_and_holds_up_what_follows(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands(None, "pile")
    bench.at(5.5).says("one")
    assert bench.log == []
    (question,) = bench.questions
    assert question["text"] == "I am not sure: which card did Ida play?"
    assert question["player"] == "Ida"
    assert question["picture"] == "/photo/picture-1.jpg"
    bench.at(30.0)
    assert bench.do("answer", question=question["id"], option="racketeer")["ok"]
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played", "heard"]
    assert bench.verdicts == ["correct"]
    assert bench.shown["paused"] is None


def test_a_card_of_which_the_eyes_are_not_sure_is_the_first_answer(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("gun", "pile", confidence=0.4)
    assert bench.questions[0]["options"][0] == {"id": "gun", "label": "gun", "card": "gun", "words": []}
    assert len(bench.questions[0]["options"]) == 6


def test_a_player_may_be_told_by_the_zone(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("twin_racketeer", "pile")
    bench.at(5.5).says("one", "two")
    bench.at(7.0).lands("racketeer", "pile:Jo")
    assert bench.verdicts == ["correct", "should_have_skipped"]
    assert bench.given[-1] == "Jo played. It was a twin: Jo skips."


def test_talk_that_concerns_nobody_is_not_written_down(bench: Bench) -> None:
    begin(bench)
    bench.at(4.0).says("four")
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")
    bench.at(6.2).says("seven", "seven")
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played", "heard"]


def test_silence_on_a_gun_and_a_word_on_a_gun(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("gun", "pile")
    bench.at(7.0).lands("gun", "pile")
    bench.at(7.5).says("two", confidence=0.2)
    assert bench.verdicts == ["correct"]
    bench.at(8.2).says("two", confidence=0.98)
    assert bench.verdicts == ["correct", "should_be_silent"]


def test_a_doubt_by_seat_button(bench: Bench) -> None:
    begin(bench, enforcement="on_accusation")
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("two")
    assert bench.verdicts == []
    bench.at(6.3).put(Press(bench.now, "seat 1"))
    bench.at(6.5).put(Press(bench.now, "seat 3"))
    bench.at(7.0).passed()
    assert [entry["event"] for entry in bench.log][-1] == {"event": "accused", "by": ["Kai"], "t": 6.5}
    assert bench.verdicts == ["wrong_number"]
    assert bench.given[-1] == "Ida said two. It was one."


def test_two_who_doubt_within_a_moment_accuse_together(bench: Bench) -> None:
    begin(bench, enforcement="on_accusation")
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")
    bench.at(6.3).put(Press(bench.now, "seat 3"), Press(bench.now + 0.3, "seat 2"))
    bench.at(6.7).passed()
    assert bench.verdicts == []
    bench.at(6.9).passed()
    assert bench.log[-1]["event"] == {"event": "accused", "by": ["Kai", "Jo"], "t": 6.3}
    assert bench.verdicts == ["false_accusation", "false_accusation"]
    assert bench.shown["state"]["stack"] == {"Ida": 9, "Jo": 11, "Kai": 10}
    assert bench.rejected == []


def test_a_doubt_after_the_next_card_is_not_that_of_the_one_before(bench: Bench) -> None:
    begin(bench, enforcement="on_accusation")
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")
    bench.at(6.3).put(Press(bench.now, "seat 3"), Press(bench.now + 0.4, "seat 2"))
    bench.at(6.5).lands("gun", "pile")
    bench.at(8.0).passed()
    assert [e["event"]["by"] for e in bench.log if e["event"]["event"] == "accused"] == [["Kai"]]


def test_no_time_runs_out_while_the_microphone_is_unplugged(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.0).down("microphone")
    assert bench.given[-1] == "The microphone does not answer: the recording has ended"
    bench.at(20.0).passed()
    bench.at(21.0).step()
    assert bench.verdicts == []
    assert bench.shown["paused"] == "microphone"
    bench.at(30.0).up("microphone")
    bench.at(31.0).says("one")
    assert bench.verdicts == ["correct"]


def test_a_game_begun_while_the_microphone_is_lost_waits_for_it(bench: Bench) -> None:
    begin(bench)
    bench.at(2.0).down("microphone")
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(20.0).step()
    assert (bench.verdicts, bench.shown["paused"]) == ([], "microphone")
    bench.at(30.0).up("microphone")
    bench.at(31.0).says("one")
    assert bench.verdicts == ["correct"]


def test_the_table_may_play_on_without_the_microphone(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).down("microphone")
    assert bench.do("go_on")["ok"]
    assert bench.shown["paused"] is None
    bench.at(6.0).event("heard", words=["one"])
    assert bench.verdicts == ["correct"]


def test_a_call_that_nobody_could_hear_counts_when_the_table_plays_on(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.2).down("microphone")
    bench.at(7.0).lands("racketeer", "pile")
    assert bench.verdicts == ["correct"]
    assert "Ida was not heard. Nobody objected: it counts as right." in bench.given
    assert bench.rejected == []


def test_without_a_microphone_nobody_who_taps_slowly_is_too_late(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=30)
    assert bench.shown["paused"] == "microphone"
    bench.at(5.0).event("card_played", player="Ida", card="racketeer")
    bench.at(12.0).event("heard", words=["one"])
    bench.at(30.0).step()
    bench.at(31.0).event("card_played", player="Jo", card="racketeer")
    bench.at(60.0).event("heard", words=["two"])
    assert bench.verdicts == ["correct", "correct"]


def test_without_a_microphone_the_table_says_who_was_too_slow(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=30)
    bench.at(5.0).event("card_played", player="Ida", card="racketeer")
    assert bench.do("too_slow")["ok"]
    assert (bench.verdicts, bench.log[-1]["verdicts"][0]["player"]) == (["too_late"], "Ida")
    bench.at(20.0).event("card_played", player="Ida", card="racketeer")
    bench.at(30.0).event("heard", words=["one"])
    assert bench.do("too_slow")["ok"]
    assert [one["player"] for one in bench.log[-1]["verdicts"]] == ["Jo"]
    assert bench.rejected == []


def test_without_a_microphone_the_table_may_time_the_players_and_stop_it(bench: Bench) -> None:
    bench.up("camera")
    bench.begin("nasty_7", "Ida", "Jo", deck_size=30)
    assert bench.shown["paused"] == "microphone"
    bench.do("go_on")
    assert bench.shown["paused"] is None
    assert bench.do("stop_timing")["ok"]
    assert bench.shown["paused"] == "microphone"
    bench.at(5.0).event("card_played", player="Ida", card="racketeer")
    bench.at(12.0).event("heard", words=["one"])
    assert bench.verdicts == ["correct"]
    bench.up("microphone")
    assert bench.do("stop_timing")["code"] == "no_limit"


def test_a_microphone_that_comes_lets_the_clock_run(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=30)
    bench.at(5.0).up("microphone")
    assert bench.shown["paused"] is None
    bench.at(6.0).event("card_played", player="Ida", card="racketeer")
    assert bench.do("too_slow")["code"] == "no_limit"
    bench.at(9.2).step()
    bench.passed()
    assert bench.verdicts == ["too_late"]


def test_the_expectation_names_words_and_cards(bench: Bench) -> None:
    told = bench.listener.expectations
    bench.begin("nasty_7", "Ida", "Jo", deck_size=30, twins=False, sound=["pfft"])
    assert told[-1].cards == frozenset({"racketeer", "phone", "gun"})
    assert {"one", "seven", "pfft"} <= set(told[-1].words)
    assert told[-1].right == ()
    bench.event("card_played", player="Ida", card="racketeer")
    assert told[-1].right == (("one",),)


def test_a_call_counts_although_the_ears_are_six_seconds_behind(bench: Bench) -> None:
    """A machine with too much to do is no reason to blame a player."""
    begin(bench)
    start = bench.now
    bench.at(5.0).lands("racketeer", "pile")
    for later in (8.2, 10.8, 13.9):
        bench.at(later).put(Watched(bench.now))
    assert bench.verdicts == []
    words = (HeardWord("one", start + 7.0, start + 7.3, 0.99),)
    bench.at(14.0).put(Utterance(words, start + 7.0, start + 7.3, 0.99), Listened(start + 8.4))
    assert bench.verdicts == ["correct"]


def heard_from(bench: Bench, word: str, start: float, end: float) -> Any:
    zero = bench.now
    return Utterance((HeardWord(word, zero + start, zero + end, 0.99),), zero + start, zero + end, 0.99)


def seen_at(bench: Bench, label: str, t: float) -> Any:
    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    return Landing(bench.now + t, "pile", Sighting(label, 0.9, corners))


def test_a_call_that_begins_just_before_its_card_is_down_belongs_to_the_card(bench: Bench) -> None:
    """Ida's gun keeps silent; Jo calls while the own card is still in the air."""
    begin(bench)
    bench.at(5.0).lands("gun", "pile")
    call, card = heard_from(bench, "two", 1.3, 1.7), seen_at(bench, "racketeer", 1.5)
    bench.at(7.5).put(call, card)
    bench.passed()
    assert [entry["event"].get("card") for entry in bench.log] == ["gun", "racketeer", None]
    assert bench.verdicts == ["correct", "correct"]
    assert bench.log[2]["event"]["start"] == bench.log[1]["event"]["t"]


def test_a_call_that_ends_before_the_next_card_belongs_to_the_card_before(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    call, card = heard_from(bench, "one", 1.2, 1.45), seen_at(bench, "racketeer", 1.5)
    bench.at(7.5).put(card, call)
    bench.passed()
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played", "heard", "card_played"]
    assert bench.verdicts == ["correct"]
