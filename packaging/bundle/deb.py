"""The Debian package: the bundle in /usr/lib, a command, an entry of the menu, file types, an icon, the licences."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from bundle.archive import write_archive
from bundle.edition import BUNDLES, EDITIONS, LICENCES, PROGRAM, ROOT, Edition, publisher
from bundle.finishing import make_alike, size_of
from bundle.system import OPTIONAL, PROVIDED

_LINUX = Path(__file__).resolve().parent / "linux"
_SECTION = "education"
_ABOUT = {
    "cpu": "matrix kernels made visible",
    "gpu": "matrix kernels made visible, with CUDA kernels on NVIDIA GPUs",
}
_MORE = """ Runs, animates and times blocked matrix multiplication and transposition, on
 processors and NVIDIA GPUs. CUDA C kernels are also executed without a GPU:
 each warp, lane, bank and sector, with the data races that are found.
 In English and Simplified Chinese.
"""


def write_package(edition: Edition, target: Path, version: str, date: int, effort: int) -> None:
    """Write the .deb of a bundle that has been made; `effort` is xz's, from 0 to 9."""
    report = json.loads(edition.report.read_text(encoding="utf-8"))
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUNDLES) as temporary:
        place = Path(temporary)
        root, about = place / "data", place / "control"
        _lay_out(root, edition)
        about.mkdir()
        control = control_text(edition, version, size_of(root), report["glibc"], report["system libraries"])
        (about / "control").write_text(control, encoding="utf-8")
        (about / "md5sums").write_text(_sums(root), encoding="utf-8")
        (place / "debian-binary").write_text("2.0\n", encoding="utf-8")
        for folder in (about, root):
            make_alike(folder, date)
            write_archive(folder, place / f"{folder.name}.tar.xz", ".", date, effort)
        _join([place / name for name in ("debian-binary", "control.tar.xz", "data.tar.xz")], target, date)


def _join(parts: Iterable[Path], target: Path, date: int) -> None:
    """Write the parts one after the other, as `ar` does. `dpkg-deb` would, but packs machine code less tightly."""
    with target.open("wb") as package:
        package.write(b"!<arch>\n")
        for part in parts:
            size = part.stat().st_size
            package.write(f"{part.name:16}{date:<12}{0:<6}{0:<6}{100644:<8}{size:<10}`\n".encode())
            with part.open("rb") as file:
                shutil.copyfileobj(file, package)
            package.write(b"\n" * (size % 2))


def control_text(edition: Edition, version: str, size: int, glibc: str, libraries: Iterable[str]) -> str:
    """What dpkg is told of the package."""
    others = ", ".join(each.package for each in EDITIONS.values() if each is not edition)
    fields = {
        "Package": edition.package,
        "Version": version,
        "Architecture": "amd64",
        "Maintainer": _maintainer(*publisher()),
        "Installed-Size": str(-(-size // 1024)),
        "Section": _SECTION,
        "Priority": "optional",
        "Depends": ", ".join(depends(libraries, glibc)),
        "Recommends": ", ".join(sorted(name for library, name in OPTIONAL.items() if "wayland" in library)),
        "Conflicts": others,
        "Replaces": others,
        "Description": _ABOUT[edition.name],
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items()) + _MORE


def _maintainer(name: str, address: str) -> str:
    return f"{name} <{address}>" if address else name


def depends(libraries: Iterable[str], glibc: str) -> list[str]:
    """The packages that bring the system's libraries, by name."""
    names = {PROVIDED[library] for library in libraries} | {"libc6"}
    return [f"libc6 (>= {glibc})" if name == "libc6" else name for name in sorted(names)]


def _lay_out(root: Path, edition: Edition) -> None:
    shutil.copytree(edition.folder, root / "usr" / "lib" / PROGRAM, symlinks=True)
    command = root / "usr" / "bin" / PROGRAM
    command.parent.mkdir(parents=True)
    command.symlink_to(f"../lib/{PROGRAM}/{PROGRAM}")
    for source, place in (
        (_LINUX / "tilescope.desktop", "applications/tilescope.desktop"),
        (_LINUX / "tilescope.xml", "mime/packages/tilescope.xml"),
        (ROOT / "resources" / "icons" / "tilescope.svg", "icons/hicolor/scalable/apps/tilescope.svg"),
        (edition.folder / LICENCES, f"doc/{edition.package}/copyright"),
    ):
        target = root / "usr" / "share" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    notices = root / "usr" / "lib" / PROGRAM / LICENCES
    notices.unlink()
    notices.symlink_to(f"../../share/doc/{edition.package}/copyright")  # the place that Debian has for it


def _sums(root: Path) -> str:
    files = sorted(path for path in (root / "usr").rglob("*") if path.is_file() and not path.is_symlink())
    return "".join(f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(root)}\n" for path in files)
