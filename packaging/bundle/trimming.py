"""What is collected and yet left out: measured, and each with its reason."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from bundle.elf import read_elf
from bundle.system import LEFT_TO_THE_SYSTEM

Entry = tuple[str, str, str]
"""PyInstaller's: place in the bundle, file (of a SYMLINK: the target, beside the place), type."""
LINK = "SYMLINK"

UNUSED: Mapping[str, tuple[str, ...]] = {
    "Qt's texts in other languages": ("PySide6/*translations/*",),
    "codecs of Pillow that no clip is written in": tuple(f"PIL/_{name}.*" for name in ("avif", "imagingft", "imagingcms", "imagingtk")),
    "tests of libraries": ("*/tests/*", "*/tests"),
    "OpenGL for Windows": ("PySide6/opengl32sw.dll", "PySide6/lib*GL*.dll", "PySide6/d3dcompiler_*.dll"),
    "pictures and colour tables of pyqtgraph": ("pyqtgraph/icons/*", "pyqtgraph/colors/maps/*"),
    "lists of what was installed": ("*.dist-info/RECORD", "*.dist-info/INSTALLER", "*.dist-info/REQUESTED", "numpy-*.dist-info/*"),
    "headers and types": ("*.pyi", "*.pxd", "mpi4py/include/*", "mpi4py/MPI*.h"),
}
_USED = ("PySide6/Qt/translations/qtbase_zh_CN.qm", "PySide6/translations/qtbase_zh_CN.qm")
"""Kept although a pattern above says otherwise; the second is where Qt has it on Windows."""
QT_PLUGINS = frozenset(
    {
        "qxcb", "qwayland", "qoffscreen", "qwindows", "qcocoa", "qmodernwindowsstyle", "qmacstyle", "qsvgicon", "qsvg",
        "composeplatforminputcontextplugin", "ibusplatforminputcontextplugin", "qxdgdesktopportal", "adwaita", "bradient", "xdg-shell",
    }
)  # fmt: skip
"""Window systems, icons, input of Chinese, dialogs of the desktop, frames under Wayland. Nothing uses OpenGL; pictures are PNG."""
_LOADED_BY_NAME = ("libllvmlite.*", "libclang.*", "libmpi.*", "libnvrtc*", "libcuda*", "libpython*")
_PYGMENTS_LEFT_OUT = ("pygments.lexers.", "pygments.formatters.", "pygments.styles.")
_LEXERS = frozenset({"_mapping", "_mql_builtins", "c_cpp", "c_like", "python"})
"""Those of Python and CUDA C, and what their modules import."""


@dataclass(slots=True)
class Cut:
    """What has been left out so far: bytes by reason."""

    bytes_by_reason: Counter[str] = field(default_factory=Counter)

    def without_unused(self, entries: Iterable[Entry]) -> list[Entry]:
        """The entries that something has a use for."""
        return [entry for entry in entries if not self._counted(_reason(entry[0]), entry)]

    def without_orphans(self, binaries: Iterable[Entry]) -> list[Entry]:
        """The binaries without the libraries that none of the others needs. ELF only: elsewhere they are as they were."""
        entries = list(binaries)
        while True:
            wanted = {name for entry in entries for name in _needed(entry)}
            kept = [entry for entry in entries if not _is_dependency(entry) or PurePosixPath(entry[0]).name in wanted]
            if len(kept) == len(entries):
                return without_dangling_links(kept, kept)
            for entry in set(entries) - set(kept):
                self._counted("libraries that only these needed", entry)
            entries = kept

    def _counted(self, reason: str | None, entry: Entry) -> bool:
        if reason is not None and entry[2] != LINK:
            self.bytes_by_reason[reason] += Path(entry[1]).stat().st_size
        return reason is not None


def is_unused(place: str) -> bool:
    """Whether a file with this place in the bundle is left out, whatever it needs."""
    return _reason(place) is not None


def used_modules(modules: Iterable[Entry]) -> list[Entry]:
    """Python modules without the lexers of the languages that the program does not show, and without what colours text elsewhere."""
    kept = {f"pygments.lexers.{name}" for name in _LEXERS}
    return [entry for entry in modules if entry[0] in kept or not entry[0].startswith(_PYGMENTS_LEFT_OUT)]


def without_dangling_links(entries: Iterable[Entry], targets: Iterable[Entry]) -> list[Entry]:
    """The entries without the links to what is not among the targets."""
    places = {entry[0] for entry in targets}
    return [entry for entry in entries if entry[2] != LINK or str(PurePosixPath(entry[0]).parent / entry[1]) in places]


def of_the_system(binaries: Iterable[Entry]) -> list[str]:
    """The files that come neither from Python nor from one of its packages."""
    own = [Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix) if Path(prefix) != Path("/usr")]
    paths = {Path(entry[1]) for entry in binaries if entry[2] != LINK}
    return sorted(str(path) for path in paths if not any(path.resolve().is_relative_to(prefix) for prefix in own))


def _reason(place: str) -> str | None:
    place = place.replace("\\", "/")
    if place in _USED:
        return None
    name = PurePosixPath(place).name
    if name in LEFT_TO_THE_SYSTEM:
        return "libraries that must be the system's own"
    if "/plugins/" in place and place.startswith("PySide6/") and name.split(".")[0].removeprefix("lib") not in QT_PLUGINS:
        return "plugins of Qt"
    return next((reason for reason, patterns in UNUSED.items() if any(fnmatchcase(place, pattern) for pattern in patterns)), None)


def _needed(entry: Entry) -> tuple[str, ...]:
    if entry[2] == LINK:
        return ()
    elf = read_elf(Path(entry[1]))
    return elf.needed if elf else ()


def _is_dependency(entry: Entry) -> bool:
    """A library that is there only for what needs it; no extension module, no plugin, nothing that is loaded by its name."""
    place = PurePosixPath(entry[0])
    if entry[2] not in ("BINARY", LINK) or not fnmatchcase(place.name, "lib*.so*") or "plugins" in place.parts:
        return False
    return not any(fnmatchcase(place.name, pattern) for pattern in _LOADED_BY_NAME)
