"""Tries a finished package on a minimal Debian without Python, compilers or fonts: `smoke_test.py PACKAGE [--results FOLDER]`.

Needs root's rights, debootstrap, Xvfb and xdotool. Prints a line for each thing that was tried; the exit status is 1 where one failed.
The pictures and files that the program has made lie in the folder of results, to be looked at.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from smoke.cases import COMMANDS, EVERYWHERE, PICTURES, TEXTS
from smoke.minimal import STUDENT, MinimalSystem
from smoke.trials import Trials
from smoke.window import display

ROOT = Path(__file__).resolve().parent.parent
PLAIN, ELSEWHERE = "/opt/tilescope", "/opt/平铺 镜"


def try_all(system: MinimalSystem, package: Path, results: Path) -> Trials:
    """Everything, in order; what takes the least comes first."""
    program = system.install(package, PLAIN)
    trials = Trials(system, program, results)
    trials.cases(COMMANDS + PICTURES, "", {"HOME": system.home("student")})
    trials.cases(EVERYWHERE, "home 学生 1: ", {"HOME": system.home("学生 1")})
    trials.cases(EVERYWHERE, "read-only home: ", {"HOME": system.home("fixed", 0o555)})
    trials.cases(EVERYWHERE, "no home: ", {})
    trials.at_once(system.home("twice"))
    with display() as screen:
        trials.cases(PICTURES[:3], "on an X server: ", {"HOME": system.home("x11"), "DISPLAY": screen}, platform="xcb")
        trials.window(system.home("window"), screen)
        trials.window_closed_at_work(system.home("work"), screen)
    if package.suffix != ".deb":
        elsewhere = Trials(system, system.install(package, ELSEWHERE), results)
        elsewhere.cases(EVERYWHERE, f"in {ELSEWHERE}: ", {"HOME": system.home("elsewhere")})
        trials.take_over(elsewhere)
    return trials


def main(arguments: list[str]) -> int:
    """Try one package."""
    parser = argparse.ArgumentParser(description="try a package on a minimal system")
    parser.add_argument("package", type=Path, help="a .tar.xz or a .deb")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "smoke" / "results")
    chosen = parser.parse_args(arguments)
    if os.geteuid() != 0:
        sys.exit("The smoke test needs root's rights: it starts the package in a system of its own.")
    system = MinimalSystem(ROOT / "build" / "smoke" / "root")
    system.make()
    shutil.rmtree(chosen.results, ignore_errors=True)
    chosen.results.mkdir(parents=True)
    with system.running():
        place = system.file("/tmp/results")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for name, text in TEXTS.items():
            (place / name).write_text(text, encoding="utf-8")
        shutil.chown(place, STUDENT, STUDENT)
        trials = try_all(system, chosen.package, chosen.results)
        shutil.copytree(place, chosen.results, dirs_exist_ok=True)
    print(trials.summary)
    return int(bool(trials.failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
