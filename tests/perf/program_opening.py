"""How soon a whole program's output and its first launch are in the window, after it is opened and after an edit.

    python packaging/dev.py bench program

The whole window with its real workers, offscreen at 1920 x 1080; products of 64 x 64 matrices, opened from a file. The first time counts
apart: by then nothing that programs need has been imported. An edit is a comment at the end of the text: all is read and run again. Beside
the clock's time stands the processors' time of the window and all of its processes, which a busy machine changes less.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil

from app.core.gpu_view.index import LaunchIndex
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from kernels.simt.host.result import ProgramRun
from tests.perf.exploration import let_live, wait
from tests.perf.figures import Figure

PROGRAMS = ("matmul_tiled", "matmul_naive")
FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "programs"


class Opened(NamedTuple):
    """Seconds from an act until its output is there, and until its first launch is on the stage: by the clock, and of processors."""

    act: str
    output: float
    launch: float
    output_work: float
    launch_work: float


def figures(*, quick: bool) -> list[Figure]:
    """The first opening, then the median of others and of edits."""
    found: dict[str, list[Opened]] = {}
    for each in opened(2 if quick else 5):
        found.setdefault(each.act, []).append(each)
    names = {"output": "output", "launch": "launch", "output_work": "output, processor time", "launch_work": "launch, processor time"}
    return [
        Figure(f"{act}, {names[name]}", statistics.median(getattr(each, name) for each in times), "s", f"{len(times)} times")
        for act, times in found.items()
        for name in names
    ]


def opened(rounds: int) -> Iterator[Opened]:
    """Open and edit the programs in turn, in one window."""
    desktop = Desktop(WindowArguments("en", "light", None, (1920, 1080)), None, Settings(None))
    desktop.start()
    wait(lambda: desktop.workbench.stage_ready)
    let_live(2.0)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(FOLDER / "check.h", folder)
        for number in range(rounds * len(PROGRAMS)):
            text = (FOLDER / f"{PROGRAMS[number % len(PROGRAMS)]}.cu").read_text(encoding="utf-8")
            path = Path(folder) / f"{number}.cu"
            path.write_text(text, encoding="utf-8")
            yield _timed(desktop, "first opening" if number == 0 else "opening", lambda path=path: _open(desktop, path))  # type: ignore[misc]
            yield _timed(desktop, "edit", lambda text=text: desktop.session.draft_editor.change_text(text + "\n// edited\n"))  # type: ignore[misc]
            desktop.session.draft_editor.close()
            let_live(1.0)
    desktop.window.close()


def _open(desktop: Desktop, path: Path) -> None:
    assert desktop.session.draft_editor.open_file(path) is None


def _timed(desktop: Desktop, act: str, perform: Callable[[], object]) -> Opened:
    before, begin, worked = desktop.workbench.program.outcome.value, time.perf_counter(), _work()
    perform()
    wait(lambda: _ran(desktop, before))
    output, output_work = time.perf_counter() - begin, _work() - worked
    desktop.workbench.program_page.open_launch(0)
    wait(lambda: _on_stage(desktop))
    return Opened(act, output, time.perf_counter() - begin, output_work, _work() - worked)


def _work() -> float:
    """Seconds of processor time that this process and its children have taken, those that have ended among them."""
    here = psutil.Process()
    own = here.cpu_times()
    total = float(own.user + own.system + own.children_user + own.children_system)
    for child in here.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            times = child.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def _ran(desktop: Desktop, before: object) -> bool:
    outcome = desktop.workbench.program.outcome.value
    return isinstance(outcome, ProgramRun) and outcome is not before


def _on_stage(desktop: Desktop) -> bool:
    """Whether the picture is of the program's first launch, with the data that this run gave it."""
    picture, launched = desktop.workbench.stage.picture.value, desktop.workbench.program.chosen
    if picture is None or launched is None or launched.request is None or not isinstance(picture.index, LaunchIndex):
        return False
    return picture.index.subject.launch.arguments is launched.request.arguments
