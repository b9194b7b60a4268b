"""Models that an owner adds are checked by using them, and kept whole or not at all."""

import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.models import command
from companion.core.errors import Unavailable, UsageError
from companion.speech import model_store
from companion.speech.model import grammar, models

OWN = models.SHIPPED / "en"


def run(data: Path, *arguments: str) -> str:
    result = CliRunner().invoke(command, [*arguments, "--data", str(data)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_zip_with_a_folder_inside_is_added_listed_and_named(tmp_path: Path) -> None:
    packed = tmp_path / "vosk-model-small-en.zip"
    with zipfile.ZipFile(packed, "w") as file:
        for part in OWN.rglob("*"):
            file.write(part, Path("vosk-model-small-en") / part.relative_to(OWN))
    assert "vosk-model-small-en knows" in run(tmp_path / "data", "add", str(packed))
    listed = run(tmp_path / "data", "list").splitlines()
    assert any(line.startswith("en ") and " own " in line for line in listed)
    assert any(line.startswith("vosk-model-small-en") and " added " in line for line in listed)
    folder = models.named("vosk-model-small-en", tmp_path / "data" / "models")
    assert models.find_model(folder=folder) == tmp_path / "data" / "models" / "vosk-model-small-en"


def test_a_folder_takes_another_name_and_replaces_the_one_before(tmp_path: Path) -> None:
    for _ in range(2):
        assert model_store.add(OWN, tmp_path, "mine").name == "mine"
    assert [one.name for one in model_store.stored_models(tmp_path) if not one.shipped] == ["mine"]
    assert not list(tmp_path.glob(".adding*"))


def test_a_model_of_another_language_hears_the_sentence_with_its_own_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model_store.check(models.SHIPPED / "de")
    monkeypatch.setattr(models, "vocabulary", lambda path: frozenset({"uno", "due", "tre"}))
    with pytest.raises(Unavailable, match="does not know the numbers"):
        model_store.check(models.SHIPPED / "de")


def test_what_is_no_model_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(OWN, broken)
    (broken / "graph" / "HCLr.fst").unlink()
    kept = tmp_path / "kept"
    with pytest.raises(Unavailable, match="runtime grammar") as refused:
        model_store.add(broken, kept)
    assert str(refused.value).startswith(f"{broken} is no Vosk model")
    (tmp_path / "text.zip").write_text("no zip")
    with pytest.raises(UsageError, match="neither a folder nor a zip"):
        model_store.add(tmp_path / "text.zip", kept)
    with zipfile.ZipFile(tmp_path / "empty.zip", "w") as file:
        file.writestr("README", "nothing")
    with pytest.raises(Unavailable, match=r"am/final\.mdl is missing"):
        model_store.add(tmp_path / "empty.zip", kept)
    with zipfile.ZipFile(tmp_path / "bad.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.write(OWN / "graph" / "HCLr.fst", "en/graph/HCLr.fst")
    data = bytearray((tmp_path / "bad.zip").read_bytes())
    data[1000:1400] = bytes(400)
    (tmp_path / "bad.zip").write_bytes(data)
    with pytest.raises(Unavailable, match="is damaged: download"):
        model_store.add(tmp_path / "bad.zip", kept)
    (broken / "graph" / "HCLr.fst").write_bytes(b"")
    with pytest.raises(Unavailable, match=r"Vosk crashes with .*broken: the model is damaged"):
        model_store.add(broken, kept)
    with pytest.raises(UsageError, match="there is no"):
        model_store.add(tmp_path / "nowhere", kept)
    with pytest.raises(UsageError, match="cannot be a model's name"):
        model_store.add(OWN, kept, "../mine")
    assert list(kept.iterdir()) == []


def test_a_model_for_dictation_has_numbers_and_noises_as_rivals_only() -> None:
    english = grammar.language("en")
    many = frozenset({f"word{i}" for i in range(5000)} | {*english.numbers, "stop", "[unk]"})
    wanted = ("one", "two", "three")
    competing = grammar.competing_words(wanted, many, english)
    assert competing == {*english.numbers, "stop", "[unk]"} - set(wanted)
    assert set(grammar.with_competing_words(wanted, many, english)) == {*wanted, *competing}


@pytest.mark.parametrize("checked", [True, False])
def test_a_model_that_unpacks_to_too_much_is_refused_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checked: bool
) -> None:
    """Also where the archive's list states less than there is."""
    monkeypatch.setattr(model_store, "MAX_UNPACKED_MB", 4)
    if not checked:
        monkeypatch.setattr(model_store.Budget, "check", lambda *_: None)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("en/am/final.mdl", bytes(16 * 2**20))
    with pytest.raises(Unavailable, match="> 4"):
        model_store.add(tmp_path / "bomb.zip", tmp_path / "kept")
    assert list((tmp_path / "kept").iterdir()) == []
