"""Draws pictures of the program and checks each: `screenshots.py [FOLDER] [--only WORD] [--every-look] [--exports] [--jobs N] [--readme]`.

What they are of is a table, `picture_subjects.py`. Most are drawn once, in looks that take turns, so that each language, theme and size is
met; with `--every-look` all are drawn in all of them, which takes an hour. A picture is wrong, and the script ends with status 1, where it
lacks something that was to come, has another size than was asked for, or shows next to nothing. `--readme` draws those of README.md
anew, and no others. Run by `dev.py screenshots`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

from copied_workers import copy_workers
from picture_subjects import (
    LANGUAGES,
    README,
    README_DENSITY,
    ROOT,
    SMALL,
    SUBJECTS,
    Look,
    Subject,
    drawn,
    name_of,
    options_of,
    write_files,
)  # fmt: skip

__all__ = ["LANGUAGES", "ROOT", "main", "picture_size"]

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
FEWEST_COLOURS = 100
"""A window with nothing in it has a few dozen, of its letters' edges."""
FEWEST_FILLED = 0.02
"""The least part of a picture that is not of its most frequent colour."""
README_FOLDER = ROOT / ".github" / "pictures"


class Wrong(Exception):
    """A picture was not made, or is not what it should be."""


def picture_size(picture: Path) -> tuple[int, int]:
    """Width and height that a PNG file states; ValueError if it is none."""
    head = picture.read_bytes()[:24]
    if len(head) < 24 or not head.startswith(PNG_SIGNATURE):
        raise ValueError(f"{picture} is no PNG picture")
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def check(picture: Path, size: tuple[int, int]) -> None:
    """Raises `Wrong` where a picture has another size, or shows next to nothing."""
    import numpy as np
    from PySide6.QtGui import QImage

    if picture_size(picture) != size:
        raise Wrong(f"{picture.name} is {picture_size(picture)}, not {size}")
    image = QImage(str(picture)).convertToFormat(QImage.Format.Format_RGB32)
    _, counts = np.unique(np.frombuffer(image.constBits(), np.uint32), return_counts=True)
    filled = 1 - float(counts.max()) / (size[0] * size[1])
    if len(counts) < FEWEST_COLOURS or filled < FEWEST_FILLED:
        raise Wrong(f"{picture.name} shows next to nothing: {len(counts)} colours, {filled:.1%} is not of one of them")


def draw(picture: Path, options: tuple[str, ...], look: Look, density: int = 1) -> float:
    """Make a picture with the command `tilescope screenshot`, in this process, and check it; returns the seconds. Raises `Wrong`.

    `density` is how many pixels to one of the window Qt draws, along each side; this is settled before Qt starts.
    """
    from app.cli import main as tilescope

    begin = time.monotonic()
    picture.unlink(missing_ok=True)
    how = ("--size", "{}x{}".format(*look.size), "--lang", look.language, "--theme", look.theme)
    status = tilescope(["screenshot", str(picture), *how, *options])
    if status != 0:
        raise Wrong(f"{picture.name}: tilescope screenshot ended with status {status}")
    check(picture, (density * look.size[0], density * look.size[1]))
    return time.monotonic() - begin


def draw_all(folder: Path, chosen: list[tuple[Subject, Look]], jobs: int) -> None:
    """Draw so many at a time, and say what was drawn. Raises `Wrong` for the first that is."""
    with tempfile.TemporaryDirectory() as made, ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), copy_workers) as processes:
        write_files(Path(made))
        pictures = [folder / name_of(subject, look) for subject, look in chosen]
        under_way = {
            processes.submit(draw, picture, options_of(subject, Path(made)), look): picture
            for picture, (subject, look) in zip(pictures, chosen, strict=True)
        }
        for done, picture in _finished(under_way):
            try:
                print(f"{done.result():5.1f} s  {picture}", flush=True)
            except BaseException:
                processes.shutdown(cancel_futures=True)
                raise


def draw_readme(folder: Path) -> None:
    """Draw what README.md shows, and write it with a palette of colours, which takes a third of the room. Raises `Wrong`."""
    from PIL import Image

    os.environ["QT_SCALE_FACTOR"] = str(README_DENSITY)
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        picture = folder / f"{README.name}-{language}.png"
        draw(picture, README.options, Look(language, "light", SMALL), README_DENSITY)
        with Image.open(picture) as drawn_picture:
            few = drawn_picture.quantize(256, dither=Image.Dither.NONE)
        few.save(picture, optimize=True)
        print(f"{picture.stat().st_size / 1000:.0f} kB  {picture}", flush=True)


def _finished(under_way: dict[Future[float], Path]) -> Iterator[tuple[Future[float], Path]]:
    """In the order in which they come."""
    left = set(under_way)
    while left:
        ready, left = wait(left, return_when=FIRST_COMPLETED)
        yield from ((each, under_way[each]) for each in ready)


def main(arguments: list[str]) -> int:
    """Draw the pictures into a folder."""
    parser = argparse.ArgumentParser(prog="screenshots.py", description="Draw pictures of the program, and check them.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "screenshots")
    parser.add_argument("--only", default="", metavar="WORD", help="those whose name holds it, such as lesson-, zh_CN-dark or 1280")
    parser.add_argument("--every-look", action="store_true", help="each subject in all languages, themes and sizes")
    parser.add_argument("--exports", action="store_true", help="one of each export too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="how many are drawn at a time")
    parser.add_argument("--readme", action="store_true", help="those that README.md shows, in their place, and no others")
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("XDG_CACHE_HOME", str(ROOT / "build" / "cache"))  # where tests keep what they compile
    folder = chosen.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    pictures = [each for each in drawn(SUBJECTS, everything=chosen.every_look) if chosen.only in name_of(*each)]
    try:
        if chosen.readme:
            draw_readme(README_FOLDER)
            return 0
        draw_all(folder, pictures, chosen.jobs)
    except Wrong as wrong:
        print(f"wrong: {wrong}", file=sys.stderr)
        return 1
    if not chosen.exports:
        return 0
    return subprocess.run([sys.executable, ROOT / "packaging" / "export_samples.py", folder / "exports"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
