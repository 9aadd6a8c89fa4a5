"""The bundle as one file, with the same bytes for the same contents: entries in order, nobody's files, one time."""

from __future__ import annotations

import lzma
import tarfile
from pathlib import Path

_FAR = {"dict_size": 64 << 20, "lc": 4, "pb": 0}
"""Bytes that a repetition may lie apart, and that unpacking takes as memory; what was found to fit machine code best."""


def write_archive(folder: Path, target: Path, prefix: str, date: int, effort: int) -> None:
    """Write `folder` as a .tar.xz whose entries begin with `prefix`; `effort` is xz's, from 0 to 9."""
    filters = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": effort, **(_FAR if effort else {})}]
    target.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(target, "wb", filters=filters, check=lzma.CHECK_CRC64) as packed:
        write_tar(folder, packed, prefix, date)


def write_tar(folder: Path, packed: lzma.LZMAFile, prefix: str, date: int) -> None:
    """Write the entries of a folder, itself among them."""
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in [folder, *sorted(folder.rglob("*"))]:
            name = prefix if path == folder else f"{prefix}/{path.relative_to(folder).as_posix()}"
            entry = archive.gettarinfo(path, arcname=name)
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = date
            if entry.isreg():
                with path.open("rb") as file:
                    archive.addfile(entry, file)
            else:
                archive.addfile(entry)
