"""Opens players in real browsers, at three widths, in light and dark: pictures, a sheet of them, sizes, times and pictures a second.

tilescope export examples FOLDER
python3 packaging/dev.py players FOLDER OUT
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.screens.browsers import CHROMIUM, FIREFOX, Chromium, Firefox

SIZES = ((400, 800), (1280, 720), (1920, 1080))
THEMES = ("light", "dark")
BROWSERS: dict[str, tuple[str | None, type[Chromium] | type[Firefox]]] = {"chromium": (CHROMIUM, Chromium), "firefox": (FIREFOX, Firefox)}
_FRAMES = """new Promise(done => {
    const player = window.player, times = [], began = performance.now();
    player.speed.value = 60; player.go(0); player.toggle();
    const frame = () => {
        times.push(performance.now());
        if (player.since === null || performance.now() - began > 1500) { player.pause(); done(times); }
        else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
})"""
_ENTRIES = "performance.getEntriesByType('resource').map(({ name }) => name)"
"""What a page has loaded, for a browser that is not asked what it requests."""
_KNOWN = """(() => {
    const player = window.player, steps = Math.min(player.end + 1, 60), began = performance.now();
    for (let step = 0; step < steps; ++step) player.show(step);
    const painted = (performance.now() - began) / steps;
    return [player.opened, player.scene.steps.length, document.documentElement.scrollWidth > innerWidth, painted];
})()"""


def main(arguments: list[str]) -> int:
    """Look at all players of a folder; status 1 where one loads something, runs over its width or makes no picture."""
    parser = argparse.ArgumentParser(prog="dev.py players", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    pages = sorted(path for path in chosen.folder.glob("*.html") if path.name != "examples.html")
    rows = []
    for name, (there, browser) in BROWSERS.items():
        if there is None:
            print(f"{name} is not installed")
            continue
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            opened = browser(Path(profile))
            for page in pages:
                rows += list(_looked_at(opened, name, page, chosen.out))
                print(_told(rows[-1]), flush=True)
            opened.close()
        for theme in THEMES:
            _sheet(chosen.out, name, theme, [page.stem for page in pages])
    (chosen.out / "players.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    bad = [row for row in rows if row["loaded"] or row["wide"] or row["colours"] < 8]
    for row in bad:
        print("look at", row["browser"], row["page"], row["width"], row["theme"], row["loaded"])
    return int(bool(bad))


def _looked_at(browser: Chromium | Firefox, name: str, page: Path, out: Path) -> Iterator[dict[str, Any]]:
    for width, height in SIZES:
        browser.size(width, height)
        for theme in THEMES:
            browser.open(f"{page.as_uri()}#theme={theme}")
            browser.until("window.player !== undefined && window.player.opened > 0")
            picture = browser.picture()
            (out / f"{name}-{page.stem}-{width}-{theme}.png").write_bytes(picture)
            with Image.open(io.BytesIO(picture)) as image:
                colours = len(image.convert("RGB").getcolors(1 << 24) or ())
            known = dict(zip(("opened ms", "steps", "wide", "paint ms"), browser.run(_KNOWN), strict=True))
            asked = getattr(browser, "requests", None) or browser.run(_ENTRIES)
            loaded = [each for each in asked if each.partition("#")[0] != page.as_uri()]
            row = {"browser": name, "page": page.stem, "bytes": page.stat().st_size, "width": width, "theme": theme, **known}
            row |= {"colours": colours, "loaded": loaded}
            if theme == THEMES[0] and browser.run("window.player.end > 0"):
                times = browser.run(_FRAMES)
                apart = [later - earlier for earlier, later in pairwise(times)]
                row["frame ms"] = statistics.median(apart) if apart else None
            yield row


def _told(row: dict[str, Any]) -> str:
    return (
        f"{row['browser']:9} {row['page']:10} {row['bytes'] / 1000:7.0f} kB {row['steps']:4} steps  opened in {row['opened ms']:5.0f} ms"
        f"  a step in {row['paint ms']:5.1f} ms"
    )


def _sheet(out: Path, browser: str, theme: str, names: Sequence[str]) -> None:
    """All pictures of a browser in a theme, the widths beside each other."""
    rows = []
    for name in names:
        images = [Image.open(out / f"{browser}-{name}-{width}-{theme}.png").convert("RGB") for width, _ in SIZES]
        rows.append([image.resize((round(image.width * 300 / image.height), 300)) for image in images])
    width = max(sum(image.width + 8 for image in row) for row in rows)
    for part in range(0, len(rows), 5):
        shown = rows[part : part + 5]
        sheet = Image.new("RGB", (width, len(shown) * 320), "#888888")
        pen = ImageDraw.Draw(sheet)
        for number, row in enumerate(shown):
            left = 0
            pen.text((2, number * 320), names[part + number], fill="white")
            for image in row:
                sheet.paste(image, (left, number * 320 + 14))
                left += image.width + 8
        sheet.save(out / f"sheet-{browser}-{theme}-{part // 5 + 1}.png")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
