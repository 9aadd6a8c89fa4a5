"""`tilescope export player`: a range of the timeline as a page that plays in a browser."""

from __future__ import annotations

import argparse

from app.cli.console import Console
from app.cli.errors import Refused, require
from app.cli.export import files_of, require_studio, tell_written
from app.cli.export.pictures import number_of, size_of, stage_options, stage_wanted
from app.cli.parser import Group
from app.core.export.choice import Range
from app.core.export.kinds import LARGEST_PLAYER, PLAYERS, refuse_player
from kernels.base.messages import message


def add_options(group: Group) -> None:
    """Add the range."""
    group.option("path", "OUT.html", message("the page's file"), nargs=1)
    stage_options(group)
    group.option("--from", "STEP", message("the first step"), default="0")
    group.option("--to", "STEP", message("the last step"), required=True)
    group.option("--size", "WIDTHxHEIGHT", message("how much is on the picture, in pixels at scale 1"), default="1280x720")


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the page. Interrupted, it leaves no file."""
    options.scale = "1"
    (path,), size, chosen = files_of(options, PLAYERS), size_of(options, LARGEST_PLAYER), _range(options)
    require(refuse_player(size, chosen.last - chosen.first + 1))
    wanted = stage_wanted(options, chosen.first)
    require_studio()
    from app.qt.export.player import PlayerDrawing
    from app.qt.shell.headless import Studio

    with Studio(wanted.session, console.places) as studio:
        drawing = PlayerDrawing(path, lambda look: wanted.moving(studio, look, size.width), chosen, size, console.translator)
        try:
            require(studio.refuse_moments(chosen))
            while not drawing.done:
                drawing.step()
        finally:
            drawing.cancel()
        require(drawing.reason)
    return tell_written(options, console, path, steps=drawing.total, bytes=path.stat().st_size)


def _range(options: argparse.Namespace) -> Range:
    first, last = number_of("--from", getattr(options, "from")), number_of("--to", options.to)
    if first >= last:
        raise Refused(message("The range must end after it begins: from step {first} to {last} there is nothing.", first=first, last=last))
    return Range(first, last, 1, 1.0)
