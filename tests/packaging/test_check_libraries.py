"""The libraries of a package are checked without running them."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "packaging" / "check_libraries.py"
X86_64, AARCH64 = 62, 183


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_libraries", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def libraries(tmp_path: Path) -> Path:
    """What a good package for arm64 holds."""
    for part, tag in (
        ("common", "py3-none-any"),
        ("python3.11", "cp311-cp311-manylinux_2_28_aarch64"),
        ("python3.13", "cp37-abi3-manylinux_2_28_aarch64"),
    ):
        notes = tmp_path / part / f"some_{part}-1.0.dist-info"
        notes.mkdir(parents=True)
        notes.joinpath("WHEEL").write_text(f"Wheel-Version: 1.0\nTag: {tag}\n")
        notes.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: some.{part}\nVersion: 1.0\n")
    elf(tmp_path / "python3.11" / "_x.cpython-311-aarch64-linux-gnu.so", AARCH64)
    elf(tmp_path / "python3.13" / "_x.abi3.so", AARCH64)
    return tmp_path


def elf(file: Path, machine: int, needs: bytes = b"GLIBC_2.17") -> None:
    file.write_bytes(b"\x7fELF" + bytes(14) + machine.to_bytes(2, "little") + b"\0" + needs + b"\0")


def requires(folder: Path, required: str) -> None:
    (folder / "common/some_common-1.0.dist-info/METADATA").write_text(
        f"Metadata-Version: 2.1\nName: some.common\nVersion: 1.0\nRequires-Dist: {required}\n"
    )


def test_a_good_package_has_no_problems(program: ModuleType, libraries: Path) -> None:
    assert program.problems(libraries, "arm64") == []


def test_a_file_for_another_processor_is_named(program: ModuleType, libraries: Path) -> None:
    elf(libraries / "common" / "libvosk.so", X86_64)
    (found,) = program.problems(libraries, "arm64")
    assert found.endswith("libvosk.so: for another processor")


def test_a_file_for_another_python_is_named(program: ModuleType, libraries: Path) -> None:
    elf(libraries / "python3.13" / "_y.cpython-312-aarch64-linux-gnu.so", AARCH64)
    elf(libraries / "common" / "_z.cpython-311-aarch64-linux-gnu.so", AARCH64)
    found = program.problems(libraries, "arm64")
    assert [each.rpartition("/")[2] for each in found] == [
        "_z.cpython-311-aarch64-linux-gnu.so: for Python 311, not common",
        "_y.cpython-312-aarch64-linux-gnu.so: for Python 312, not 313",
    ]


def test_a_file_that_needs_a_newer_c_library_is_named(program: ModuleType, libraries: Path) -> None:
    elf(libraries / "common" / "new.so", AARCH64, b"GLIBC_2.4\0GLIBC_2.38")
    (found,) = program.problems(libraries, "arm64")
    assert found.endswith("new.so: needs the C library 2.38")


def test_a_wheel_for_another_processor_is_named(program: ModuleType, libraries: Path) -> None:
    wheel = libraries / "python3.11/some_python3.11-1.0.dist-info/WHEEL"
    wheel.write_text("Tag: cp311-cp311-manylinux_2_28_x86_64\n")
    assert program.problems(libraries, "arm64") == [
        "some_python3.11-1.0.dist-info: cp311-cp311-manylinux_2_28_x86_64"
    ]


@pytest.mark.parametrize(
    ("required", "missing"),
    [
        ("some-python3.11", ["3.13"]),
        ("absent>=2", ["3.11", "3.13"]),
        ("absent; python_version < '3.12'", ["3.11"]),
        ("absent; python_version >= '3.8' and python_version < '3.11'", []),
        ("absent; extra == 'test'", []),
        ("absent; platform_system == 'Windows'", []),
        ("Some.Common", []),
    ],
)
def test_every_required_library_must_be_there(
    program: ModuleType, libraries: Path, required: str, missing: list[str]
) -> None:
    requires(libraries, required)
    found = program.problems(libraries, "arm64")
    assert found == [f"Python {version}: some.common requires {required}" for version in missing]


def test_a_part_that_is_not_there_is_named(program: ModuleType, tmp_path: Path) -> None:
    assert len(program.problems(tmp_path, "amd64")) == 3
