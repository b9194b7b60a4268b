"""The scripts of the pages, joined into few files: same lines, same imports and exports."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from web.assets import SHARED, STATIC
from web.joined_scripts import JoinedScripts, definition, without_comments


@pytest.fixture(scope="module")
def scripts() -> JoinedScripts:
    return JoinedScripts(STATIC)


def test_imports_and_exports_become_needs_and_a_return() -> None:
    source = (
        'import {\n  a,\n  b as c,\n} from "./x.js";\n'
        'import d from "../lib/y.js";\n'
        "export const e = 1;\n"
        "export async function f() {\n  return import(`./${a}.js`);\n}\n"
        "export default { a, c, d };\n"
    )
    assert definition("ui/z.js", source) == (
        '$define("ui/z.js", async () => {\n'
        'const {\n  a,\n  b: c,\n} = await $need("ui/x.js");\n'
        'const { default: d } = await $need("lib/y.js");\n'
        "const e = 1;\n"
        'async function f() {\n  return $import("ui/z.js", `./${a}.js`);\n}\n'
        "const $default = { a, c, d };\n"
        "return { e, f, default: $default };\n});\n"
    )


def test_comments_go_and_lines_keep_their_numbers() -> None:
    assert without_comments('/* one\n   two */\nconst a = "/* b */"; // c\n  // d\nf();\n') == (
        '\n\nconst a = "/* b */"; // c\n\nf();\n'
    )


def test_a_line_that_begins_with_a_comment_keeps_its_code() -> None:
    cast = "  /** @type {Place} */ (event.target).focus();\n  go(); /* then */\n  /* gone */\n"
    assert without_comments(cast) == cast.replace("  /* gone */", "")
    inside = "/** @type {A} */ (a).b();\n/* one ** two */\nc();\n"
    assert without_comments(inside) == "/** @type {A} */ (a).b();\n\nc();\n"


def test_every_script_is_written_in_the_forms_that_are_known(scripts: JoinedScripts) -> None:
    for name in scripts.named(""):
        source = (STATIC / name).read_text(encoding="utf-8")
        joined = definition(name, source)
        assert len(joined.splitlines()) == len(source.splitlines()) + 3, name
        assert not re.search(r"^\s*(import|export)\b", joined, re.MULTILINE), name


def test_files_hold_each_script_once_and_all_that_it_needs(scripts: JoinedScripts) -> None:
    shared = scripts.named(*SHARED)
    first = scripts.shared(shared, {"games/nasty_7/index.js": "/assets/n.js"})
    assert '{"games/nasty_7/index.js": "/assets/n.js"}' in first
    later = scripts.part("games/nasty_7/index.js", shared)
    for page in STATIC.glob("pages/*.js"):
        own = scripts.page(f"pages/{page.name}", shared, "/assets/shared.js")
        found = re.findall(r'^\$define\("([^"]+)"', first + own, re.MULTILINE)
        assert len(found) == len(set(found))
        assert set(re.findall(r'\$need\("([^"]+)"', first + own)) <= set(found)
    assert "games/nasty_7/position_form.js" in re.findall(r'^\$define\("([^"]+)"', later, re.MULTILINE)


def test_the_source_map_points_to_the_lines_of_the_scripts(scripts: JoinedScripts) -> None:
    joined = scripts.shared(["lib/boot.js", "lib/snapshot.js"], {})
    sections = json.loads(scripts.source_map(joined))["sections"]
    lines = joined.splitlines()
    for section, name in zip(sections, ("lib/boot.js", "lib/snapshot.js"), strict=True):
        first = section["offset"]["line"]
        source = (STATIC / name).read_text(encoding="utf-8").splitlines()
        assert section["map"]["sources"] == [f"/static/{name}"]
        assert section["map"]["mappings"].count(";") == len(source) - 1
        kept = [n for n, line in enumerate(source) if line.startswith("export const referee")]
        for n in kept:
            assert lines[first + n] == source[n].removeprefix("export ")


def test_a_computer_reads_every_joined_file(scripts: JoinedScripts, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    shared = scripts.named(*SHARED)
    games = [f"games/{one.parent.name}/index.js" for one in sorted(STATIC.glob("games/*/index.js"))]
    assert games
    files = [scripts.shared(shared, {}), *(scripts.part(name, shared) for name in games)]
    files += [scripts.page(f"pages/{one.name}", shared, "./0.mjs") for one in STATIC.glob("pages/*.js")]
    for n, text in enumerate(files):
        (tmp_path / f"{n}.mjs").write_text(text, encoding="utf-8")
        subprocess.run([node, "--check", tmp_path / f"{n}.mjs"], check=True, capture_output=True)
