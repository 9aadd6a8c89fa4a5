"""The Debian package: the bundle in /usr/lib, a command, an entry of the menu, file types, an icon, the licences."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

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
        root = Path(temporary) / edition.package
        _lay_out(root, edition)
        (root / "DEBIAN").mkdir()
        control = control_text(edition, version, size_of(root), report["glibc"], report["system libraries"])
        (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
        (root / "DEBIAN" / "md5sums").write_text(_sums(root), encoding="utf-8")
        make_alike(root, date)
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{effort}", "--build", str(root), str(target)]
        subprocess.run(command, env={**os.environ, "SOURCE_DATE_EPOCH": str(date)}, stdout=subprocess.DEVNULL, check=True)


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


def _sums(root: Path) -> str:
    files = sorted(path for path in (root / "usr").rglob("*") if path.is_file() and not path.is_symlink())
    return "".join(f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(root)}\n" for path in files)
