"""`tilescope export examples`: the examples of the help as players, with a page that has them all, for the site of a course."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept, require
from app.cli.base.parser import Group, build_parser
from app.cli.export import player, tell_all_written
from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import refuse_file
from app.core.base.parsing import one_of
from app.core.export.examples import EXAMPLES, PAGE, Example, examples_page
from kernels.base.messages import message

_NAMES = tuple(example.name for example in EXAMPLES)


def add_options(group: Group) -> None:
    """Add the folder, and which."""
    group.option("folder", "FOLDER", message("the folder of the files, which is made where there is none"))
    group.option("--only", "NAME", message("only these: {names}", names=", ".join(_NAMES)), nargs="+")


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the players, then the page. Interrupted, the players that are done stay."""
    named = _NAMES if options.only is None else [accept(one_of("--only", name, _NAMES)) for name in options.only]
    chosen = [example for example in EXAMPLES if example.name in named]
    folder = Path(options.folder).absolute()
    page = folder / PAGE
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(message("{folder} cannot be made: {error}", folder=str(folder), error=error.strerror or str(error))) from None
    require(refuse_file(page))
    for number, example in enumerate(chosen, start=1):
        console.tell(console.text(message("{number} of {count}: {name}", number=number, count=len(chosen), name=example.title)))
        _write(folder, example, console)
    require(write_whole(page, examples_page(chosen, console.translator)))
    return tell_all_written(options, console, [(page, {"examples": len(chosen)})])


def _write(folder: Path, example: Example, console: Console) -> None:
    path = folder / f"{example.name}.html"
    words = ["export", "player", str(path), *example.options, "--json"]
    player.write(build_parser(console.translator).parse_args(words), console)
