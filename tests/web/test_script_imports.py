"""How the scripts of the pages import each other: existing files, no circles, no unused module, layers."""

import posixpath
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from companion.games import games

WEB = Path(__file__).resolve().parents[2] / "web"
STATIC = WEB / "static"
LAYERS = ("lib", "ui", "photo", "games", "forms", "pages")
"""A script imports scripts of its own folder and of folders named before it."""

IMPORT = re.compile(r'^(?:import|export)\s(?:[^;"]*\sfrom\s)?"([^"]+)";', re.MULTILINE)
NAMED = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"([^"]+)";', re.MULTILINE)
EXPORTED = re.compile(r"^export (?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)


def sources(static: Path = STATIC) -> dict[str, str]:
    """Path below static -> text of every script."""
    return {
        path.relative_to(static).as_posix(): path.read_text(encoding="utf-8") for path in static.rglob("*.js")
    }


def resolved(script: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(script), name))


def imports(scripts: dict[str, str]) -> dict[str, set[str]]:
    return {
        script: {resolved(script, name) for name in IMPORT.findall(text)} for script, text in scripts.items()
    }


def entries() -> set[str]:
    """The scripts that the templates load."""
    html = "".join(path.read_text(encoding="utf-8") for path in (WEB / "templates").glob("*.html"))
    return {f"pages/{name}.js" for name in re.findall(r'set script = "(\w+)"', html)}


def game_scripts() -> set[str]:
    """The scripts of the games, which games/index.js loads by the names of the games."""
    return {f"games/{game.name}/index.js" for game in games() if game.page}


def test_every_import_names_a_file_that_exists() -> None:
    scripts = sources()
    missing = {
        f"{script} imports {name}"
        for script, names in imports(scripts).items()
        for name in names - scripts.keys()
    }
    assert missing == set()


def test_every_imported_name_is_exported_and_used() -> None:
    scripts = sources()
    for script, text in scripts.items():
        for names, target in NAMED.findall(text):
            exported = set(EXPORTED.findall(scripts[resolved(script, target)]))
            body = NAMED.sub("", text)
            for name in (one.strip() for one in names.split(",")):
                if name:
                    assert name in exported, f"{script}: {target} exports no {name}"
                    assert re.search(rf"(?<![\w$])(?<!(?<!\.\.)\.){name}(?![\w$])", body), (
                        f"{script} never uses {name}"
                    )


def test_imports_make_no_circle() -> None:
    tuple(TopologicalSorter(imports(sources())).static_order())


def test_a_circle_of_imports_is_found() -> None:
    scripts = {
        "ui/a.js": 'import { b } from "./b.js";\n',
        "ui/b.js": 'import {\n  a,\n} from "../ui/a.js";\n',
    }
    with pytest.raises(CycleError):
        tuple(TopologicalSorter(imports(scripts)).static_order())


def test_every_script_is_loaded_by_a_page() -> None:
    graph = imports(sources())
    reached: set[str] = set()
    waiting = [*entries(), *game_scripts()]
    while waiting:
        script = waiting.pop()
        if script not in reached:
            reached.add(script)
            waiting.extend(graph[script])
    assert graph.keys() - reached == set()


def test_scripts_import_their_own_layer_and_those_below() -> None:
    rank = {layer: n for n, layer in enumerate(LAYERS)}
    for script, names in imports(sources()).items():
        layer = script.split("/")[0]
        assert layer in rank, f"{script} stands in no folder of {LAYERS}"
        for name in names:
            assert rank[name.split("/")[0]] <= rank[layer], f"{script} imports {name}"
