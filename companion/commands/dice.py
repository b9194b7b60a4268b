"""`companion dice`: reads the dice in pictures."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands import reports
from companion.commands.reports import Report


@click.command()
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True)
@click.option("--count", type=click.IntRange(1, 60), help="Number of dice; 5 in 13 Monsters.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each picture.")
def command(images: tuple[str, ...], count: int | None, as_json: bool) -> None:
    """Read the dice in each picture. Dice that are tilted or partly hidden are reported as unsure."""
    from companion.vision.dice.read import read_dice
    from companion.vision.image.picture import load_picture

    def work(path: Path) -> Report:
        reading = read_dice(load_picture(path), count)
        return {
            "image": str(path),
            "dice": [
                {
                    "value": die.value,
                    "centre": [round(v, 1) for v in die.centre],
                    "confidence": round(die.confidence, 3),
                }
                for die in reading.dice
            ],
            "sum": reading.total,
            "unsure": [str(one) for one in reading.unsure],
        }

    reports.report_each(images, work, _readable, as_json)


def _readable(result: Report) -> str:
    """The dice as text: their values from left to right, their sum, and the doubts."""
    values = " ".join(str(die["value"]) for die in result["dice"])
    lines = [f"{result['image']}: {values or 'no dice'}, together {result['sum']}"]
    lines.extend(f"  unsure: {doubt}" for doubt in result["unsure"])
    return "\n".join(lines)
