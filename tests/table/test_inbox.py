"""What happened first comes out first, however late it is noticed, and nothing waits for ever."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.observations import Utterance
from companion.table.inbox import EARS, EYES, Inbox, known_from, moment_of


def test_a_card_noticed_late_does_not_come_after_a_call_that_began_later() -> None:
    inbox: Inbox[str] = Inbox(hold_s=2.5)
    inbox.mark(EYES, 9.0)
    inbox.mark(EARS, 9.0)
    inbox.put("call at 10.5", 10.5, now=11.2)
    inbox.mark(EARS, 11.0)
    inbox.mark(EYES, 10.2)
    assert list(inbox.ready(11.2)) == []
    inbox.put("card at 10.3", 10.3, now=11.3)
    inbox.mark(EYES, 11.0)
    assert list(inbox.ready(11.3)) == ["card at 10.3", "call at 10.5"]


def test_without_senses_nothing_waits() -> None:
    inbox: Inbox[str] = Inbox()
    inbox.put("press", 10.0, now=10.0)
    assert list(inbox.ready(10.0)) == ["press"]


def test_a_sense_that_hangs_is_waited_for_no_longer_than_the_hold() -> None:
    inbox: Inbox[str] = Inbox(hold_s=2.5)
    inbox.mark(EYES, 5.0)
    inbox.put("call", 10.0, now=10.4)
    assert list(inbox.ready(12.8)) == []
    assert list(inbox.ready(12.9)) == ["call"]


def test_what_waited_long_enough_takes_along_what_happened_before_it() -> None:
    inbox: Inbox[str] = Inbox(hold_s=2.0)
    inbox.mark(EYES, 5.0)
    inbox.put("later", 11.0, now=11.0)
    inbox.put("earlier", 10.0, now=12.0)
    assert list(inbox.ready(13.0)) == ["earlier", "later"]


def test_a_sense_that_went_down_is_not_waited_for() -> None:
    inbox: Inbox[str] = Inbox()
    inbox.mark(EARS, 5.0)
    inbox.put("card", 10.0, now=10.0)
    assert list(inbox.ready(10.0)) == []
    inbox.live(EARS, False)
    assert list(inbox.ready(10.0)) == ["card"]


def test_a_sense_that_came_up_is_waited_for_from_its_first_watermark_on() -> None:
    inbox: Inbox[str] = Inbox()
    inbox.live(EARS, True)
    assert inbox.settled(10.0, now=10.0)
    inbox.mark(EARS, 9.0)
    assert not inbox.settled(10.0, now=10.0)


def test_a_moment_is_settled_when_all_have_passed_it_and_nothing_waits_before_it() -> None:
    inbox: Inbox[str] = Inbox(hold_s=2.5)
    inbox.mark(EARS, 10.0)
    inbox.mark(EYES, 10.0)
    inbox.put("card", 9.5, now=10.1)
    assert not inbox.settled(10.0, now=10.1)
    assert list(inbox.ready(10.1)) == ["card"]
    assert inbox.settled(10.0, now=10.1)
    assert not inbox.settled(10.1, now=10.2)
    assert not inbox.settled(10.1, now=12.7)
    assert inbox.settled(10.1, now=20.2)


def test_what_happened_at_one_moment_comes_out_as_it_was_put() -> None:
    inbox: Inbox[str] = Inbox()
    for what in ("first", "second", "third"):
        inbox.put(what, 10.0, now=10.0)
    assert len(inbox) == 3
    assert list(inbox.ready(10.0)) == ["first", "second", "third"]


def test_a_report_is_held_for_two_and_a_half_seconds_and_time_for_four_times_as_long() -> None:
    inbox: Inbox[str] = Inbox()
    inbox.mark(EARS, 5.0)
    inbox.put("card", 10.0, now=11.0)
    assert list(inbox.ready(13.49)) == []
    assert list(inbox.ready(13.5)) == ["card"]
    assert not inbox.settled(10.0, now=19.99)
    assert inbox.settled(10.0, now=20.0)


def test_a_watermark_passes_its_own_moment() -> None:
    inbox: Inbox[str] = Inbox()
    inbox.mark(EYES, 10.0)
    inbox.mark(EYES, 9.0)
    inbox.put("card", 10.0, now=10.1)
    assert inbox.waits(10.0)
    assert not inbox.waits(9.99)
    assert list(inbox.ready(10.1)) == ["card"], "a watermark does not go back"
    assert inbox.settled(10.0, now=10.1)


def test_presses_of_one_chord_are_taken_out_together() -> None:
    inbox: Inbox[str] = Inbox()
    inbox.put("press", 10.0, now=10.0, chord_window_s=0.2)
    inbox.put("press too", 10.2, now=10.2, chord_window_s=0.2)
    inbox.put("card", 10.2, now=10.2)
    assert list(inbox.ready(10.19)) == []
    ready = inbox.ready(10.2)
    assert next(ready) == "press"
    assert inbox.take_matching(10.2, lambda what: what.startswith("press")) == ["press too"]
    assert inbox.take_matching(10.2, lambda what: what.startswith("press")) == [], "the card comes first now"
    inbox.put("press", 10.4, now=10.4)
    assert inbox.take_matching(10.3, lambda what: True) == ["card"]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            st.floats(0, 100, allow_nan=False),  # happened
            st.floats(0, 2.4),  # noticed so much later
        ),
        max_size=30,
    )
)
def test_order_is_that_of_happening_and_nothing_is_dropped(reports: list[tuple[float, float]]) -> None:
    """Two senses whose watermarks are honest: everything comes out, sorted."""
    inbox: Inbox[float] = Inbox(hold_s=2.5)
    out: list[float] = []
    inbox.mark(EYES, 0.0)
    arrivals = sorted((t + late, t) for t, late in reports)
    for k, (now, t) in enumerate(arrivals):
        inbox.put(t, t, now)
        pending = [happened for _, happened in arrivals[k + 1 :]]
        inbox.mark(EYES, min([now, *pending]))
        out.extend(inbox.ready(now))
    inbox.mark(EYES, 1000.0)
    out.extend(inbox.ready(1000.0))
    assert out == sorted(t for t, _ in reports)
    assert len(inbox) == 0


def test_a_call_waits_until_the_card_that_it_may_be_about_would_have_been_reported() -> None:
    inbox = Inbox[str]()
    inbox.mark(EYES, 10.1)
    inbox.put("call", 10.0, now=10.6, known=10.5)
    assert list(inbox.ready(10.6)) == []
    inbox.put("card", 10.3, now=10.7)
    assert inbox.first_after(10.0, lambda what: what == "card") == 10.3
    assert inbox.first_after(10.3, lambda what: what == "card") is None
    assert list(inbox.ready(10.7)) == [], "the card does not come before the call"
    inbox.mark(EYES, 10.5)
    assert list(inbox.ready(10.7)) == ["call", "card"]


def test_a_call_counts_from_its_start_and_is_known_at_its_end() -> None:
    long, short = Utterance((), 5.0, 6.0, 0.9), Utterance((), 5.0, 5.2, 0.9)
    assert (moment_of(long), known_from(long)) == (5.0, 6.0)
    assert (moment_of(short), known_from(short)) == (5.0, 5.5)
