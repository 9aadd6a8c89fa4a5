"""`tilescope export player`: a range of the timeline, a race, a whole program or a lesson as a page that plays in a browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept, require
from app.cli.base.parser import Group
from app.cli.base.pointing import pointed_of
from app.cli.base.request import variant_named
from app.cli.export import files_of, require_studio, tell_written
from app.cli.export.pictures import StageWanted, index_of, number_of, size_of, stage_options, stage_wanted
from app.cli.present import lesson_named
from app.core.base.files.atomic_write import write_whole
from app.core.export.choice import USUAL_STEPS, Range, usual_begin
from app.core.export.kinds import LARGEST_PLAYER, PLAYERS, PictureSize, refuse_player
from app.core.lessons.lesson import Lesson
from app.core.session.session import DEFAULT_VARIANT, Session
from kernels.base.messages import message

if TYPE_CHECKING:
    from app.qt.shell.headless import Studio

USUAL = {"scene": "1000x600", "lesson": "1000x562"}
"""As large as a page has room for on a laptop: words keep the size that they have in the window."""


def add_options(group: Group) -> None:
    """Add the range."""
    group.option("path", "OUT.html", message("the page's file"), nargs=1)
    stage_options(group)
    group.option(
        "--from",
        "STEP",
        message("the first step, counted from 1; of a race, if neither this nor --to is given, a little before what goes wrong"),
    )
    last = message("the last step, {steps} later if not given; of a whole program all events are shown", steps=USUAL_STEPS)
    group.option("--to", "STEP", last)
    group.option("--lesson", "LESSON", message("a lesson with its questions, in place of a range: its id, or the folder of one"))
    group.switch("--race", message("both schedules of the first data race, on one clock"))
    group.option("--size", "WIDTHxHEIGHT", message("how much is on the picture, in pixels at scale 1"))


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the page. Interrupted, it leaves no file."""
    path, steps = write(options, console)
    return tell_written(options, console, path, steps=steps, bytes=path.stat().st_size)


def write(options: argparse.Namespace, console: Console) -> tuple[Path, int]:
    """Write the page; its file, and how many steps it has, those of the lesson where it is one."""
    options.scale = "1"
    options.size = options.size or USUAL["lesson" if options.lesson else "scene"]
    (path,), size = files_of(options, PLAYERS), size_of(options, LARGEST_PLAYER)
    require(refuse_player(size, 1))
    if options.lesson is not None:
        pointed_of(options, variant_named(DEFAULT_VARIANT), 0)
        return path, _write_lesson(path, lesson_named(options.lesson), size, options, console)
    if options.to is not None:
        _range(options, 0)
    wanted = stage_wanted(options, begin_of(options))
    require_studio()
    from app.qt.shell.headless import Studio

    with Studio(wanted.session, console.places) as studio:
        return path, _write_scene(path, studio, wanted, size, options, console)


def _write_lesson(path: Path, lesson: Lesson, size: PictureSize, options: argparse.Namespace, console: Console) -> int:
    require_studio()
    from app.qt.export.player_recording import Recording
    from app.qt.export.recorded_lesson import LessonRecording
    from app.qt.shell.headless import Studio

    with Studio(Session(), None) as studio:
        studio.until_known()

        def tell(number: int) -> None:
            if not options.json:
                console.tell(console.text(message("Step {number} of {count}", number=number + 1, count=len(lesson.steps))))

        recording = Recording(size, console.translator)
        page = accept(LessonRecording(studio.workbench, studio.until, lesson, recording, tell).page())
    require(write_whole(path, page))
    return len(lesson.steps)


def _write_scene(path: Path, studio: Studio, wanted: StageWanted, size: PictureSize, options: argparse.Namespace, console: Console) -> int:
    """Write what the stage shows, or the page of a program that has run; how many steps that are."""
    from app.qt.export.exported_stage import link_of, played
    from app.qt.export.player_recording import PlayerDrawing

    steps, bench = shown_steps(studio, wanted, options), studio.workbench
    require(refuse_player(size, len(steps)))
    link = link_of(bench)
    view, pointed = wanted.view, wanted.pointed
    drawing = PlayerDrawing(path, lambda look: played(look, bench, view, size.width, pointed), steps, size, console.translator, link)
    try:
        while not drawing.done:
            drawing.step()
    finally:
        drawing.cancel()
    require(drawing.reason)
    return drawing.total


def shown_steps(studio: Studio, wanted: StageWanted, options: argparse.Namespace) -> range:
    """Have the studio show what is to be played; its steps."""
    from app.qt.export.exported_stage import steps_played

    require(wanted.prepared(studio))
    if options.race:
        require(studio.play_race())
    bench = studio.workbench
    if bench.program_page.offered.value:
        require(wanted.pointed.refuse(None, range(0)))
        bench.program_page.open_page()
        return steps_played(bench, range(0))
    timeline = bench.stage.timeline
    wrong = timeline.position.value.step if options.race and options.to is None else 0
    chosen = _range(options, timeline.extent.value.steps, usual_begin(wrong, computes=0))
    require(studio.refuse_moments(chosen))
    timeline.scrub(float(chosen.first))
    require(wanted.point(studio, range(chosen.first, chosen.last)))
    return range(chosen.first, chosen.last)


def begin_of(options: argparse.Namespace, usual: int = 0) -> int:
    """The index of the first step that is asked for."""
    asked = getattr(options, "from")
    return usual if asked is None else index_of("--from", asked)


def _range(options: argparse.Namespace, steps: int, usual: int = 0) -> Range:
    first = begin_of(options, usual)
    last = min(first + USUAL_STEPS, steps) if options.to is None else number_of("--to", options.to)
    if first >= last:
        raise Refused(
            message("The range must end after it begins: from step {first} to {last} there is nothing.", first=first + 1, last=last)
        )
    require(refuse_player(PictureSize(), last - first))
    return Range(first, last, 1, 1.0)
