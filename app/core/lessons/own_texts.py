"""Texts of a lesson's or a challenge's own beside its TOML file: kernels with their launches, and whole programs."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import field
from importlib.resources.abc import Traversable
from pathlib import Path

from app.core.base.files.documents import text_of
from app.core.base.files.fields import BadFile, Table
from app.core.lessons.lesson import WholeProgram
from app.core.programs.host_program import has_main
from app.core.session.draft import Draft, LaunchSettings
from app.core.state.read import settings_from_launch
from kernels.base.messages import message
from kernels.base.values import dataclass

MOST_TEXTS = 20
"""Of each kind."""
LONGEST_NAME = 40
LONGEST_WORDS = 200
_CU_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*\.cu")


@dataclass(frozen=True, slots=True)
class OwnTexts:
    """Texts of a lesson's own by name: kernels with their launches, and whole programs."""

    kernels: Mapping[str, Draft] = field(default_factory=dict)
    programs: Mapping[str, WholeProgram] = field(default_factory=dict)


def text_in(folder: Traversable, name: str, within: Path | None) -> str:
    """The text of a file of a folder. Raises `BadFile`, also where it is no file, or leads out of the folder `within`."""
    file = folder.joinpath(name)
    if within is not None and (within / name).exists() and (within / name).resolve().parent != within.resolve():
        raise BadFile(message("{name} leads out of the folder.", name=name))
    if not file.is_file():
        raise BadFile(message("There is no file {path}.", path=name))
    return text_of(file)


def kernels_from(table: Table, folder: Traversable, within: Path | None = None) -> dict[str, Draft]:
    """The texts of `[[kernel]]`, each with its launch. Raises `BadFile`."""
    kernels: dict[str, Draft] = {}
    for each in table.tables("kernel", MOST_TEXTS):
        name, file, text = _own_text(each, kernels, folder, within)
        kernels[name] = Draft(file, text, text, settings_from_launch(each.table("launch")))
        each.finish()
    return kernels


def programs_from(table: Table, folder: Traversable, within: Path | None = None) -> dict[str, WholeProgram]:
    """The texts of `[[program]]`, each with the `words` that its main is given. Raises `BadFile`."""
    programs: dict[str, WholeProgram] = {}
    for each in table.tables("program", MOST_TEXTS):
        name, file, text = _own_text(each, programs, folder, within)
        if not has_main(text):
            each.wrong("file", message("has no main"))
        programs[name] = WholeProgram(Draft(file, text, text, LaunchSettings()), each.text("words", "", longest=LONGEST_WORDS))
        each.finish()
    return programs


def _own_text(table: Table, before: Collection[str], folder: Traversable, within: Path | None) -> tuple[str, str, str]:
    """The name of a text of the lesson's own, its file, and what stands in it."""
    name, file = table.text("name", longest=LONGEST_NAME), table.text("file", longest=LONGEST_NAME)
    if name in before:
        table.wrong("name", message("is there twice"))
    if _CU_FILE.fullmatch(file) is None:
        table.wrong("file", message("must be a .cu file in the same folder"))
    return name, file, text_in(folder, file, within)
