"""Makes one of each export by the command line and checks that each opens: `export_samples.py FOLDER [--lang LANGUAGE]`.

Needs the program's own environment (`.venv/bin/python packaging/export_samples.py build/exports`), no display, no GPU, no network;
what was measured on the machine is left alone. It draws the stage in all formats and colours, a clip in all formats (MP4 where ffmpeg
is there), two launches beside each other, recorded times as ladder, as uses of the GPU, as curves and as tables, and the lab report in
its three forms. The folder is made where it is missing; files of the same names in it are replaced. Each file is named with its bytes
once it has been opened and found to be of its size; the first that is not ends the script with status 1. All is done in one process,
in some 20 seconds of one core.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from screenshots import LANGUAGES, ROOT, picture_size

SIZE = (1280, 800)
CLIP = (640, 400)
PICTURES = 7
"""Of a clip."""
COLOURS = ("light", "dark", "print")
STAGE = ("--variant", "gpu.tiled", "--n", "16", "--tile", "8", "--step", "71")
RANGE = ("--variant", "gpu.tiled", "--n", "16", "--tile", "8", "--from", "41", "--to", str(40 + PICTURES))
COMPARED = ("--variant", "gpu.transpose-shared", "--beside", "gpu.transpose-padded", "--n", "32", "--tile", "16", "--step", "35")
RUNGS = ("--variants", "gpu.naive", "gpu.tiled", "gpu.cublas", "--source", "recorded")
_POINTS = 72 / 96
"""Of a PDF in one pixel."""


Check = Callable[[Path], str]
"""Looks whether a file opens; says what is wrong, or nothing."""


class Sample(NamedTuple):
    """Files of one picture with what looks at each, and the arguments of `tilescope export` less the files."""

    kind: str
    files: dict[str, Check]
    options: tuple[str, ...]


class Wrong(Exception):
    """A sample was not made, or does not open."""


def samples() -> Iterator[Sample]:
    """All of them, in the order in which they are made."""
    for colours in COLOURS:
        yield Sample(
            "figure",
            {f"stage-{colours}.{ending}": check for ending, check in _FIGURES.items()},
            (*STAGE, *_drawn(SIZE), "--colours", colours),
        )
    films: dict[str, Check] = {"clip.mp4": _film} if shutil.which("ffmpeg") else {}
    yield Sample("clip", {**{f"clip.{ending}": _clip for ending in ("webp", "apng", "gif")}, **films}, (*RANGE, *_drawn(CLIP)))
    yield Sample("figure", {"comparison.png": _png, "comparison.svg": _svg}, (*COMPARED, *_drawn(SIZE)))
    yield Sample(
        "figure", {"ladder.svg": _svg}, ("--of", "ladder", "--variant", "gpu.tiled", "--device", "gpu", "--n", "4096", *_drawn(SIZE))
    )
    yield Sample("figure", {"uses.png": _png}, ("--of", "uses", "--variant", "gpu.tiled", *_drawn(SIZE)))
    yield Sample("curves", {"curves.svg": _svg}, (*RUNGS, *_drawn(SIZE)))
    for ending, check in (("csv", _csv), ("json", _json)):
        yield Sample("curves", {f"curves.{ending}": check}, RUNGS)
    for ending, check in (("html", _html), ("md", _markdown), ("pdf", _pages)):
        yield Sample("report", {f"report.{ending}": check}, (*RUNGS, "--name", "Ada"))


def make(folder: Path, language: str) -> None:
    """Make and check all samples; raises `Wrong`."""
    from app.cli import main as tilescope

    for sample in samples():
        paths, begin = {folder / name: check for name, check in sample.files.items()}, time.perf_counter()
        for path in paths:
            path.unlink(missing_ok=True)
        status = tilescope(["export", sample.kind, *map(str, paths), *sample.options, "--lang", language])
        if status:
            raise Wrong(f"{sample.kind} {' '.join(sample.options)}: status {status}")
        for path, check in paths.items():
            if reason := check(path):
                raise Wrong(f"{path.name} {reason}")
            print(f"{path.name:20} {path.stat().st_size:9} bytes")
        print(f"{time.perf_counter() - begin:.1f} s", flush=True)


def main(arguments: list[str]) -> int:
    """Make them where the command line says."""
    parser = argparse.ArgumentParser(description="one of each export, checked")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "exports")
    parser.add_argument("--lang", choices=LANGUAGES, default=LANGUAGES[0])
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        os.environ["TILESCOPE_HOME"] = home
        try:
            make(chosen.folder.resolve(), chosen.lang)
        except Wrong as wrong:
            print(wrong, file=sys.stderr)
            return 1
    return 0


def _drawn(size: tuple[int, int]) -> tuple[str, str]:
    return "--size", f"{size[0]}x{size[1]}"


def _unless(right: bool, said: str) -> str:
    return "" if right else said


def _png(path: Path) -> str:
    return _unless(picture_size(path) == SIZE, f"has {picture_size(path)} pixels")


def _svg(path: Path) -> str:
    from PySide6.QtSvg import QSvgRenderer

    drawn = QSvgRenderer(str(path))
    size = drawn.defaultSize().toTuple()
    return _unless(
        drawn.isValid() and size == SIZE and "<text" not in path.read_text(encoding="utf-8"), f"is {size}, or has text that needs fonts"
    )


def _pdf(path: Path) -> str:
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", path.read_bytes())
    size = tuple(round(float(each) / _POINTS) for each in box.groups()) if box else None
    return _unless(size == SIZE and path.read_bytes().startswith(b"%PDF-"), f"has a page of {size}")


def _clip(path: Path) -> str:
    from PIL import Image

    with Image.open(path) as moving:
        count = getattr(moving, "n_frames", 1)
        for number in range(count):
            moving.seek(number)
            moving.load()
        return _unless((moving.size, count) == (CLIP, PICTURES), f"has {count} pictures of {moving.size}")


def _film(path: Path) -> str:
    return _unless(path.read_bytes()[4:8] == b"ftyp", "is no MP4")


def _csv(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    timed = [row for row in rows if row["verified"] == "true"]
    return _unless(len(timed) > 3 and all(float(row["median_ms"]) > 0 for row in timed), "has a row without a time")


def _json(path: Path) -> str:
    rows = json.loads(path.read_text(encoding="utf-8"))
    timed = [row for row in rows if row["verified"]]
    return _unless(len(timed) > 3 and all(row["median_ms"] > 0 for row in timed), "has a row without a time")


def _html(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return _unless(text.endswith("</html>\n") and "<svg" in text and "<table" in text, "is not whole")


def _markdown(path: Path) -> str:
    from PySide6.QtSvg import QSvgRenderer

    named = re.findall(r"\]\(([^)]+\.svg)\)", path.read_text(encoding="utf-8"))
    return _unless(bool(named) and all(QSvgRenderer(str(path.with_name(name))).isValid() for name in named), "lacks a figure")


def _pages(path: Path) -> str:
    return _unless(path.read_bytes().count(b"/Type /Page\n") > 1, "has no pages")


_FIGURES = {"png": _png, "svg": _svg, "pdf": _pdf}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
