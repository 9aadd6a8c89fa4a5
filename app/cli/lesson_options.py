"""Options that name a lesson or a step of one."""

from __future__ import annotations

import argparse

from app.cli.grammar import Group
from app.core.program.window_arguments import THEMES
from kernels.base.messages import message


def lessons_options(group: Group) -> None:
    """Which lessons, and whether they are executed."""
    group.option(
        "folder",
        "FOLDER",
        message("lessons of your own, each in a folder of its own, or one; those of the program if not given"),
        nargs="?",
    )
    group.switch("--check", message("find all numbers by executing: are the claims true, has each question one right answer?"))


def open_options(group: Group) -> None:
    """Which file, and how the window looks."""
    kinds = message("a state, an attempt at a challenge, CUDA C or a lesson: {kinds}", kinds="*.tilescope, *.attempt, *.cu, lesson.toml")
    group.option("file", "FILE", kinds, nargs="?")
    group.option("--theme", "THEME", message("colours: {choices}", choices=", ".join(THEMES)), default=argparse.SUPPRESS)


def present_options(group: Group) -> None:
    """Which lesson, and how it looks."""
    group.option("lesson", "LESSON", message("a lesson's id, or the folder of one; what the stage shows if not given"), nargs="?")
    group.option("--step-name", "NAME", message("the step to begin with, that at which the lesson was left if not given"))
    group.switch("--reveal", message("show the step's answer too"))
    group.option("--theme", "THEME", message("colours: {choices}", choices=", ".join(THEMES)), default=argparse.SUPPRESS)


def place_options(group: Group) -> None:
    """A step of a lesson, for a picture."""
    group.option("--lesson", "LESSON", message("a lesson's id, as {command} lists them, or the folder of one", command="tilescope lessons"))
    group.option("--step-name", "NAME", message("the step of the lesson, the first if not given"))
    group.switch("--reveal", message("show the step's answer too"))


def tried_options(group: Group) -> None:
    """A challenge, for a picture."""
    group.option("--challenge", "ID", message("a challenge's id, as {command} lists them", command="tilescope challenges"))
    group.option("--attempt", "FILE.attempt", message("the attempt at it that is shown and checked, in place of the given text"))
