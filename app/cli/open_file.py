"""`tilescope open`: the window with what a file or a link says, as a file manager or a browser starts it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept
from app.cli.base.parser import SHOWN_VARIANT, WINDOW_SIZE, ZOOM, Group, theme_option
from app.cli.challenges import attempt_in
from app.cli.present import lesson_named
from app.cli.window import arguments_of, show_window
from app.core.base.files.text_files import is_folder, read_source
from app.core.base.parsing import shown
from app.core.challenges.result import SUFFIX as ATTEMPT
from app.core.lessons.read import STRUCTURE
from app.core.state.read import read_state
from app.core.state.snapshot import Snapshot
from app.core.state.written import MARK
from app.core.state.written import SUFFIX as STATE
from app.core.workbench.links import hand_over, read_link
from app.core.workbench.window_arguments import LessonPosition, Tried, WindowArguments
from kernels.base.messages import Message, message

SOURCE = ".cu"


def add_options(group: Group) -> None:
    """Add the file, and how the window looks."""
    named = "*.tilescope, *.attempt, *.cu, lesson.toml, tilescope:…"
    kinds = message("a state, an attempt at a challenge, CUDA C, a lesson or a link: {kinds}", kinds=named)
    group.option("file", "FILE", kinds, nargs="?")
    theme_option(group, default=argparse.SUPPRESS)
    group.option("--variant", "ID", SHOWN_VARIANT, default=argparse.SUPPRESS)
    group.option("--size", "WIDTHxHEIGHT", WINDOW_SIZE, default=argparse.SUPPRESS)
    group.option("--zoom", "PERCENT", ZOOM, default=argparse.SUPPRESS)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Open the window; returns when it is closed. A link goes to the window that is open, unless another look is asked for."""
    asked = arguments_of(options, console)
    file: str | None = options.file
    if file is not None and asked.variant_id is not None:
        said = message("the link or file says already what is shown. Leave one of the two out.")
        raise Refused(message("{place}: {reason}", place="--variant", reason=said))
    if file is None or not file.startswith(MARK):
        return show_window(replace(asked, opened=None if file is None else opened(_path(file))), console)
    found = read_link(file)
    if isinstance(found, Message):
        raise Refused(found)
    if asked == WindowArguments() and hand_over(file, console.places):
        console.tell(console.text(message("The window that is open shows it.")))
        return 0
    return show_window(replace(asked, opened=found), console)


def _path(text: str) -> Path:
    """The file that is named as such, or by an address, as file managers do."""
    return Path(url2pathname(urlsplit(text).path)) if text.startswith("file://") else Path(text)


def opened(path: Path) -> Snapshot | Tried | LessonPosition | Path:
    """Read what the file says; its name tells the kind. Refused where it says nothing, or is of no kind that the window shows."""
    if is_folder(path) or path.name == STRUCTURE:
        return LessonPosition(lesson_named(str(path if is_folder(path) else path.parent)))
    match path.suffix.lower():
        case kind if kind == STATE:
            return _state(path)
        case kind if kind == ATTEMPT:
            return attempt_in(path)
        case kind if kind == SOURCE:
            accept(read_source(path))
            return path.absolute()
    endings = ", ".join((STATE, ATTEMPT, SOURCE, STRUCTURE))
    raise Refused(message("{name}: the file's name must end in {endings}.", name=shown(path.name), endings=endings))


def _state(path: Path) -> Snapshot:
    found = read_state(accept(read_source(path)))
    if isinstance(found, Message):
        raise Refused(message("{place}: {reason}", place=shown(str(path), 200), reason=found))
    return found
