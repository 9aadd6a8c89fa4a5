"""`tilescope export clip`: a range of the timeline as an animated file."""

from __future__ import annotations

import argparse
import math

from app.cli.console import Console
from app.cli.export_request import colours_of, file_of, number_of, require_qt, session_of, size_of, tell_written, view_of
from app.cli.refusal import Refused, accept, require
from app.core.export.kinds import CLIPS
from app.core.export.moments import FASTEST, SLOWEST, Range
from app.core.export.sizes import LARGEST_CLIP, RATES, refuse_clip
from app.core.inputs import half_width, shown, whole_number
from kernels.messages import message


def export_clip(options: argparse.Namespace, console: Console) -> int:
    """Write the clip. Interrupted, it leaves no file."""
    from app.core.export.clips.mp4 import refuse_mp4

    path, size, colours, view = file_of(options, CLIPS), size_of(options, LARGEST_CLIP), colours_of(options), view_of(options)
    ending, chosen = path.suffix.lower(), _range(options)
    require(refuse_clip(size, chosen.frames, chosen.rate, ending))
    if ending == ".mp4":
        require(refuse_mp4())
    session = session_of(options)
    require_qt()
    from app.qt.export.clip import ClipDrawing
    from app.qt.export.headless import Studio, look_of

    look = look_of(colours, console.translator.language)
    with Studio(session, console.places) as studio:
        require(studio.refuse_stage(chosen.first))
        require(studio.refuse_moments(chosen))
        drawing = ClipDrawing(path, studio.stage_scene(look, view, size.width), chosen, size, look)
        try:
            while not drawing.done:
                drawing.step()
                drawing.wait()
        finally:
            drawing.cancel()
    require(drawing.reason)
    width, height = size.pixels
    return tell_written(options, console, path, width=width, height=height, pictures=chosen.frames)


def _range(options: argparse.Namespace) -> Range:
    first, last = number_of("--from", getattr(options, "from")), number_of("--to", options.to)
    if first >= last:
        raise Refused(message("The range must end after it begins: from step {first} to {last} there is nothing.", first=first, last=last))
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
