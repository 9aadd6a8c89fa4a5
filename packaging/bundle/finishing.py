"""What is done to a collected folder: debugging symbols taken out, modules compiled, and times and modes made the same for every build."""

from __future__ import annotations

import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from bundle.collecting import PACKAGES, TEXT_MODULES
from bundle.components import package_folder
from bundle.edition import ROOT
from bundle.elf import read_elf

STRIPPED = ("libpython*.so*", "libicui18n.so*", "libicuuc.so*", "*.cpython-3*.so", "mpiexec", "hydra_pmi_proxy")
"""Files that carry symbols for a debugger."""
SIGNATURES = Path("shiboken6", "files.dir")
"""Where PySide6 looks for the modules that tell the signatures of its functions."""


def strip(folder: Path) -> int:
    """Take out what only a debugger reads; returns by how many bytes the folder has become smaller.

    A library that was changed after it was linked can come out of this broken: it is then left as it was.
    """
    if shutil.which("strip") is None:
        raise SystemExit("The program `strip` is missing. Debian and Ubuntu: sudo apt-get install binutils")
    saved = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and any(fnmatchcase(path.name, pattern) for pattern in STRIPPED):
            saved += _strip(path)
    return saved


def _strip(path: Path) -> int:
    smaller = path.with_name(f"{path.name}.stripped")
    subprocess.run(["strip", "--strip-unneeded", "-o", str(smaller), str(path)], check=True)
    elf, saved = read_elf(smaller), path.stat().st_size - smaller.stat().st_size
    if elf is None or not elf.loadable or saved <= 0:
        smaller.unlink()
        return 0
    smaller.replace(path)
    return saved


def lay_out_signatures(contents: Path) -> None:
    """Put beside PySide6's library the modules that it carries as text, and compiles at every start where they are not there.

    PySide6 writes them itself when it is asked to by `SBK_EMBED`, beside the library that is imported: here a copy of that.
    """
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place, SIGNATURES.parent)
        shutil.copytree(package_folder(SIGNATURES.parent.name), copy)
        environment = {**os.environ, "PYTHONPATH": place, "SBK_EMBED": "0"}
        subprocess.run([sys.executable, "-c", f"import {copy.name}"], env=environment, check=True)
        shutil.copytree(Path(place, SIGNATURES), contents / SIGNATURES, ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted((contents / SIGNATURES).rglob("*.py")):
        _compile(path, path.with_suffix(".pyc"), contents)
        path.unlink()  # nobody reads the text


def compile_modules(contents: Path) -> None:
    """Put the compiled form beside each module that lies in the folder as text: it may not be writable where it is used.

    The compiled form is taken without a look at the text's time, and names no place of this machine.
    """
    for package in TEXT_MODULES:
        for path in sorted((contents / package).rglob("*.py")):
            _compile(path, None, contents)


def _compile(path: Path, target: Path | None, contents: Path) -> None:
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compiled = None if target is None else str(target)
    py_compile.compile(str(path), compiled, dfile=str(path.relative_to(contents)), doraise=True, invalidation_mode=mode)


def source_date() -> int:
    """The time, in seconds, that every file is given: SOURCE_DATE_EPOCH, else that of the last commit."""
    chosen = os.environ.get("SOURCE_DATE_EPOCH", "")
    if chosen.isdecimal():
        return int(chosen)
    answer = _git("log", "-1", "--format=%ct").strip()
    return int(answer) if answer.isdecimal() else 946_684_800  # 2000-01-01, for a source archive without history


def uncommitted() -> list[str]:
    """The files that a package is made of and that are not as the last commit has them."""
    return [line[3:] for line in _git("status", "--porcelain", "--", *PACKAGES, "packaging", "pyproject.toml").splitlines()]


def _git(*words: str) -> str:
    """What git says of the checkout; nothing where there is no git, or no history."""
    if shutil.which("git") is None:
        return ""
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False).stdout


def make_alike(folder: Path, date: int) -> None:
    """Give every file and folder the same time, and the modes that an installed program has."""
    for path in [*sorted(folder.rglob("*")), folder]:
        if not path.is_symlink():
            runs = path.is_dir() or os.access(path, os.X_OK)
            path.chmod(0o755 if runs else 0o644)
        os.utime(path, (date, date), follow_symlinks=False)


def size_of(folder: Path, patterns: Iterable[str] = ("*",)) -> int:
    """Bytes of the files below a folder, links not counted."""
    return sum(path.stat().st_size for pattern in patterns for path in folder.rglob(pattern) if path.is_file() and not path.is_symlink())
