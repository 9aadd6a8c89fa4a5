"""`tilescope export`: pictures, clips, curves, reports and recordings, each kind a module with options of its own."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.cli import window
from app.cli.base.commands import Command
from app.cli.base.console import Console
from app.cli.base.errors import accept, require
from app.cli.base.parser import Group
from app.core.base.files.locations import refuse_file
from app.core.export.kinds import ending_of
from kernels.base.messages import message

KINDS = (
    Command("figure", message("a picture of the stage, or of the page of times"), "export.figure"),
    Command("clip", message("a range of the timeline as an animated file"), "export.clip"),
    Command("player", message("a range of the timeline as a page that plays in any browser, with its source and words"), "export.player"),
    Command("examples", message("scenes and a lesson as players, with a page that has them all"), "export.examples"),
    Command("curves", message("the times of variants over their sizes, as a table or a chart"), "export.curves"),
    Command("report", message("a lab report: tables, curves, conditions, and room for your own text"), "export.report"),
    Command("recording", message("everything that was measured here, for another machine to show"), "recordings", "export"),
)


def add_options(group: Group) -> None:
    """Add the kinds."""
    group.commands("kind", "KIND", KINDS, required=True)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write a file of the kind that is named."""
    kind = next(each for each in KINDS if each.name == options.kind)
    status: int = kind.of_module(kind.function)(options, console)
    return status


def files_of(options: argparse.Namespace, endings: Sequence[str]) -> tuple[Path, ...]:
    """Check the files that are to be written, each once."""
    return tuple(dict.fromkeys(file_of(text, endings) for text in options.path))


def file_of(text: str, endings: Sequence[str]) -> Path:
    """Check a file that is to be written."""
    path = Path(text).absolute()
    accept(ending_of("FILE", path, endings))
    require(refuse_file(path))
    return path


def require_studio() -> None:
    """Load Qt, which needs no display to draw pictures."""
    window.require_qt()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def tell_all_written(options: argparse.Namespace, console: Console, written: Sequence[tuple[Path, Mapping[str, object]]]) -> int:
    """Say what was written: as JSON one object, for several files a list of them."""
    if options.json:
        answers = [{"path": str(path), **more} for path, more in written]
        console.print_json(answers[0] if len(answers) == 1 else answers)
    else:
        for path, _ in written:
            console.print(console.text(message("Written: {path}", path=str(path))))
    return 0


def tell_written(options: argparse.Namespace, console: Console, path: Path, **more: object) -> int:
    """Say what was written."""
    return tell_all_written(options, console, [(path, more)])
