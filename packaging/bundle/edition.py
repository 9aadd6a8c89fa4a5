"""The two editions, and where what is made of them lies."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUNDLES = ROOT / "build" / "package"
PROGRAM = "tilescope"
CONTENTS = "_internal"
"""The folder beside the program in which PyInstaller puts all else."""
LICENCES = "LICENCES.txt"
"""The file with the licences of everything that is in a bundle."""


@dataclass(frozen=True, slots=True)
class Edition:
    """`extras` are those of pyproject.toml that the edition has in it."""

    name: str
    package: str
    extras: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """The bundle: it can be moved as a whole."""
        return BUNDLES / self.name / PROGRAM

    @property
    def work(self) -> Path:
        """What PyInstaller works with, and what it says."""
        return BUNDLES / self.name / "work"

    @property
    def report(self) -> Path:
        """What was left out and what remains."""
        return BUNDLES / self.name / "report.json"


EDITIONS = {
    "cpu": Edition("cpu", "tilescope", ("package", "mpi")),
    "gpu": Edition("gpu", "tilescope-gpu", ("package", "mpi", "gpu", "compiled")),
}


def program_version() -> str:
    """The version, without importing the program."""
    text = (ROOT / "app" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    assert found is not None
    return found[1]


def publisher() -> tuple[str, str]:
    """Who answers for the packages, by name, and the e-mail address or "": the first of `authors` in pyproject.toml."""
    first = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["authors"][0]
    return first["name"], first.get("email", "")
