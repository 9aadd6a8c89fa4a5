"""packaging/compare.py: what differs between two packages."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import compare
import pytest
from bundle.archive import write_archive

TIME = 1_700_000_000


def folder(place: Path) -> Path:
    (place / "inner").mkdir(parents=True)
    (place / "inner" / "module.py").write_text("x = 1\n")
    (place / "link").symlink_to("inner/module.py")
    return at_one_time(place)


def at_one_time(place: Path) -> Path:
    for path in [*place.rglob("*"), place]:
        os.utime(path, (TIME, TIME), follow_symlinks=False)
    return place


def archived(place: Path, effort: int = 0) -> Path:
    target = place.with_name(f"{place.name}-{effort}.tar.xz")
    write_archive(place, target, "tilescope", TIME, effort)
    return target


def rewritten(place: Path) -> None:
    (place / "inner" / "module.py").write_text("x = 2\n")
    os.utime(place / "inner" / "module.py", (TIME, TIME))


def later(place: Path) -> None:
    os.utime(place / "inner" / "module.py", (TIME, TIME + 1))


def executable(place: Path) -> None:
    (place / "inner" / "module.py").chmod(0o755)


def one_more(place: Path) -> None:
    (place / "more").write_text("")


def pointed_elsewhere(place: Path) -> None:
    (place / "link").unlink()
    (place / "link").symlink_to("inner")


CHANGES = [(rewritten, "content"), (later, "time"), (executable, "mode"), (one_more, "only in the second"), (pointed_elsewhere, "inner")]


@pytest.mark.parametrize(("change", "told"), CHANGES)
def test_every_change_is_told(change: Callable[[Path], None], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = folder(tmp_path / "first"), folder(tmp_path / "second")
    assert compare.main([str(first), str(second)]) == 0
    change(second)
    assert compare.main([str(first), str(second)]) == 1
    assert told in capsys.readouterr().out


def test_archives_of_the_same_are_the_same_and_another_packing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = folder(tmp_path / "first"), folder(tmp_path / "second")
    assert compare.main([str(archived(first)), str(archived(second))]) == 0
    assert compare.main([str(archived(first)), str(archived(second, effort=1))]) == 1
    assert "packed otherwise" in capsys.readouterr().out


def test_archives_of_different_files_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = folder(tmp_path / "first"), folder(tmp_path / "second")
    rewritten(second)
    assert compare.main([str(archived(first)), str(archived(second))]) == 1
    assert "tilescope/inner/module.py: content" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="only Debian and its relatives have dpkg-deb")
def test_debian_packages_are_compared_with_what_they_tell_of_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = []
    for version in ("1", "2"):
        root = folder(tmp_path / version)
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN" / "control").write_text(f"Package: x\nVersion: {version}\nArchitecture: all\nMaintainer: x\nDescription: x\n")
        made.append(tmp_path / f"{version}.deb")
        subprocess.run(["dpkg-deb", "--build", str(at_one_time(root)), str(made[-1])], check=True, capture_output=True)
    assert compare.main([str(each) for each in made]) == 1
    told = capsys.readouterr().out
    assert "control: ./control: content" in told
    assert "1 differences" in told
