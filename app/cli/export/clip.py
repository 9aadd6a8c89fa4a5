"""`tilescope export clip`: a range of the timeline as an animated file."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept, require
from app.cli.base.parser import Group
from app.cli.export import files_of, require_studio, tell_all_written
from app.cli.export.pictures import colours_of, index_of, number_of, picture_options, size_of, stage_options, stage_wanted
from app.core.base.parsing import half_width, shown, whole_number
from app.core.export.choice import FASTEST, SLOWEST, Range
from app.core.export.kinds import CLIPS, LARGEST_CLIP, RATES, refuse_clip
from kernels.base.messages import Message, message

if TYPE_CHECKING:
    from app.qt.export.clip import ClipDrawing


def add_options(group: Group) -> None:
    """Add the range, and how fast it plays."""
    group.option("path", "OUT.webp|.apng|.gif|.mp4", message("the clip's file; several are of one clip"), nargs="+")
    stage_options(group)
    group.option("--from", "STEP", message("the first step, counted from 1"), default="1")
    group.option("--to", "STEP", message("the last step"), required=True)
    group.option("--fps", "RATE", message("pictures in a second"), default="15")
    group.option("--speed", "STEPS", message("steps in a second; as many as pictures if not given"))
    picture_options(group, "1000x562")


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the clip, into several files where several are named. Interrupted, it leaves no file that is not whole."""
    from app.core.export.clips.mp4 import refuse_mp4

    paths, size, colours, chosen = files_of(options, CLIPS), size_of(options, LARGEST_CLIP), colours_of(options), _range(options)
    for path in paths:
        require(refuse_clip(size, chosen.frames, chosen.rate, path.suffix.lower()))
        if path.suffix.lower() == ".mp4":
            require(refuse_mp4())
    wanted = stage_wanted(options, chosen.first)
    require_studio()
    from app.qt.export.clip import ClipDrawing
    from app.qt.shell.headless import Studio, look_of

    look = look_of(colours, console.translator.language)
    with Studio(wanted.session, console.places) as studio:
        for path in paths:
            exported = wanted.moving(studio, look, size.width)
            require(studio.refuse_moments(chosen) or wanted.point(studio, range(chosen.first, chosen.last)))
            require(_drawn(ClipDrawing(path, exported, chosen, size, look)))
    width, height = size.pixels
    extent = {"width": width, "height": height, "pictures": chosen.frames}
    return tell_all_written(options, console, [(path, extent) for path in paths])


def _drawn(drawing: ClipDrawing) -> Message | None:
    """Draw to the end; why there is no file, or None."""
    try:
        while not drawing.done:
            drawing.step()
            drawing.wait()
    finally:
        drawing.cancel()
    return drawing.reason


def _range(options: argparse.Namespace) -> Range:
    first, last = index_of("--from", getattr(options, "from")), number_of("--to", options.to)
    if first >= last:
        raise Refused(
            message("The range must end after it begins: from step {first} to {last} there is nothing.", first=first + 1, last=last)
        )
    rate = accept(whole_number("--fps", options.fps, *RATES))
    return Range(first, last, rate, float(rate) if options.speed is None else _speed(options.speed))


def _speed(text: str) -> float:
    try:
        speed = float(half_width(text))
    except ValueError:
        speed = math.nan
    if not SLOWEST <= speed <= FASTEST:
        raise Refused(message("{name}: '{text}' is not a number from {least} to {most}.",
                              name="--speed", text=shown(text), least=SLOWEST, most=FASTEST))  # fmt: skip
    return speed
