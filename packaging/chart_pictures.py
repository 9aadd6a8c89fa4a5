"""Draws the timing page with 2, 6, 12 and 24 rungs in every language, theme and size: `chart_pictures.py [FOLDER] [--only WORD]`.

Each twice: with recorded and published curves alone, and with made-up results of this machine over recorded ones, as after some days of
measuring. Beside the pictures come sheets of all that differ in theme and size alone, to look at first.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from picture_subjects import ALL_THEMES, LANGUAGES, ROOT, SIZES
from PIL import Image
from PySide6.QtCore import QCoreApplication, QEvent

from app.core.base.files.locations import HOME_VARIABLE, find_places
from app.core.results.curves import Provenance
from app.core.session.session import Workspace
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.shell.first_hint import DONE
from kernels.base.spec import Device, Operation
from kernels.catalogue.catalogue import VARIANTS
from tests.perf.own_results import fill

COUNTS = (2, 6, 12, 24)
THEMES = ALL_THEMES[:3]
OWN = {
    "recorded": (0, frozenset({Provenance.RECORDED, Provenance.PUBLISHED})),
    "own": (6000, frozenset({Provenance.MEASURED, Provenance.RECORDED})),
}
"""How many results of this machine there are, and which times are shown."""
OWN_SIZES = (64, 128, 192, 256, 384, 512, 768, 1024, 2048)
SHEET_WIDTH = 1900
DEADLINE_S, SETTLE_S = 240.0, 3.0


def rungs(count: int) -> frozenset[str]:
    """So many of both devices, spread over the ladder, the libraries among them."""
    of_device = [[v for v in VARIANTS if v.device is device and v.operation is Operation.MATMUL] for device in (Device.CPU, Device.GPU)]
    chosen: list[str] = []
    for share, variants in zip((count // 2, count - count // 2), of_device, strict=True):
        libraries = [v.id for v in variants if v.library][-1:]
        others = [v.id for v in variants if not v.library]
        wanted = share - len(libraries)
        chosen += libraries + [others[place * len(others) // wanted] for place in range(wanted)]
    return frozenset(chosen)


def drawn(folder: Path, own: str, size: tuple[int, int], only: str) -> Iterator[Path]:
    """The pictures in one window."""
    count, shown = OWN[own]
    with tempfile.TemporaryDirectory() as name:
        places = find_places({HOME_VARIABLE: name}, sys.platform, Path(name))
        if count:
            places.store.parent.mkdir(parents=True, exist_ok=True)
            fill(places.store, count, OWN_SIZES)
        settings = Settings(None)
        settings.save_text(DONE, "yes")
        desktop = Desktop(WindowArguments("en", "light", None, size), places, settings)
        bench = desktop.workbench
        bench.timing.shown.value = shown
        desktop.session.workspace.value = Workspace.TIMING
        desktop.start()
        _until(desktop, lambda: bench.settled and bench.stage_ready)
        look = "en", "light"
        for language, colours, rung_count in itertools.product(LANGUAGES, THEMES, COUNTS):
            path = folder / f"{own}-{rung_count:02}-{language}-{colours}-{size[0]}.png"
            if only in path.name:
                if (language, colours) != look:
                    look = language, colours
                    desktop.choose_language(language)
                    desktop.choose_theme(colours)
                    _forget_windows()
                choice = desktop.session.timing
                choice.value = replace(choice.value, ticked=rungs(rung_count))
                end = time.monotonic() + SETTLE_S  # shares and sentences come after the curves
                _until(desktop, lambda end=end: time.monotonic() > end)  # type: ignore[misc]
                if not desktop.window.grab().save(str(path)):
                    sys.exit(f"{path} could not be written.")
                yield path
        desktop.window.close()
        desktop.shutdown()
        desktop.window.deleteLater()
        _forget_windows()


def _forget_windows() -> None:
    """Delete the windows of other looks now: outside an event loop they would stay, and be styled anew at each change, for minutes."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _until(desktop: Desktop, done: Callable[[], bool]) -> None:
    end = time.monotonic() + DEADLINE_S
    while not done():
        if time.monotonic() > end:
            sys.exit(f"The window was not ready after {DEADLINE_S:g} s.")
        desktop.process_events()
        time.sleep(0.005)


def sheet(pictures: list[Path], path: Path) -> None:
    """Put pictures beside each other, by themes and sizes."""
    width = SHEET_WIDTH // len(THEMES)
    images = [Image.open(each).convert("RGB") for each in pictures]
    small = [each.resize((width, each.height * width // each.width), Image.Resampling.LANCZOS) for each in images]
    height = max(each.height for each in small)
    made = Image.new("RGB", (width * len(THEMES), height * ((len(small) + len(THEMES) - 1) // len(THEMES))))
    for place, each in enumerate(small):
        made.paste(each, (place % len(THEMES) * width, place // len(THEMES) * height))
    made.save(path)


def main(arguments: list[str]) -> None:
    """Draw what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "charts")
    parser.add_argument("--only", default="", metavar="WORD", help="those whose name holds it, such as own-24 or zh_CN")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for own, size in itertools.product(OWN, SIZES):
        made += drawn(chosen.folder, own, size, chosen.only)
        print(f"{len(made)} pictures", flush=True)
    for name in sorted({each.stem.rsplit("-", 2 if "contrast" not in each.stem else 3)[0] for each in made}):
        sheet([each for each in made if each.stem.startswith(f"{name}-")], chosen.folder / f"sheet-{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
