"""What `pip install` gets: the program with its kernels' source texts and its resources, and nothing of the workshop."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert built.returncode == 0, built.stderr
    (made,) = folder.glob("tilescope-*.whl")
    return zipfile.Path(made)


def packed(wheel: zipfile.Path) -> set[str]:
    return set(wheel.root.namelist())


def test_every_kernel_and_every_resource_is_in_it(wheel: zipfile.Path) -> None:
    wanted = [path for pattern in ("kernels/**/*.py", "kernels/**/*.cu", "resources/**/*.*") for path in ROOT.glob(pattern)]
    names = {path.relative_to(ROOT).as_posix() for path in wanted if "__pycache__" not in path.parts}
    assert names
    assert names - packed(wheel) == set()


def test_the_translations_are_in_it_compiled(wheel: zipfile.Path) -> None:
    catalogue = wheel / "resources" / "i18n" / "zh_CN" / "LC_MESSAGES" / "tilescope.mo"
    assert catalogue.read_bytes().startswith(b"\xde\x12\x04\x95")


def test_nothing_else_is_in_it(wheel: zipfile.Path) -> None:
    tops = {name.partition("/")[0] for name in packed(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"app", "kernels", "resources"}


def test_the_command_is_declared_and_the_licence_is_in_it(wheel: zipfile.Path) -> None:
    (information,) = (path for path in wheel.iterdir() if path.name.endswith(".dist-info"))
    assert "tilescope = app.cli:main" in (information / "entry_points.txt").read_text()
    assert (information / "licenses" / "LICENSE").is_file()
