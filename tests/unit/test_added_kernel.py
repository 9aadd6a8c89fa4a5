"""A kernel is added as CONTRIBUTING.md says, in a copy of the project: one file, one entry, and all the rest follows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a view")[0]
COPIED = ("app", "kernels", "packaging", "resources", "tests")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "fonts", "corpus", "qt", "oracle", "lessons")
NAMED = re.compile(r"`(kernels/\S+)`(?:, before `(\S+)`)?:\n\n```(?:cuda|python)\n(.*?)```", re.DOTALL)
ID = "gpu.two-sums"


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project to which the guide's file and entry were added, and nothing else."""
    copy = tmp_path_factory.mktemp("project")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, copy / folder, ignore=LEFT_OUT)
    shutil.copy(ROOT / "pyproject.toml", copy)
    (file, nothing, text), (table, before, entry) = NAMED.findall(GUIDE)
    assert nothing == ""
    (copy / file).write_text(text, encoding="utf-8")
    old = (copy / table).read_text(encoding="utf-8")
    place = old.rindex("    Variant(\n", 0, old.index(f'"{before}"'))
    (copy / table).write_text(old[:place] + entry + old[place:], encoding="utf-8")
    return copy


def started(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TILESCOPE_HOME": str(copy / "home"), "PYTHONPATH": str(copy), "LANG": "C.UTF-8"}
    return subprocess.run([sys.executable, "-m", *words], cwd=copy, env=environment, capture_output=True, text=True, check=False)


def told(copy: Path, *words: str) -> Any:
    """What a command answers, as JSON."""
    done = started(copy, "app", *words, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_the_catalogue_has_it_at_its_place_and_the_ladder_goes_on(added: Path) -> None:
    rungs = [row["id"] for row in told(added, "list") if row["operation"] == "matmul"]
    assert rungs.index(ID) + 1 == rungs.index("gpu.tiled")


def test_it_is_executed_without_a_gpu_and_found_free_of_errors(added: Path) -> None:
    trace = told(added, "trace", ID, "--n", "33", "--tile", "8")
    assert trace["findings"] == []


def test_it_is_counted_and_predicted(added: Path) -> None:
    assert told(added, "counters", ID, "--n", "64")
    assert told(added, "predict", ID, "--n", "256")


def test_the_tests_take_it_up_without_being_told(added: Path) -> None:
    files = ("tests/unit/kernels/catalogue/test_gpu_sources.py", "tests/unit/kernels/catalogue/test_gpu_executed.py")
    done = started(added, "pytest", "-p", "no:cacheprovider", "-n0", "-k", ID, *files)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) >= 5
