"""Whether a bundle is whole: every library that it needs is in it or is the system's, none is broken, and how old a system it wants."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bundle.edition import PROGRAM
from bundle.elf import Elf, highest, read_elf
from bundle.system import OPTIONAL, PROVIDED
from bundle.trimming import is_unused

_MUST_WORK = ("python", "qt", "fonts", "cpu", "blas", "numba", "numba-cache", "store", *(("mpi",) if sys.platform == "linux" else ()))
"""What `tilescope doctor` checks and a machine cannot lack; MPI comes along on Linux alone."""

_PICTURES = (("--variant", "cpu.blocked", "--lang", "zh_CN"), ("--variant", "gpu.tiled", "--theme", "dark"), ("--view", "timing"))
"""The options of the pictures that are drawn to try a bundle."""


class Broken(Exception):
    """The bundle would not work."""


@dataclass(frozen=True, slots=True)
class Wants:
    """What the bundle wants of a system: glibc, (2, 35) for 2.35, the files that want it, and the libraries by who needs them."""

    glibc: tuple[int, ...]
    by: tuple[str, ...]
    libraries: frozenset[str]


def refuse_warnings(said: str) -> None:
    """Raise `Broken` where PyInstaller only warned: of a library that it did not find, of a module that it could not bring.

    Of libraries that are optional it is right to say so, and of what only a file needs that is left out.
    """
    lines = [line for line in said.splitlines() if re.search(r"WARNING: .*[Ll]ibrary (not found|.* could not)|ERROR: ", line)]
    lines = [line for line in lines if not any(library in line for library in OPTIONAL) and not _is_of_what_is_left_out(line)]
    if lines:
        raise Broken("PyInstaller did not find everything:\n" + "\n".join(lines))


def _is_of_what_is_left_out(line: str) -> bool:
    """Whether a warning tells what a file of an installed package needs that does not come along."""
    found = re.search(r"dependency of '.*site-packages[/\\](.+)'", line)
    return found is not None and is_unused(found[1])


def binaries(folder: Path) -> Iterator[tuple[Path, Elf]]:
    """The ELF files of a bundle."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            elf = read_elf(path)
            if elf is not None:
                yield path, elf


def inspect(folder: Path) -> Wants:
    """What the bundle wants of the system. Raises `Broken` for a library that nobody brings, and for a file that cannot be loaded."""
    elves = {path.relative_to(folder).as_posix(): elf for path, elf in binaries(folder)}
    unloadable = [name for name, elf in elves.items() if not elf.loadable]
    if unloadable:
        raise Broken(f"The loader would refuse: {', '.join(unloadable)}")
    missing = unresolved(elves, {path.name for path in folder.rglob("*")})
    if missing:
        raise Broken("\n".join(f"{library} is neither in the bundle nor the system's; wanted by {by}" for library, by in missing.items()))
    versions = {name: highest(elf.versions, "GLIBC") for name, elf in elves.items()}
    newest = max(versions.values())
    needed = {library for elf in elves.values() for library in elf.needed}
    return Wants(newest, tuple(name for name, version in versions.items() if version == newest), frozenset(needed & PROVIDED.keys()))


def unresolved(elves: Mapping[str, Elf], present: set[str]) -> dict[str, str]:
    """The libraries that are neither among the files present nor the system's, with who wants them."""
    missing: defaultdict[str, list[str]] = defaultdict(list)
    for name, elf in elves.items():
        for library in elf.needed:
            if library not in present and library not in PROVIDED and library not in OPTIONAL:
                missing[library].append(name)
    return {library: ", ".join(names) for library, names in missing.items()}


def try_out(folder: Path) -> None:
    """Start the bundled program: have it examine itself, and draw a CPU rung, a CUDA kernel and the charts. Raises `Broken`."""
    with tempfile.TemporaryDirectory() as home:
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        environment = {**kept, "TILESCOPE_HOME": home, "LANG": "C.UTF-8"}

        def told(*arguments: str) -> subprocess.CompletedProcess[str]:
            command = [str(folder / PROGRAM), *arguments]
            return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False, encoding="utf-8")

        answer = told("doctor", "--json")
        refuse_findings(answer.stdout, answer.stderr)
        for options in _PICTURES:
            drawn = told("screenshot", str(Path(home) / "picture.png"), *options)
            if drawn.returncode != 0:
                raise Broken(f"The bundled program does not draw {' '.join(options)}: {drawn.stderr}")


def refuse_findings(answer: str, complaints: str) -> None:
    """Raise `Broken` unless all that must work is well, by the doctor's answer."""
    try:
        states = {check["id"]: check for check in json.loads(answer)}
    except (ValueError, KeyError, TypeError) as error:
        raise Broken(f"The bundled program does not answer: {complaints or answer}") from error
    ill = [f"{name}: {states.get(name, 'not checked')}" for name in _MUST_WORK if states.get(name, {}).get("state") != "ok"]
    if ill:
        raise Broken("In the bundled program does not work:\n" + "\n".join(ill))
