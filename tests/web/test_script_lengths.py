"""Scripts and style sheets stay short: files up to 400 lines, functions under 60."""

import re
from collections.abc import Iterator
from pathlib import Path

STATIC = Path(__file__).resolve().parents[2] / "web" / "static"
GENERATED = {"api_types.d.ts"}
MOST_LINES = 400
FUNCTION_LINES = 60
FUNCTION = re.compile(
    r"^( *)(?:export )?(?:async )?(?:function (\w+)\(|const (\w+) = (?:async )?\(.*=> [{(\[]?$)"
)


def functions(text: str) -> Iterator[tuple[str, int]]:
    """Every function that has a name, with its number of lines. The last line is indented as the first."""
    lines = text.splitlines()
    for first, line in enumerate(lines):
        if found := FUNCTION.match(line):
            end = re.compile(rf"{found[1]}[}}\])]")
            last = next(
                (
                    n
                    for n in range(first + 1, len(lines))
                    if end.match(lines[n]) and not lines[n].endswith("{")
                ),
                first,
            )
            yield found[2] or found[3], last - first + 1


def test_files_are_short() -> None:
    found = [path for kind in ("js", "ts", "css") for path in STATIC.rglob(f"*.{kind}")]
    assert len(found) > 50
    long = {path.name: n for path in found if (n := len(path.read_text().splitlines())) > MOST_LINES}
    assert {name: n for name, n in long.items() if name not in GENERATED} == {}


def test_functions_are_short() -> None:
    found = {
        f"{path.relative_to(STATIC)}: {name}": n
        for path in STATIC.rglob("*.js")
        for name, n in functions(path.read_text(encoding="utf-8"))
    }
    assert len(found) > 300
    assert {name: n for name, n in found.items() if n >= FUNCTION_LINES} == {}


def test_a_long_function_is_found() -> None:
    body = "  f();\n" * 70
    text = f"function a(\n  one,\n) {{\n{body}}}\n\nconst b = (x) => {{\n  c();\n}};\n"
    assert list(functions(text)) == [("a", 74), ("b", 3)]
