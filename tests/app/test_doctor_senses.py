"""The doctor tells how right the senses were in the latest games."""

from pathlib import Path

from companion.core.config import Config
from companion.host.doctor import check_machine
from companion.store.folder import DataFolder
from companion.store.journal import Journal
from companion.store.rows import AskedQuestion


def played(folder: DataFolder, calls: int, asked: int) -> None:
    """A game of The Nasty 7 in which some of Jo's calls were asked about."""
    folder.create()
    with Journal(folder.journal) as journal:
        game = journal.begin_game("nasty_7", ["Ida", "Jo"], {"deck_size": 40}).id
        n = 0
        for turn in range(calls):
            player, t = ("Ida", "Jo")[turn % 2], 2.0 * turn
            number = (1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2)[turn % 12]
            card = {"event": "card_played", "player": player, "card": "racketeer", "t": t}
            journal.append(game, n + 1, t, card, source="camera")
            heard = {"event": "heard", "words": [str(number)], "start": t + 0.5, "end": t + 0.9}
            journal.append(game, n + 2, t + 1.0, heard, source="microphone")
            if player == "Jo" and turn < 2 * asked:
                question = AskedQuestion(
                    n + 1, t + 1.0, "microphone", "unsure_call", "Jo", "", str(number), 1
                )
                journal.note_question(game, question)
            n += 2


def findings(folder: DataFolder) -> dict[str, str]:
    return {str(one.name): str(one.what) for one in check_machine(Config(), folder)}


def test_figures_and_advice_are_among_the_findings(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    played(folder, 28, 8)
    found = findings(folder)
    assert found["cards so far"] == "28 of 28 right, 0 asked about"
    assert found["calls so far"] == "20 of 28 right, 8 asked about"
    assert found["advice"].startswith("the microphone is far from Jo: 6 of 14 calls understood;")


def test_nothing_is_said_before_the_first_game(tmp_path: Path) -> None:
    assert not {"cards so far", "calls so far", "advice"} & findings(DataFolder(tmp_path)).keys()
