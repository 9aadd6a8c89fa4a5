"""A view is added as CONTRIBUTING.md says, in a copy of the project: one file, its number, its widget, and all the rest follows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a view")[2]
FILE = re.compile(r"`(app/qt/\S+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)
LINE = re.compile(r"in `(app/\S+\.py)`, after `([^`]+)`:\n\n```python\n(.*?)```", re.DOTALL)
IMPORT = re.compile(r"with `(from [^`]+)` above")
NOT_COPIED = shutil.ignore_patterns("__pycache__")


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project to which the guide's file and lines were added, and nothing else."""
    copy = tmp_path_factory.mktemp("project")
    for folder in ("app", "kernels", "resources"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=NOT_COPIED)
    ((file, text),) = FILE.findall(GUIDE)
    (copy / file).write_text(text, encoding="utf-8")
    number, widget = LINE.findall(GUIDE)
    for place, after, line in (number, widget):
        old = (copy / place).read_text(encoding="utf-8")
        assert old.count(after) == 1
        (copy / place).write_text(old.replace(after + "\n", after + "\n" + line), encoding="utf-8")
    (imported,) = IMPORT.findall(GUIDE)
    stage = copy / widget[0]
    stage.write_text(stage.read_text(encoding="utf-8").replace("\nfrom app.qt", f"\n{imported}\nfrom app.qt", 1), encoding="utf-8")
    return copy


def picture(copy: Path, alone: int) -> QImage:
    """The window with one view of `gpu.tiled` alone, as the command draws it."""
    file = copy / f"{alone}.png"
    environment = {**os.environ, "TILESCOPE_HOME": str(copy / "home"), "PYTHONPATH": str(copy), "QT_QPA_PLATFORM": "offscreen"}
    words = ("-m", "app", "screenshot", str(file), "--variant", "gpu.tiled", "--alone", str(alone))
    done = subprocess.run([sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return QImage(str(file))


def test_the_new_view_is_drawn_alone(added: Path) -> None:
    own, other = picture(added, 10), picture(added, 4)
    assert not own.isNull()
    assert own != other
