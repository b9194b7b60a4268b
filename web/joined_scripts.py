"""Joins the scripts of the pages, so that a phone asks for three files instead of fifty.

The browser can load every script of `web/static` as it is; each import is then a request of its own. Here a
script becomes a function, line by line as it was:

    import { h } from "../lib/dom.js";        const { h } = await $need("lib/dom.js");
    export function icon(name) { ... }        function icon(name) { ... }
                                              return { icon };

`web/loader.js` runs these functions. Comments are left out, line numbers stay, so that a source map shows the
browser's developer tools the scripts as they are. Imports and exports must be written in the forms above, or
as `import name from`, `import(...)` and `export default`: `tests/web/test_joined_scripts.py`.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

COMMENT = re.compile(r"^[ \t]*/\*(?:[^*]|\*(?!/))*\*/[ \t]*$", re.MULTILINE)
"""Ends at the first `*/`: a line that goes on behind its comment, such as a cast, keeps both."""
LINE_COMMENT = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
NAMED_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"([^"]+)";', re.MULTILINE)
DEFAULT_IMPORT = re.compile(r'^import (\w+) from "([^"]+)";', re.MULTILINE)
PLAIN_IMPORT = re.compile(r'^import "([^"]+)";', re.MULTILINE)
DYNAMIC_IMPORT = re.compile(r"\bimport\(")
EXPORT = re.compile(r"^export ((?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
DEFAULT_EXPORT = re.compile(r"^export default ", re.MULTILINE)
IMPORTED = re.compile(r'^import\s(?:[^;"]*\sfrom\s)?"([^"]+)";', re.MULTILINE)


class JoinedScripts:
    """The scripts below a folder, and the files made of them. Stateless after construction."""

    def __init__(self, static: Path) -> None:
        self._sources = {
            path.relative_to(static).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(static.rglob("*.js"))
        }
        self._loader = (Path(__file__).parent / "loader.js").read_text(encoding="utf-8")

    def reached(self, script: str) -> list[str]:
        """The script and all that it imports, directly or not, in the order of their names."""
        found: set[str] = set()
        waiting = [script]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(resolved(name, path) for path in IMPORTED.findall(self._sources[name]))
        return sorted(found)

    def named(self, *folders: str) -> list[str]:
        """The scripts in these folders."""
        return [name for name in self._sources if name.startswith(folders)]

    def shared(self, names: Sequence[str], files: Mapping[str, str]) -> str:
        """The file with the loader and the scripts that every page needs.

        Args:
            files: script that may be imported later -> address of the file that defines it.
        """
        loader = without_comments(self._loader).replace("$files = {}", f"$files = {json.dumps(files)}")
        return loader + self._definitions(names)

    def page(self, script: str, shared: Sequence[str], address: str) -> str:
        """The file with a page's script and what it alone imports; it starts the script.

        Args:
            shared: the scripts of the shared file.
            address: where the shared file is.
        """
        head = f'import {{ $define, $need, $import }} from "{address}";\n'
        return f'{head}{self._definitions(self._alone(script, shared))}await $need("{script}");\n'

    def part(self, script: str, shared: Sequence[str]) -> str:
        """The file with a script that pages import later, and what it alone imports.

        The shared file names its address, so that it cannot name the shared file: the loader hands its
        functions over.
        """
        body = self._definitions(self._alone(script, shared))
        return f"export default function ($define, $need, $import) {{\n{body}}}\n"

    def _alone(self, script: str, shared: Sequence[str]) -> list[str]:
        return [name for name in self.reached(script) if name not in shared]

    def _definitions(self, names: Iterable[str]) -> str:
        return "".join(definition(name, self._sources[name]) for name in names)

    def source_map(self, joined: str) -> str:
        """The source map of a joined file: which line of which script each line was."""
        sections = []
        for n, line in enumerate(joined.splitlines()):
            if found := re.match(r'\$define\("([^"]+)"', line):
                text = self._sources[found[1]]
                mappings = ";".join(["AAAA", *["AACA"] * (len(text.splitlines()) - 1)])
                part = {"version": 3, "sources": [f"/static/{found[1]}"], "names": [], "mappings": mappings}
                sections.append({"offset": {"line": n + 1, "column": 0}, "map": part})
        return json.dumps({"version": 3, "sections": sections})


def resolved(script: str, path: str) -> str:
    """The script that `path` names in an import of `script`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(script), path))


def without_comments(text: str) -> str:
    """The script without comments that have lines of their own; the lines keep their numbers."""
    text = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    return LINE_COMMENT.sub("", text)


def definition(name: str, source: str) -> str:
    """The script as a call of the loader. Its first line is the second one of the call."""
    text = without_comments(source)
    text = NAMED_IMPORT.sub(
        lambda found: (
            f'const {{{found[1].replace(" as ", ": ")}}} = await $need("{resolved(name, found[2])}");'
        ),
        text,
    )
    text = DEFAULT_IMPORT.sub(
        lambda found: f'const {{ default: {found[1]} }} = await $need("{resolved(name, found[2])}");', text
    )
    text = PLAIN_IMPORT.sub(lambda found: f'await $need("{resolved(name, found[1])}");', text)
    text = DYNAMIC_IMPORT.sub(f'$import("{name}", ', text)
    exports = [found[2] for found in EXPORT.finditer(text)]
    text = EXPORT.sub(r"\1", text)
    if DEFAULT_EXPORT.search(text):
        text = DEFAULT_EXPORT.sub("const $default = ", text)
        exports.append("default: $default")
    return f'$define("{name}", async () => {{\n{text}return {{ {", ".join(exports)} }};\n}});\n'
