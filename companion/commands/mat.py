"""`companion mat`: draws the printed mat whose markers show the camera the table."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The PDF to write."
)
@click.option(
    "--size", default="a3", show_default=True, help="Size of the mat: a4, a3, a2, a1, letter or tabloid."
)
@click.option("--paper", help="Split it into pages of this size, a4 or letter; default: one large page.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(out: Path, size: str, paper: str | None, as_json: bool) -> None:
    """Draw the mat as a PDF. Print it at 100 % and put it under the game: it shows the camera the zones.

    Two of its ten markers must be visible. Print a large mat in a copy shop, or on several pages with
    --paper and glue them edge to edge.
    """
    from companion.art.mat_sheet import mat_pdf, pages
    from companion.commands.atomic_file import pdf_named, write_file
    from companion.core.mat_layout import mat_named

    pdf_named(out)
    mat = mat_named(size)
    write_file(out, mat_pdf(size, paper))
    across, down = pages(size, paper)
    result = {"out": str(out), "mat": size, "mm": [mat.width, mat.height], "pages": across * down}
    if as_json:
        click.echo(json.dumps(result))
        return
    sheets = f"{across} x {down} pages" if across * down > 1 else "one page"
    click.echo(f"{mat.width:.0f} x {mat.height:.0f} mm on {sheets}, {out}; print at 100 %")
