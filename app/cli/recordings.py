"""`tilescope import` and `tilescope export recording`: measurements as one file, from one machine to another."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.base.console import Console
from app.cli.base.errors import accept, require
from app.cli.base.history import measured_here
from app.cli.base.parser import Group
from app.cli.export import file_of
from app.core.timing.recordings import export_recording, import_recording
from kernels.base.messages import message
from kernels.measure.rows import named_machines


def add_options(group: Group) -> None:
    """Add the recording's file."""
    group.option("path", "FILE.json", message("the recording's file"))


def export(options: argparse.Namespace, console: Console) -> int:
    """Write the last result of each point that was measured on this machine."""
    path = file_of(options.path, (".json",))
    results = measured_here(console)
    require(export_recording(results, path))
    if options.json:
        console.print_json({"path": str(path), "results": len(results), "machines": list(named_machines(results))})
    else:
        console.print(console.text(message("Written: {path}", path=str(path))))
    return 0


def perform(options: argparse.Namespace, console: Console) -> int:
    """Keep a copy of a recording, which the window then shows. Nothing in the file is carried out."""
    imported = accept(import_recording(Path(options.path).absolute(), console.places.recordings))
    if options.json:
        console.print_json({
            "results": len(imported.results), "left_out": imported.left_out, "machines": list(named_machines(imported.results)),
            "kept": str(imported.kept),
        })  # fmt: skip
        return 0
    console.print(console.text(imported.sentence))
    console.print(console.text(message("Kept as {path}; to forget it, delete that file.", path=str(imported.kept))))
    return 0
