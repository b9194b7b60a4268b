"""What is said, in which order, how often; and that no broken output holds up the others."""

import threading

from companion.announce.announcer import Announcement, Announcer, Output


class FakeClock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Collector:
    def __init__(self) -> None:
        self.given: list[str] = []

    def put(self, announcement: Announcement | None) -> None:
        if announcement is not None:
            self.given.append(announcement.code)


def test_the_most_urgent_is_said_first_and_alone_is_heard() -> None:
    announcer, buzzer = Announcer(FakeClock()), Collector()
    announcer.connect(buzzer)  # type: ignore[arg-type]
    said = announcer.announce(
        [
            Announcement("undone", {"what": "x"}),
            Announcement("correct", {"player": "Jo"}),
            Announcement("too_late"),
        ]
    )
    assert [one.code for one in said] == ["too_late", "undone", "correct"]
    assert buzzer.given == ["too_late"]


def test_what_goes_as_expected_is_silent() -> None:
    announcer, buzzer = Announcer(FakeClock()), Collector()
    announcer.connect(buzzer)  # type: ignore[arg-type]
    assert announcer.announce([Announcement("correct", {"player": "Jo"})])
    assert buzzer.given == []


def test_a_repeat_is_said_once_until_some_time_has_passed() -> None:
    clock = FakeClock()
    announcer = Announcer(clock, repeat_s=2.0)
    late = Announcement("too_late", {"player": "Jo"})
    assert announcer.announce([late, late]) == [late]
    clock.now += 1.9
    assert announcer.announce([late, Announcement("too_late", {"player": "Ida"})]) == [
        Announcement("too_late", {"player": "Ida"})
    ]
    clock.now += 0.2
    assert announcer.announce([late]) == [late]
    announcer.forget()
    assert announcer.announce([late]) == [late]


def test_a_broken_output_is_reported_once_and_goes_on() -> None:
    reported: list[str] = []
    given: list[str] = []
    done = threading.Event()

    def give(announcement: Announcement) -> None:
        if announcement.code == "too_late":
            raise OSError("no such device")
        given.append(announcement.code)
        done.set()

    output = Output("buzzer", give, lambda name, error: reported.append(f"{name}: {error}"), size=8)
    for code in ("too_late", "too_late", "no_call"):
        output.put(Announcement(code))
    output.start()
    assert done.wait(5)
    output.stop()
    assert reported == ["buzzer: no such device"]
    assert given == ["no_call"]


def test_a_slow_output_drops_the_oldest_and_blocks_nobody() -> None:
    given: list[str] = []
    output = Output("voice", lambda one: given.append(one.code), lambda name, error: None, size=2)
    for code in ("too_late", "no_call", "winner"):
        output.put(Announcement(code))
    output.start()
    output.stop()
    assert given[-1:] == ["winner"]
    assert "too_late" not in given
