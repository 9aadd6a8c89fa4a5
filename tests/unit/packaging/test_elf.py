"""packaging/bundle: what ELF files ask for, and whether a bundle is whole."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bundle.checking import Broken, inspect, refuse_findings, refuse_warnings, unresolved
from bundle.elf import Elf, highest, read_elf

from tests.elf_files import elf_file


def test_libraries_versions_and_name_are_read(tmp_path: Path) -> None:
    path = tmp_path / "libx.so.1"
    versions = (("libc.so.6", ("GLIBC_2.2.5", "GLIBC_2.34")), ("libstdc++.so.6", ("GLIBCXX_3.4.29",)))
    path.write_bytes(elf_file(("libc.so.6", "libstdc++.so.6"), versions, "libx.so.1"))
    found = read_elf(path)
    assert found == Elf(
        ("libc.so.6", "libstdc++.so.6"), frozenset({"GLIBC_2.2.5", "GLIBC_2.34", "GLIBCXX_3.4.29"}), "libx.so.1", loadable=True
    )


def test_versions_are_compared_as_numbers() -> None:
    assert highest(frozenset({"GLIBC_2.9", "GLIBC_2.35", "GLIBC_2.4", "GLIBC_PRIVATE", "GLIBCXX_3.4"}), "GLIBC") == (2, 35)
    assert highest(frozenset(), "GLIBC") == ()


def test_what_is_no_elf_file_has_no_answer(tmp_path: Path) -> None:
    for content in (b"", b"#!/bin/sh\n", b"\x7fELF\x01\x01"):
        (tmp_path / "file").write_bytes(content)
        assert read_elf(tmp_path / "file") is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have other files")
def test_the_running_python_is_read() -> None:
    found = read_elf(Path(sys.executable).resolve())
    assert found is not None
    assert "libc.so.6" in found.needed
    assert highest(found.versions, "GLIBC") >= (2, 2)
    assert found.loadable


def test_a_library_that_nobody_brings_breaks_the_bundle(tmp_path: Path) -> None:
    (tmp_path / "liba.so").write_bytes(elf_file(("libc.so.6", "libb.so", "libgone.so.3")))
    (tmp_path / "libb.so").write_bytes(elf_file())
    with pytest.raises(Broken, match=r"libgone\.so\.3 is neither in the bundle nor the system's; wanted by liba\.so"):
        inspect(tmp_path)


def test_a_file_off_its_page_breaks_the_bundle(tmp_path: Path) -> None:
    (tmp_path / "liba.so").write_bytes(elf_file(shift=8))
    with pytest.raises(Broken, match=r"The loader would refuse: liba\.so"):
        inspect(tmp_path)


def test_the_newest_glibc_and_the_systems_libraries_are_told(tmp_path: Path) -> None:
    (tmp_path / "old.so").write_bytes(elf_file(("libc.so.6",), (("libc.so.6", ("GLIBC_2.17",)),)))
    (tmp_path / "new.so").write_bytes(elf_file(("libGL.so.1", "libwayland-client.so.0"), (("libc.so.6", ("GLIBC_2.35",)),)))
    (tmp_path / "text.txt").write_text("no library")
    wants = inspect(tmp_path)
    assert (wants.glibc, wants.by, wants.libraries) == ((2, 35), ("new.so",), frozenset({"libc.so.6", "libGL.so.1"}))


def test_a_library_is_found_by_its_file_name_wherever_it_lies() -> None:
    elves = {"deep/a.so": Elf(("libb.so.1",), frozenset(), "", loadable=True)}
    assert unresolved(elves, {"libb.so.1"}) == {}
    assert unresolved(elves, {"libb.so.2"}) == {"libb.so.1": "deep/a.so"}


@pytest.mark.parametrize(
    "line",
    [
        "133 WARNING: Library not found: could not resolve 'libtbb.so.12', dependency of 'tbbpool.so'.",
        "12 WARNING: library libxcb-icccm.so.4 could not be resolved",
        "7 ERROR: Hidden import 'kernels.gone' not found",
    ],
)
def test_what_pyinstaller_only_warns_of_is_refused(line: str) -> None:
    with pytest.raises(Broken, match=line.split()[-1].strip("'.")):
        refuse_warnings(f"1 INFO: all is well\n{line}\n2 INFO: Build complete!")


def test_other_warnings_are_none_of_its_business() -> None:
    refuse_warnings("9 WARNING: Library not found: could not resolve 'libcublas.so.13', dependency of 'cublas.so'.")
    gtk = ".venv/lib/python3.11/site-packages/PySide6/Qt/plugins/platformthemes/libqgtk3.so"
    refuse_warnings(f"9 WARNING: Library not found: could not resolve 'libgtk-3.so.0', dependency of '{gtk}'.")
    refuse_warnings("1 INFO: Library found\n2 WARNING: Failed to collect submodules for 'pyqtgraph.opengl'\n")


def test_the_bundled_program_must_find_itself_well() -> None:
    names = ("python", "qt", "fonts", "cpu", "blas", "numba", "numba-cache", "mpi", "store")
    well = [f'{{"id": "{name}", "state": "ok"}}' for name in names]
    refuse_findings(f"[{', '.join(well)}]", "")
    with pytest.raises(Broken, match="numba"):
        refuse_findings(f"[{', '.join(each.replace('ok', 'problem') if 'numba' in each else each for each in well)}]", "")
    with pytest.raises(Broken, match="fonts: not checked"):
        refuse_findings(f"[{', '.join(each for each in well if 'fonts' not in each)}]", "")
    with pytest.raises(Broken, match="cannot start"):
        refuse_findings("", "cannot start")
