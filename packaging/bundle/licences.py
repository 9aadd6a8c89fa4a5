"""The licences of everything that is bundled, as one text; a part of which none is found is an error."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from bundle.edition import ROOT, Edition

TEXTS = Path(__file__).resolve().parent / "licences"
_OF_QT = ("qt.txt", "LGPL-3.0.txt", "GPL-3.0.txt")
TEXTS_OF = {"pyside6-essentials": _OF_QT, "shiboken6": _OF_QT[:1]}
"""Distributions that bring no text of their licence."""
BUILDING = frozenset({"pyinstaller-hooks-contrib", "altgraph", "setuptools", "packaging", "pefile", "macholib", "pywin32-ctypes"})
"""What PyInstaller itself works with. Its own licence is told: the program's start is PyInstaller's."""
_COMMON = Path("/usr/share/common-licenses")
_RULE = "=" * 100


class NoLicence(Exception):
    """A part is bundled whose licence is not known."""


def notices(edition: Edition, system_libraries: Iterable[Path]) -> str:
    """The text. `system_libraries` are files of the build's system that were bundled. Raises `NoLicence`."""
    parts = [_own(), _python()]
    parts += [_section(f"{each.name} {each.version}", _texts_of(each)) for each in bundled(edition)]
    parts += list(_of_system(system_libraries))
    return "\n".join(parts)


def bundled(edition: Edition) -> list[Distribution]:
    """The distributions that the program needs at run time, by name: what tilescope requires with the edition's extras, and so on."""
    found: dict[str, Distribution] = {}
    waiting = [("tilescope", edition.extras)]
    while waiting:
        name, extras = waiting.pop()
        for wanted in distribution(name).requires or ():
            required = _normal(re.split(r"[^\w.-]", wanted)[0])
            if required not in found and required not in BUILDING and _applies(wanted, extras):
                found[required] = distribution(required)
                waiting.append((required, ()))
    return [found[name] for name in sorted(found)]


def _applies(requirement: str, extras: tuple[str, ...]) -> bool:
    """Whether a requirement's condition holds here, for one of the extras."""
    from packaging.requirements import Requirement

    marker = Requirement(requirement).marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def _texts_of(package: Distribution) -> list[str]:
    own = [file for file in package.files or () if ".dist-info" in str(file) and re.search(r"licen[cs]e|copying|notice", str(file), re.I)]
    texts = [file.read_text(encoding="utf-8") for file in own if file.suffix != ".py"]
    texts += [(TEXTS / name).read_text(encoding="utf-8") for name in TEXTS_OF.get(_normal(package.name), ())]
    if not texts:
        raise NoLicence(f"{package.name} {package.version} brings no text of its licence: add one to packaging/bundle/licences")
    return texts


def _own() -> str:
    texts = [ROOT / "LICENSE", ROOT / "resources" / "fonts" / "LICENSE.txt", ROOT / "resources" / "icons" / "LICENSE.txt"]
    return _section("Tilescope, its fonts and icons", [text.read_text(encoding="utf-8") for text in texts])


def _python() -> str:
    path = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if not path.is_file():
        raise NoLicence(f"this Python brings no {path.name}")
    return _section(f"Python {sys.version.split()[0]}", [path.read_text(encoding="utf-8")])


def _of_system(libraries: Iterable[Path]) -> Iterator[str]:
    """What Debian says of its packages, and the common licences that it refers to."""
    packages = sorted({_package(library) for library in libraries})
    referred: set[str] = set()
    for package in packages:
        text = Path(f"/usr/share/doc/{package}/copyright").read_text(encoding="utf-8", errors="replace")
        referred |= set(re.findall(rf"{_COMMON}/([\w-]+(?:\.\d+)*)", text))
        yield _section(f"{package}, of Debian", [text])
    for name in sorted(referred):
        yield _section(name, [(_COMMON / name).read_text(encoding="utf-8", errors="replace")])


def _package(library: Path) -> str:
    """The package that a file of this system is of; /lib may be a link to /usr/lib, and the list knows only one of the two names."""
    for path in dict.fromkeys((library, library.resolve(), Path("/", *library.resolve().parts[2:]))):
        answer = subprocess.run(["dpkg-query", "--search", str(path)], capture_output=True, text=True, check=False)
        if answer.returncode == 0:
            return answer.stdout.split(":")[0]
    raise NoLicence(f"no package of this system has {library}")


def _section(title: str, texts: Iterable[str]) -> str:
    return "\n\n".join((f"{_RULE}\n{title}\n{_RULE}", *(text.strip() for text in texts), ""))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
