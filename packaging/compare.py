"""Whether two packages are the same: `compare.py FIRST SECOND`, each a folder, a .tar.xz or a .deb.

Tells every entry that only one has, or that differs, and in what: kind, mode, owner, time, target or contents. Where archives have the
same entries and yet other bytes, the packing differs. The exit status is 1 unless all is the same.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import stat
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO


@dataclass(frozen=True, slots=True)
class Entry:
    """`content` is the digest of a file or the target of a link."""

    kind: str
    mode: str
    owner: str
    time: int
    content: str


def main(arguments: list[str]) -> int:
    """Compare two packages."""
    parser = argparse.ArgumentParser(prog="dev.py compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs=2, type=Path, metavar="PACKAGE")
    first, second = parser.parse_args(arguments).packages
    found = differences(entries(first), entries(second))
    for line in found:
        print(line)
    if not found and first.is_file() and second.is_file() and _digest(first.open("rb")) != _digest(second.open("rb")):
        found = ["The entries are the same and lie in other bytes: they were packed otherwise, or in another order."]
        print(found[0])
    print(f"{len(found)} differences" if found else "the same")
    return int(bool(found))


def differences(first: dict[str, Entry], second: dict[str, Entry]) -> list[str]:
    """A line for each entry that is not the same, by name."""
    lines = []
    for name in sorted(first.keys() | second.keys()):
        if name not in first or name not in second:
            lines.append(f"{name}: only in the {'first' if name in first else 'second'}")
        elif first[name] != second[name]:
            one, other = asdict(first[name]), asdict(second[name])
            told = ", ".join(f"{field} {one[field]} and {other[field]}" for field in one if one[field] != other[field])
            lines.append(f"{name}: {told}")
    return lines


def entries(package: Path) -> dict[str, Entry]:
    """What is in a package, by name."""
    if package.is_dir():
        return {path.relative_to(package).as_posix(): _of_path(path) for path in package.rglob("*")}
    if package.suffix == ".deb":
        parts = (("control", "--ctrl-tarfile"), ("data", "--fsys-tarfile"))
        return {f"{part}: {name}": entry for part, option in parts for name, entry in _of_deb(package, option)}
    with tarfile.open(package) as archive:
        return dict(_of_tar(archive))


def _of_path(path: Path) -> Entry:
    told = path.lstat()
    target = str(path.readlink()) if path.is_symlink() else ""
    content = _digest(path.open("rb")) if stat.S_ISREG(told.st_mode) else target
    return Entry(stat.filemode(told.st_mode)[0], f"{stat.S_IMODE(told.st_mode):o}", "", int(told.st_mtime), content)


def _of_deb(package: Path, option: str) -> Iterator[tuple[str, Entry]]:
    unpacked = subprocess.run(["dpkg-deb", option, str(package)], stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
        yield from _of_tar(archive)


def _of_tar(archive: tarfile.TarFile) -> Iterator[tuple[str, Entry]]:
    for each in archive:
        file = archive.extractfile(each) if each.isreg() else None
        content = _digest(file) if file else each.linkname
        owner = f"{each.uname or each.uid}:{each.gname or each.gid}"
        yield each.name, Entry(each.type.decode(), f"{each.mode:o}", owner, int(each.mtime), content)


def _digest(file: IO[bytes]) -> str:
    with file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]  # type: ignore[arg-type]  # typeshed asks for more than is used


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
