"""Kills the window, or something that it has started, at random moments under load, and looks what is left.

    python -m tests.reliability.killing [--windows 200] [--workers 200] [--sweeps 50] [--seed 0]

After each kill of the window: every result that was said to be kept is in the history, nothing that it had started lives on, and
the next start offers what was written last. After each kill of a worker the next trace and the next results come.

In sweeps of ticked rungs the window and whatever measures are killed in turn. Every result that the timing page had is in the history,
the next start offers the same rungs over the same sizes, the point whose process was killed is said to have failed, with the reason,
and the sweep goes on. A kill between two points hits none, which may be so now and then.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from kernels.measure.store import ResultStore
from tests.reliability.driven_window import TICKED, TICKED_SIZES, described_result, places_in
from tests.reliability.driving import SETTLE_S, Window, last_to_end, name_of
from tests.reliability.saying import Said

ORPHANS_S = 10.0
WRITTEN_S = 3.5
"""After which what is ticked has been written."""
BUSY_S, LOOKS = 0.1, 4
SAID_S = 15.0
"""Within which a point is said to have failed."""
MOSTLY = 0.7
"""The part of the kills of what measures that must hit a point."""


def kept_in(folder: Path) -> int:
    """The results in the history, which must be whole."""
    store = ResultStore.open(places_in(folder).store)
    assert store.notice is None, store.notice
    count = len(store.results())
    store.close()
    return count


def last_written(said: list[Said], accepted: bool = False) -> list[Any]:
    """What was written last; and what was shown since, which may have been written at the very moment of the kill.

    Where nothing was written, an offer that was accepted stands.
    """
    kept = [number for number, each in enumerate(said) if each.word == "written" or (accepted and each.word == "offered" and each.what)]
    return [said[kept[-1]].what, *(each.what for each in said[kept[-1] :] if each.word == "shown")] if kept else []


def kill_windows(folder: Path, times: int, moments: random.Random, within: float) -> int:
    """Kill as often as asked; returns how often something was lost."""
    lost, before = 0, 0
    written: list[Any] | None = None
    print(f"{'':>4} {'after s':>8} {'finished':>9} {'kept':>5} {'orphans':>8} {'gone s':>7}  next start", flush=True)
    for number in range(times + 1):
        answer = moments.choice(("restore", "dismiss"))
        window = Window(folder, "--seed", str(number), "--under", "sweep", "--answer", answer)
        window.wait_for_word("offered")
        offered = next(each.what for each in window.said if each.word == "offered")
        if written is not None:
            found = offered in written if written else True
            lost += not found
            print(
                ("  offers it" if written else "  nothing was written yet") if found else f"  LOST: offers {offered}, not {written}",
                flush=True,
            )
        if number % 2:  # every other time results come when it is killed; else it is still starting
            window.wait_for_word("kept")
        seconds = moments.uniform(0, within)
        time.sleep(seconds if number < times else 0)
        started, begin = window.descendants(), time.monotonic()
        window.process.kill()
        window.finish()
        gone, orphans = last_to_end(started, begin, ORPHANS_S)
        for each in orphans:
            each.kill()
        kept, finished = kept_in(folder) - before, window.count("kept")
        before, written = before + kept, last_written(window.said, answer == "restore")
        lost += kept < finished or bool(orphans)
        if number < times:
            bad = "  LOST" if kept < finished else ""
            print(f"{number + 1:>4} {seconds:>8.2f} {finished:>9} {kept:>5} {len(orphans):>8} {gone:>7.2f}{bad}", end="", flush=True)
    return lost


def kill_workers(folder: Path, times: int, moments: random.Random) -> int:
    """Kill as often as asked; returns how often nothing came any more."""
    window, stuck = Window(folder, "--under", "workers"), 0
    window.wait_for(lambda: window.count("kept") > 2 and window.count("traced") > 2)
    print(f"{'':>4} {'killed':<28} {'again after s':>14}")
    for number in range(times):
        time.sleep(moments.uniform(0, 2))
        name, begin = _kill_one(window, moments), time.monotonic()
        try:
            window.wait_for(partial(_goes_on, window.said, begin))
            print(f"{number + 1:>4} {name:<28} {time.monotonic() - begin:>14.2f}", flush=True)
        except TimeoutError:
            stuck += 1
            print(f"{number + 1:>4} {name:<28} not within {SETTLE_S} s  STUCK", flush=True)
    finished = window.count("kept")
    window.process.kill()
    window.finish()
    return stuck + (kept_in(folder) < finished)


def _kill_one(window: Window, moments: random.Random) -> str:
    """Kill something that the window has started and that still runs; returns what it was there for."""
    while True:
        for victim in moments.sample(running := window.descendants(), len(running)):
            name = name_of(victim)
            if name is not None:
                with contextlib.suppress(psutil.NoSuchProcess):  # it has ended by itself since
                    victim.kill()
                    return name
        time.sleep(0.02)


def _goes_on(said: list[Said], begin: float) -> bool:
    """Whether something was traced that was asked for after the kill, and something else measured."""
    asked = next((each.at for each in said if each.word == "shown" and each.at > begin), float("inf"))
    return any(each.word == "traced" and each.at > asked for each in said) and any(each.word == "kept" and each.at > begin for each in said)


def kill_sweeps(folder: Path, times: int, moments: random.Random, within: float) -> int:
    """Kill the window and whatever measures in turn, as often as asked in all; returns how often it did not go on as it must."""
    bad = hit = 0
    window = _sweeping(folder)
    for number in range(times):
        window.wait_for_word("result", window.count("result"))
        time.sleep(moments.uniform(0, within))
        if number % 2:
            said, good = _kill_measuring(window)
            hit += said.startswith("said")
        else:
            said, good = _kill_sweeping(window, folder)
            window = _sweeping(folder)
            chosen = next(each.what for each in window.said if each.word == "choice")
            offered = chosen == {"ticked": sorted(TICKED), "sizes": list(TICKED_SIZES)}
            said, good = f"{said}; {'offers it again' if offered else f'LOST: offers {chosen}'}", good and offered
        bad += not good
        print(f"{number + 1:>4} {said}", flush=True)
    said, good = _kill_sweeping(window, folder)
    print(f"     {said}; of {times // 2} points whose process was killed {hit} were said to have failed")
    return bad + (not good) + (hit < MOSTLY * (times // 2))


def _sweeping(folder: Path) -> Window:
    """A window that measures what is ticked; its choice, which it begins to measure only then, has been written."""
    window = Window(folder, "--under", "ticked", "--answer", "restore")
    window.wait_for_word("choice")
    time.sleep(WRITTEN_S)
    return window


def _kill_sweeping(window: Window, folder: Path) -> tuple[str, bool]:
    """Kill the window, and look for its results and for what it had started."""
    started, begin = window.descendants(), time.monotonic()
    window.process.kill()
    window.finish()
    gone, orphans = last_to_end(started, begin, ORPHANS_S)
    alive = [name_of(each) for each in orphans]
    for each in orphans:
        each.kill()
    store = ResultStore.open(places_in(folder).store)
    kept, notice = {described_result(each)["key"] for each in store.results()}, store.notice
    store.close()
    shown = [each.what["key"] for each in window.said if each.word == "result"]
    lost = [key for key in shown if key not in kept]
    said = f"window: {len(shown)} results, lost {lost or 'none'}, processes gone after {gone:.2f} s{f', ALIVE {alive}' if alive else ''}"
    return f"{said}{f', {notice}' if notice else ''}", not lost and not orphans and notice is None


def _kill_measuring(window: Window) -> tuple[str, bool]:
    """Kill the process that measures, and wait for what is said of it and for two more times."""
    victim, name = _busiest(window)
    before, begin = window.count("result"), time.monotonic()
    with contextlib.suppress(psutil.NoSuchProcess):
        victim.kill()

    def since(status: str) -> list[Any]:
        results = [each.what for each in window.said if each.word == "result"][before:]
        return [each for each in results if each["status"] == status]

    try:
        window.wait_for(lambda: len(since("measured")) >= 2 and (since("failed") or time.monotonic() - begin > SAID_S))
    except TimeoutError:
        return f"{name}: STUCK, within {SETTLE_S:g} s {len(since('measured'))} times, and failed {since('failed')}", False
    failed, again = since("failed"), f"goes on, {len(since('measured'))} times by {time.monotonic() - begin:.1f} s"
    if not failed:
        return f"{name}: no point said to have failed, {again}", True
    good = all(each["reason"] for each in failed)
    return f"{'said' if good else 'NO WORDS'} {name}: {failed[0]['key']}: {failed[0]['reason']}; {again}", good


def _busiest(window: Window) -> tuple[psutil.Process, str]:
    """The process below the window that computes all the time, and what it is there for. Raises TimeoutError where none does."""
    end = time.monotonic() + SETTLE_S
    while time.monotonic() < end:
        spent: dict[psutil.Process, float] = {}
        for _ in range(LOOKS):
            before = _seconds(window.descendants())
            time.sleep(BUSY_S)
            now = {each: seconds - before.get(each, seconds) for each, seconds in _seconds(window.descendants()).items()}
            spent = {each: min(seconds, spent.get(each, seconds)) for each, seconds in now.items()}
        victim = max(spent, key=spent.__getitem__, default=None)
        if victim is not None and spent[victim] > BUSY_S / 4 and (name := name_of(victim)) is not None:
            return victim, name
    raise TimeoutError(f"no process of the window computed within {SETTLE_S:g} s")


def _seconds(processes: list[psutil.Process]) -> dict[psutil.Process, float]:
    """Which of a core each has used so far."""
    used: dict[psutil.Process, float] = {}
    for each in processes:
        with contextlib.suppress(psutil.Error):
            times = each.cpu_times()
            used[each] = times.user + times.system
    return used


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--windows", type=int, default=200)
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--sweeps", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--within", type=float, default=12.0, help="the latest moment of a kill, seconds after the start's offer")
    options = parser.parse_args()
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        lost = kill_windows(Path(name) / "windows", options.windows, moments, options.within) if options.windows else 0
        stuck = kill_workers(Path(name) / "workers", options.workers, moments) if options.workers else 0
        bad = kill_sweeps(Path(name) / "sweeps", options.sweeps, moments, options.within / 4) if options.sweeps else 0
    print(
        f"windows: {options.windows} killed, {lost} losses; workers: {options.workers} killed, {stuck} times nothing came any more; "
        f"in sweeps: {options.sweeps} killed, {bad} times it did not go on as it must"
    )
    return 1 if lost or stuck or bad else 0


if __name__ == "__main__":
    sys.exit(main())
