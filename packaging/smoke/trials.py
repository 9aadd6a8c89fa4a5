"""Trying: each trial prints whether it went well, and what was wrong."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from smoke.cases import COMMANDS, OFFSCREEN, Case
from smoke.minimal import Ended, MinimalSystem
from smoke.window import Window, orphans

RESULTS = "/tmp/results"
TRACEBACK = "Traceback (most recent call last)"
SMALLEST_FILE = 200
"""Bytes; what is smaller is no picture, table or report."""


class Trials:
    """What was tried with one program, and what failed."""

    def __init__(self, system: MinimalSystem, program: str, results: Path) -> None:
        self._system, self._program, self._results = system, program, results
        self.tried = 0
        self.failed: list[str] = []

    @property
    def summary(self) -> str:
        return f"{self.tried} tried, {len(self.failed)} failed" + "".join(f"\n  {name}" for name in self.failed)

    def take_over(self, others: Trials) -> None:
        """Count what was tried elsewhere here."""
        self.tried += others.tried
        self.failed += others.failed

    def cases(self, cases: Iterable[Case], where: str, environment: Mapping[str, str], platform: str | None = None) -> None:
        """Try calls of the command line in one surrounding."""
        for case in cases:
            chosen = {**environment, **case.variables, **({"QT_QPA_PLATFORM": platform} if platform else {})}
            since = time.monotonic()
            ended = self._start(case.words, chosen)
            self._say(f"{where}{case.name}", wrong(case, ended, self._system.file(RESULTS)), time.monotonic() - since, ended.text)

    def at_once(self, home: str) -> None:
        """Two programs on one home: both measure, and both are remembered."""
        words = [("sweep", variant, "--n", "64", "--out", f"{variant}.csv") for variant in ("cpu.blocked", "cpu.loop-order")]
        since = time.monotonic()
        with ThreadPoolExecutor(2) as both:
            ended = list(both.map(lambda each: self._start(each, {"HOME": home}), words))
        kept = self._start(("export", "recording", "both.json"), {"HOME": home})
        text = self._system.file(f"{RESULTS}/both.json")
        lost = [each[1] for each in words if not text.is_file() or each[1] not in text.read_text(encoding="utf-8")]
        bad = next((wrong(COMMANDS[4], each, None) for each in ended if each.status != 0), None) or (f"lost: {lost}" if lost else None)
        self._say("two at once", bad, time.monotonic() - since, "\n".join(each.text for each in (*ended, kept)))

    def window(self, home: str, screen: str) -> None:
        """Opened and closed by its own key; the second start is the one that is timed."""
        for start in ("first", "second"):
            window = Window(self._system, self._program, home, screen)
            appeared = window.appears()
            if appeared is not None:
                time.sleep(3)
                window.key("ctrl+q")
            self._ended(f"window, {start} start", window, appeared)

    def window_closed_at_work(self, home: str, screen: str) -> None:
        """Closed while a variant is measured."""
        window = Window(self._system, self._program, home, screen, "--variant", "cpu.naive")
        appeared = window.appears()
        if appeared is not None:
            time.sleep(4)
            window.key("F9")
            time.sleep(3)
            window.key("ctrl+q")
        self._ended("window closed at work", window, appeared)

    def _ended(self, name: str, window: Window, appeared: float | None) -> None:
        closed = window.ends() if appeared is not None else None
        text = window.stop()
        bad = None
        if appeared is None:
            bad = "no window appeared"
        elif closed is None:
            bad = "it did not close in time"
        elif window.status != 0 or TRACEBACK in text:
            bad = f"exit status {window.status}"
        elif left := orphans(self._system):
            bad = f"left behind: {left}"
        self._say(f"{name} (there after {appeared or 0:.2f} s, closed in {closed or 0:.2f} s)", bad, appeared or 0, text)

    def _start(self, words: Iterable[str], environment: Mapping[str, str]) -> Ended:
        variables = " ".join(f"{name}='{value}'" for name, value in {**OFFSCREEN, **environment}.items())
        inside = f'cd {RESULTS} && exec env {variables} "$0" "$@"'
        return self._system.start(["/bin/sh", "-c", inside, self._program, *words], {"LANG": "C.UTF-8"})

    def _say(self, name: str, bad: str | None, seconds: float, text: str) -> None:
        self.tried += 1
        print(f"{'FAILED' if bad else 'ok':6} {seconds:6.1f} s  {name}{f': {bad}' if bad else ''}", flush=True)
        if bad:
            self.failed.append(name)
            (self._results / f"failed-{self.tried}.txt").write_text(f"{name}\n{bad}\n{text}", encoding="utf-8")


def wrong(case: Case, ended: Ended, results: Path | None) -> str | None:
    """What is not as the case says; None where all is."""
    if TRACEBACK in ended.text:
        return "a traceback reached the user"
    if ended.status not in case.statuses:
        return f"exit status {ended.status}"
    if case.says not in ended.text:
        return f"it does not say {case.says}"
    if results is not None and case.makes:
        made = results / case.makes
        if not made.is_file() or made.stat().st_size < SMALLEST_FILE:
            return f"no {case.makes}"
        made.rename(made.with_stem(f"{made.stem}-{int(time.time() * 1000) % 10_000_000}")) if case.makes.endswith(".png") else made.unlink()
    return None
