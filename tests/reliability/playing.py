"""Plays for hours at raised speed in one window, one variant after the other, and looks whether memory, handles or threads grow.

    python -m tests.reliability.playing [--hours 8] [--seconds-a-frame 0.5]

Time is given to the timeline: each frame that is drawn lets so many seconds pass at once, at the speed that the timeline has anyway. All
views are seen, and each variant is played several times in turn, so that what it leaves behind shows. A line is printed after each turn.
The slope is that of a straight line through the second half.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import replace
from itertools import cycle
from pathlib import Path

from PySide6.QtCore import QTimer

from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from kernels.catalogue import catalogue
from tests.reliability.driven_window import places_in
from tests.reliability.endurance import HEAD, MOST_MIB_IN_A_THOUSAND, PATIENCE_S, Sample, slope

VARIANTS = (
    "cpu.blocked",
    "gpu.tiled",
    "cpu.parallel",
    "gpu.transpose-shared",
    "cpu.transpose-blocked",
    "gpu.double-buffered-k8",
    "gpu.hello",
    "cpu.strassen",
)
TURNS = 6
"""How often each is played."""


class Playing:
    """A window whose timeline is given time faster than it passes."""

    def __init__(self, folder: Path, seconds_a_frame: float, frames_a_turn: int, turns: int) -> None:
        places = places_in(folder)
        self.desktop = Desktop(WindowArguments("en", "light", None, (1280, 720)), places, Settings(places.settings_file))
        self._seconds, self._frames, self._turns = seconds_a_frame, frames_a_turn, turns
        self.samples: list[Sample] = []
        self.drawn = 0
        self.in_vain = 0
        """How often a variant did not come to the stage."""

    def play(self, variants: tuple[str, ...]) -> None:
        """Open the window, and close it after the last turn."""
        order, turn, left = cycle(variants), 0, 0
        stage, session = self.desktop.workbench.stage, self.desktop.session
        stage.picture.subscribe(lambda _picture: self._count())
        waited = time.monotonic()
        timer = QTimer()

        def begin() -> None:
            nonlocal waited
            variant = catalogue.by_id(next(order))
            session.choose_variant(variant)
            waited = time.monotonic()

        def frame() -> None:
            nonlocal turn, left
            if left:
                left -= 1
                stage.timeline.advance(self._seconds)
            elif turn < self._turns and self._ready(waited):
                if turn:
                    self._look(turn)
                turn, left = turn + 1, self._frames
                stage.timeline.loop.value = True
                stage.timeline.play()
            elif turn >= self._turns:
                self._look(turn)
                timer.stop()
                self.desktop.window.close()
                return
            if not left:
                begin()

        timer.timeout.connect(frame)
        begin()
        timer.start(0)
        self.desktop.start()
        self.desktop.run()

    def _ready(self, since: float) -> bool:
        late = time.monotonic() > since + PATIENCE_S
        self.in_vain += late
        return late or self.desktop.workbench.stage_ready

    def _count(self) -> None:
        self.drawn += 1

    def _look(self, turn: int) -> None:
        """The memory after each whole round of the variants is what can be compared."""
        sample = Sample.now(self.drawn)
        print(sample.line(f"turn {turn}"), flush=True)
        if turn % len(VARIANTS) == 0:
            self.samples.append(sample)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--seconds-a-frame", type=float, default=0.5)
    options = parser.parse_args()
    turns = TURNS * len(VARIANTS)
    frames = round(options.hours * 3600 / options.seconds_a_frame / turns)
    with tempfile.TemporaryDirectory() as name:
        playing = Playing(Path(name), options.seconds_a_frame, frames, turns)
        print(HEAD)
        playing.play(VARIANTS)
        grown = slope([replace(each, acts=number) for number, each in enumerate(playing.samples)]) / 1000
        print(f"{turns * frames * options.seconds_a_frame / 3600:.1f} hours played, {playing.drawn} pictures; in vain {playing.in_vain}")
        print(f"MiB in a round of {len(VARIANTS)} variants: {grown:+.2f}")
    sys.stdout.flush()
    os._exit(0 if grown <= MOST_MIB_IN_A_THOUSAND and not playing.in_vain else 1)


if __name__ == "__main__":
    main()
