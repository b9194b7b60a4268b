"""`companion demo`: a simulated game night without hardware."""

from __future__ import annotations

import click


@click.command("demo")
@click.option(
    "--speed", type=click.FloatRange(0.1, 1000), default=1.0, show_default=True, help="Speed; 1 is real time."
)
@click.option("--no-browser", is_flag=True, help="Do not open the pages on this machine.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port of the pages."
)
@click.option("--whole", is_flag=True, help="Two whole games instead: eight minutes.")
def command(speed: float, no_browser: bool, port: int, whole: bool) -> None:
    """Play a simulated game night: drawn cards and recorded voices go through the real service.

    All five games in three minutes, each at the moment that shows it best, in the browser and in the
    terminal. Ends with the score board; exit status 1 if the result is not the expected one.
    """
    import sys
    import webbrowser

    from companion.commands.demo_night import night
    from companion.commands.demo_night.programme import programme
    from companion.commands.demo_night.trailer import trailer

    def served(address: str) -> None:
        click.echo(f"The pages are at {address}")
        if not no_browser and sys.stdout.isatty():
            webbrowser.open(address)

    standings = night.run(programme() if whole else trailer(), speed, port, click.echo, served)
    click.echo("")
    click.echo("The night in points, one for each player that one finished above:")
    for place in standings:
        click.echo(f"  {place.player:<12}{place.points:>4}")
