"""The structure that the program keeps: who may import whom, how long files and functions are, what lies where."""

from __future__ import annotations

import ast
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TOP_LEVEL = {
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "app",
    "kernels",
    "resources",
    "tests",
    "packaging",
    ".ci",
    ".github",
    ".gitignore",
}
TEXT_SUFFIXES = {".py", ".cu", ".md", ".toml", ".txt", ".json", ".yml", ".po", ".svg", ""}
LONGEST_FILE = 400
LONGEST_FUNCTION = 40
LATER = ("numba", "llvmlite", "cupy", "pyqtgraph", "mpi4py", "PIL")
"""Slow to import: only a worker, or what runs after the window is shown, may."""
MACHINE_PATHS = ("/root/", "/work/", ".pyenv", f"{Path.home()}{os.sep}", str(ROOT))
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def files(folder: Path) -> Iterator[Path]:
    """The project's own files below a folder: nothing that was made by running or building."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    for path in sorted(folder.iterdir()):
        if any(fnmatch.fnmatch(path.name, pattern.rstrip("/")) for pattern in ignored):
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def project_files() -> list[Path]:
    folders = (ROOT / name for name in sorted(TOP_LEVEL))
    return [path for each in folders for path in (files(each) if each.is_dir() else [each])]


def source_files() -> list[Path]:
    return [path for path in project_files() if path.suffix in (".py", ".cu") and path.relative_to(ROOT).parts[0] != "tests"]


def long_functions(source: str) -> list[str]:
    """The functions of a Python text that have more lines than a function may."""
    defined = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [node.name for node in defined if (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LINT_IMPORTS, "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def imported_with(module: str) -> set[str]:
    """The slow packages that a fresh interpreter has imported after `module`."""
    report = f"import sys, {module}; print(*(name for name in {LATER} if name in sys.modules))"
    command = [sys.executable, "-W", "error", "-c", report]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


@pytest.fixture
def toy_tree(tmp_path: Path) -> Path:
    """The project's contracts over a tree of empty packages: one for each room that a contract names."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    rooms = {"app", "app.core", "app.qt", "app.cli", "kernels"}
    for contract in contracts:
        for container in contract.get("containers", ()):
            rooms |= {f"{container}.{room}" for layer in contract["layers"] for room in re.split(" [|:] ", layer)}
    for room in rooms:
        folder = tmp_path / room.replace(".", "/")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()
    return tmp_path


def test_the_import_contracts_hold() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_import_contracts_hold_for_the_toy_tree(toy_tree: Path) -> None:
    result = lint_imports(toy_tree)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("kernels/cpu/naive.py", "import PySide6.QtCore"),
        ("kernels/cpu/naive.py", "import app.core"),
        ("kernels/base/spec.py", "import pyqtgraph"),
        ("app/core/cpu_view/frame.py", "def late():\n    from PySide6 import QtGui"),
        ("app/core/cpu_view/frame.py", "import app.qt"),
        ("app/core/cpu_view/frame.py", "import app.cli"),
        ("app/core/gpu_view/selection.py", "import app.core.inspector"),
        ("app/core/gpu_view/frame/__init__.py", "import app.core.gpu_view.shared"),
        ("app/core/base/text.py", "import app.core.session"),
        ("app/core/results/known_results.py", "if True:\n    import app.core.cpu_view"),
        ("app/qt/widgets/label.py", "def late():\n    import app.qt.shell"),
        ("kernels/measure/sampler.py", "import kernels.jit"),
        ("kernels/simt/machine/memory.py", "import kernels.simt.run"),
        ("app/core/oddments/text.py", ""),
        ("kernels/loose.py", ""),
    ],
)
def test_an_import_against_the_contracts_is_found(toy_tree: Path, file: str, line: str) -> None:
    (toy_tree / file).parent.mkdir(exist_ok=True)
    (toy_tree / file).parent.joinpath("__init__.py").touch()
    (toy_tree / file).write_text(line + "\n")
    result = lint_imports(toy_tree)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "BROKEN" in result.stdout


@pytest.mark.parametrize(
    "module",
    [
        "app.cli",
        "app.cli.window",
        "kernels.catalogue.catalogue",
        pytest.param("app.qt.shell.application", marks=pytest.mark.skipif(find_spec("PySide6") is None, reason="needs Qt")),
    ],
)
def test_what_is_needed_first_imports_nothing_slow(module: str) -> None:
    assert imported_with(module) == set()


def test_a_slow_import_would_be_found() -> None:
    assert "llvmlite" in imported_with("llvmlite")


def test_no_file_is_too_long() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in source_files()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_function_is_too_long() -> None:
    sources = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in source_files() if path.suffix == ".py"}
    found = {name: long_functions(source) for name, source in sources.items()}
    assert {name: names for name, names in found.items() if names} == {}


def test_the_length_of_functions_is_counted_from_def_to_the_last_line() -> None:
    body = "    x = 1\n" * (LONGEST_FUNCTION - 1)
    assert long_functions(f"@decorated\ndef just_right():\n{body}") == []
    assert long_functions(f"def too_long():\n{body}    x = 2\n") == ["too_long"]


def modules() -> dict[str, ast.Module]:
    """The product's modules, by their names."""
    paths = (path.relative_to(ROOT) for path in source_files() if path.suffix == ".py")
    own = (path for path in paths if path.parts[0] in ("app", "kernels"))
    return {".".join(path.with_suffix("").parts): ast.parse((ROOT / path).read_text(encoding="utf-8")) for path in own}


def meetings(trees: dict[str, ast.Module]) -> list[tuple[str, str]]:
    """The modules, with the name, that define or import (whatever they call it) two classes of one name."""
    defined = {(module, node.name) for module, tree in trees.items() for node in tree.body if isinstance(node, ast.ClassDef)}
    found = []
    for module, tree in trees.items():
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        met = {(node.module or "", each.name) for node in imports for each in node.names} & defined
        met |= {(where, name) for where, name in defined if where == module}
        names = [name for _, name in met]
        found += [(module, name) for name in sorted(set(names)) if names.count(name) > 1]
    return found


def test_no_file_meets_two_classes_of_one_name() -> None:
    assert meetings(modules()) == []


def test_a_meeting_of_classes_is_found() -> None:
    toy = {"a": ast.parse("class Row: ..."), "b": ast.parse("from a import Row as Other\nclass Row: ...")}
    assert meetings(toy) == [("b", "Row")]


def test_every_icon_is_shown_somewhere() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in files(ROOT / "app") if path.suffix == ".py")
    icons = {path.stem for path in files(ROOT / "resources" / "icons") if path.suffix == ".svg"}
    assert {name for name in icons if f'"{name}"' not in source and f"{name}.svg" not in source} == set()


ITEM_OF_A_LAYOUT = re.compile(r"\.itemAt(Position)?\(")


def test_nothing_asks_a_layout_for_an_item() -> None:
    """PySide keeps what `itemAt` gave after the layout has deleted it, and then takes the next object at its address for it."""
    asking = [path.relative_to(ROOT).as_posix() for path in project_files() if path.suffix == ".py" and path != Path(__file__).resolve()]
    assert [name for name in asking if ITEM_OF_A_LAYOUT.search((ROOT / name).read_text(encoding="utf-8"))] == []


def test_an_item_that_is_asked_for_is_found() -> None:
    assert ITEM_OF_A_LAYOUT.search("row.itemAt(3)")
    assert ITEM_OF_A_LAYOUT.search("grid.itemAtPosition(0, 1)")


def test_no_file_lies_loose_among_rooms() -> None:
    loose = [path for top in ("app/core", "app/qt", "kernels") for path in (ROOT / top).glob("*.py") if path.name != "__init__.py"]
    assert loose == []


def test_the_tests_lie_in_folders_of_the_same_names() -> None:
    for tests, product in (("unit/kernels", "kernels"), ("unit/core", "app/core"), ("qt", "app/qt")):
        folders = [path for path in (ROOT / "tests" / tests).rglob("*") if path.is_dir() and path.name not in ("__pycache__", "packaging")]
        assert [str(path) for path in folders if not (ROOT / product / path.relative_to(ROOT / "tests" / tests)).is_dir()] == []


def defined_names(file: Path) -> set[str]:
    """What a module defines at its top level, and `Class.method` for what its classes do."""
    names = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return names


def wrong_stops(walk: str) -> list[tuple[str, str]]:
    """The stops of a walk, each a file and a name, where the file does not define the name."""
    stops = re.findall(r"^\d+\. `([\w/.]+)`, `([\w.]+)`", walk, re.MULTILINE)
    return [(file, name) for file, name in stops if name not in defined_names(ROOT / file)]


def named_paths(page: str) -> set[str]:
    return set(re.findall(r"`((?:app|kernels|tests|resources)/[\w/.-]+)`", page))


def test_the_page_to_enter_by_names_what_there_is_and_keeps_its_walks_short() -> None:
    page = (ROOT / "resources" / "help" / "architecture.md").read_text(encoding="utf-8")
    assert len(page.splitlines()) <= 120
    assert sorted(name for name in named_paths(page) if not (ROOT / name).exists()) == []
    walks = page.partition("## Four walks")[2].partition("\n## ")[0].split("\n**")[1:]
    assert [len(re.findall(r"^\d+\. `[\w/.]+`, `[\w.]+`", walk, re.MULTILINE)) in range(5, 13) for walk in walks] == [True] * 4
    assert [wrong_stops(walk) for walk in walks] == [[]] * 4
    folders = {
        path.name for top in ("app/core", "app/qt", "kernels") for path in (ROOT / top).iterdir() if (path / "__init__.py").is_file()
    }
    assert {folder for folder in folders if folder not in page} == set()


def test_what_a_package_says_of_its_modules_is_so() -> None:
    packages = [path for top in ("app", "kernels") for path in files(ROOT / top) if path.name == "__init__.py"]
    said = {
        path.parent: re.findall(r"`([a-z_0-9]+)`:", ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
        for path in packages
    }
    gone = {folder / name for folder, names in said.items() for name in names if not [*folder.glob(name), *folder.glob(f"{name}.py")]}
    assert gone == set()


def test_a_stop_that_is_not_there_is_found() -> None:
    assert wrong_stops("1. `kernels/base/spec.py`, `Variant`: there\n2. `kernels/base/spec.py`, `Variant.gone`: not there") == [
        ("kernels/base/spec.py", "Variant.gone")
    ]


def test_what_is_said_to_who_carries_on_names_what_there_is() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    to_be_added = {"kernels/gpu/matmul_two_sums.cu", "app/qt/gpu_view/lanes_view.py"}
    assert sorted(name for name in named_paths(page) - to_be_added if not (ROOT / name).exists()) == []


def test_the_top_level_holds_what_it_should() -> None:
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a repository: what else lies here is not the project's")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {name.partition("/")[0] for name in listing.split("\0") if name} == TOP_LEVEL


def test_the_scripts_folder_does_not_hide_the_library_of_the_same_name() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_no_text_names_a_place_on_one_machine() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in project_files() if path.suffix in TEXT_SUFFIXES and path != Path(__file__)}
    assert [path.relative_to(ROOT) for path, text in texts.items() if any(place in text for place in MACHINE_PATHS)] == []
