"""Compares players in browsers with what the window draws: at the first, the middle and the last step of each example, in light and dark.

python3 packaging/dev.py player-pixels FOLDER OUT [--lang zh_CN]     # FOLDER as `tilescope export examples` has written it
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PIL import Image, ImageChops
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QImage, QPainter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from browser_players import BROWSERS

from app.cli.base.console import Console
from app.cli.base.parser import build_parser
from app.cli.export.pictures import stage_wanted
from app.cli.export.player import USUAL, begin_of, shown_steps
from app.core.base.files.locations import find_places
from app.core.base.i18n import Translator
from app.core.export.examples import EXAMPLES, Example
from app.qt.base.look import Look
from app.qt.export.clip import pixels_of
from app.qt.export.display_recorder import FINE
from app.qt.export.export_view import export_theme
from app.qt.export.exported_stage import played
from app.qt.export.figure import settle
from app.qt.export.played import Played
from app.qt.export.player_recording import THEMES
from app.qt.shell.headless import Studio
from app.qt.views.view import StageView

WIDTH, HEIGHT = map(int, USUAL["scene"].split("x"))
UNLIKE = 96
"""A pixel differs where a colour does by more than edges do that are smoothed in another way."""
MOST_UNLIKE = 0.0032
"""Of a picture's pixels. Chinese signs have more edges: on hatching they come to 0.0028."""


def main(arguments: list[str]) -> int:
    """Compare all examples but lessons; status 1 where a picture differs."""
    parser = argparse.ArgumentParser(prog="dev.py player-pixels", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--lang", default="en")
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        opened = {name: browser(Path(profile)) for name, (there, browser) in BROWSERS.items() if there is not None}
        try:
            for row in (row for example in EXAMPLES if "--lesson" not in example.options for row in _compared(example, chosen, opened)):
                rows.append(row)
                print(f"{row['browser']:9} {row['page']:10} {row['theme']:5} step {row['step']:5} {100 * row['unlike']:7.4f} %", flush=True)
        finally:
            for each in opened.values():
                each.close()
    (chosen.out / "pixels.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return int(any(row["unlike"] > MOST_UNLIKE for row in rows))


def _compared(example: Example, chosen: argparse.Namespace, opened: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for theme, step, window in _drawn(example, chosen.lang):
        for name, browser in opened.items():
            browser.size(WIDTH * FINE, HEIGHT * FINE)
            page = (chosen.folder / f"{example.name}.html").resolve().as_uri()
            browser.open(f"{page}#step={step + 1}&theme={theme}&only=stage")
            browser.until("window.player !== undefined && window.player.opened > 0")
            with Image.open(io.BytesIO(browser.picture())) as image:
                shown = image.convert("RGB").reduce(FINE)
            away = np.abs(np.asarray(shown, np.int16) - np.asarray(window, np.int16)).max(axis=2)
            unlike = float((away > UNLIKE).mean())
            if unlike > MOST_UNLIKE:
                stem = f"{name}-{example.name}-{theme}-{step + 1}"
                for kind, picture in (("player", shown), ("window", window), ("away", ImageChops.difference(shown, window))):
                    picture.save(chosen.out / f"{stem}-{kind}.png")
            yield {"browser": name, "page": example.name, "theme": theme, "step": step + 1, "unlike": unlike, "mean": float(away.mean())}


def _drawn(example: Example, language: str) -> Iterator[tuple[str, int, Image.Image]]:
    """Theme, step and the picture of the window's painters."""
    console = Console(Translator(language), os.environ, find_places(os.environ, sys.platform, Path.home()))
    options = build_parser(console.translator).parse_args(["export", "player", "none.html", *example.options])
    wanted = stage_wanted(options, begin_of(options))
    with Studio(wanted.session, console.places) as studio:
        steps = shown_steps(studio, wanted, options)
        for theme in THEMES:
            made = played(Look(export_theme(theme), console.translator), studio.workbench, wanted.view, WIDTH)
            settle(made.widget, QSize(WIDTH, HEIGHT))
            for step in sorted({steps[0], steps[len(steps) // 2], steps[-1]}):
                yield theme, step, _picture(made, step)
            made.close()


def _picture(made: Played, step: int) -> Image.Image:
    made.show(step)
    for view in made.widget.findChildren(StageView):
        view.drawn_at = FINE
    image = QImage(WIDTH * FINE, HEIGHT * FINE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(FINE)
    painter = QPainter(image)
    made.widget.render(painter, QPoint(0, 0))
    painter.end()
    return Image.fromarray(pixels_of(image)).reduce(FINE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
