"""packaging/bundle: what is collected, what is left out, and the files that are made of a bundle."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import shutil
import tarfile
import xml.etree.ElementTree as ElementTree
from configparser import RawConfigParser
from pathlib import Path

import pytest
from bundle import collecting, components, edition, trimming
from bundle.archive import write_archive
from bundle.deb import control_text, depends
from bundle.edition import CONTENTS, EDITIONS, LICENCES, ROOT, program_version
from bundle.elsewhere import INFO, KINDS_OF_FILES, complete_application, installer_command
from bundle.finishing import compile_modules, make_alike, size_of
from bundle.licences import TEXTS, TEXTS_OF

import app
from tests.elf_files import elf_file

LINUX = ROOT / "packaging" / "bundle" / "linux"


@pytest.mark.parametrize("package", collecting.PACKAGES)
def test_every_module_of_ours_is_collected(package: str) -> None:
    names = collecting.modules(ROOT, package)
    assert package in names
    paths = [ROOT.joinpath(*name.split(".")) for name in names]
    assert all(path.is_dir() or path.with_suffix(".py").is_file() for path in paths), "not by importing: Qt may not be installed"


def test_kernels_are_collected_with_their_cuda_sources_and_the_prelude() -> None:
    places = {(folder, Path(path).name) for path, folder in collecting.data_files(ROOT, "kernels")}
    assert {("kernels/gpu", "matmul_tiled.cu"), ("kernels/simt/frontend/prelude", "core.cuh")} <= places
    assert not [name for _, name in places if name.endswith((".py", ".pyc"))]


def test_fonts_lessons_and_translations_are_collected() -> None:
    folders = {folder for _, folder in collecting.data_files(ROOT, "resources")}
    assert {"resources/fonts", "resources/icons", "resources/recorded"} <= folders
    assert not [path for path, _ in collecting.data_files(ROOT, "resources") if path.endswith(".po")]


def test_what_the_program_imports_by_name_is_not_excluded() -> None:
    imported = set()
    for path in [*(ROOT / "app").rglob("*.py"), *(ROOT / "kernels").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    assert not imported & set(collecting.EXCLUDED)


@pytest.mark.parametrize("library", ["lib/libnvrtc.so.13", "bin/x86_64/nvrtc64_130_0.dll"])
def test_nvidias_compiler_comes_along_from_where_its_packages_have_it(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "nvidia" / "cu13"
    for name in (library, "lib/libcudart.so.13", "include/cuda.h"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"")
    monkeypatch.setattr(components, "package_folder", lambda name: tmp_path / name)
    assert [place for place, *_ in components._cuda()] == [f"nvidia/cu13/{library}", "nvidia/cu13/include/cuda.h"]


def test_the_version_is_read_without_the_program() -> None:
    assert program_version() == app.__version__


def entry(folder: Path, place: str, needed: tuple[str, ...] = (), kind: str = "BINARY") -> trimming.Entry:
    path = folder / place.replace("/", "_")
    path.write_bytes(elf_file(needed))
    return place, str(path), kind


def test_libraries_that_nobody_needs_any_more_go_with_those_that_needed_them(tmp_path: Path) -> None:
    gtk = entry(tmp_path, "PySide6/Qt/plugins/platformthemes/libqgtk3.so", ("libgtk-3.so.0",))
    kept = [
        entry(tmp_path, "PySide6/Qt/plugins/platforms/libqxcb.so", ("libQt6Gui.so.6",)),
        entry(tmp_path, "PySide6/Qt/lib/libQt6Gui.so.6"),
        entry(tmp_path, "numba/core.cpython-311-x86_64-linux-gnu.so", kind="EXTENSION"),
        entry(tmp_path, "llvmlite/binding/libllvmlite.so"),
        ("libQt6Gui.so.6", "PySide6/Qt/lib/libQt6Gui.so.6", "SYMLINK"),
    ]
    lost = [entry(tmp_path, "libgtk-3.so.0", ("libpango-1.0.so.0",)), entry(tmp_path, "libpango-1.0.so.0")]
    link = ("libpango.so", "libpango-1.0.so.0", "SYMLINK")
    cut = trimming.Cut()
    assert cut.without_orphans(cut.without_unused([gtk, *kept, *lost, link])) == kept
    assert cut.bytes_by_reason["plugins of Qt"] == Path(gtk[1]).stat().st_size
    assert cut.bytes_by_reason["libraries that only these needed"] == sum(Path(each[1]).stat().st_size for each in lost)


@pytest.mark.parametrize(
    "place",
    [
        "libstdc++.so.6",
        "PySide6/Qt/translations/qtbase_de.qm",
        r"PySide6\translations\qtbase_de.qm",
        "PIL/_avif.cpython-311-x86_64-linux-gnu.so",
        "PySide6/opengl32sw.dll",
        r"PySide6\plugins\imageformats\qtiff.dll",
    ],
)
def test_what_has_no_use_is_left_out(tmp_path: Path, place: str) -> None:
    assert trimming.Cut().without_unused([entry(tmp_path, place)]) == []


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/translations/qtbase_zh_CN.qm",
        r"PySide6\translations\qtbase_zh_CN.qm",
        "PIL/_webp.cpython-311-x86_64-linux-gnu.so",
        "PySide6/Qt/plugins/platforms/qwindows.dll",
    ],
)
def test_what_has_a_use_stays(tmp_path: Path, place: str) -> None:
    found = entry(tmp_path, place)
    assert trimming.Cut().without_unused([found]) == [found]


def test_only_the_lexers_that_show_kernels_stay() -> None:
    names = ["pygments.lexers", "pygments.lexers.python", "pygments.lexers.haskell", "pygments.style", "pygments.styles.monokai"]
    assert [each[0] for each in trimming.used_modules([(name, "", "PYMODULE") for name in names])] == [names[0], names[1], names[3]]


def bundle(folder: Path) -> Path:
    """A small bundle with a program, a module and a link."""
    contents = folder / "_internal" / "app"
    contents.mkdir(parents=True)
    (folder / "tilescope").write_bytes(elf_file())
    (folder / "tilescope").chmod(0o700)
    (contents / "__init__.py").write_text("places = {'b', 'a', 'c'}\n")
    (folder / "link").symlink_to("tilescope")
    return folder


def test_two_archives_of_the_same_contents_have_the_same_bytes(tmp_path: Path) -> None:
    digests = []
    for name in ("first", "second"):
        folder = bundle(tmp_path / name)
        compile_modules(folder / CONTENTS)
        make_alike(folder, 1_700_000_000)
        write_archive(folder, tmp_path / f"{name}.tar.xz", "tilescope-1", 1_700_000_000, effort=6)
        digests.append(hashlib.sha256((tmp_path / f"{name}.tar.xz").read_bytes()).hexdigest())
    assert digests[0] == digests[1]
    with tarfile.open(tmp_path / "first.tar.xz") as archive:
        entries = {each.name: each for each in archive}
    assert entries["tilescope-1/tilescope"].mode == 0o755
    assert entries["tilescope-1/_internal/app/__init__.py"].mode == 0o644
    assert {each.mtime for each in entries.values()} == {1_700_000_000}
    assert {each.uname for each in entries.values()} == {"root"}
    assert entries["tilescope-1/link"].issym()


def test_modules_lie_there_as_text_and_compiled(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bundle")
    compile_modules(folder / CONTENTS)
    compiled = list(folder.rglob("*.pyc"))
    assert [path.parent.name for path in compiled] == ["__pycache__"]
    assert str(tmp_path).encode() not in compiled[0].read_bytes()
    assert size_of(folder) > size_of(folder, ["*.py"]) > 0


def test_the_debian_package_says_what_it_needs_and_excludes_the_other_edition() -> None:
    text = control_text(EDITIONS["gpu"], "1.2", 1025, "2.35", ["libGL.so.1", "libc.so.6", "libm.so.6", "libEGL.so.1"])
    fields = dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith(" "))
    assert fields["Package"] == "tilescope-gpu"
    assert fields["Conflicts"] == "tilescope"
    assert fields["Depends"] == "libc6 (>= 2.35), libegl1, libgl1"
    assert fields["Installed-Size"] == "2"
    assert depends([], "2.31") == ["libc6 (>= 2.31)"]


@pytest.mark.parametrize(("address", "told"), [("", "The Authors"), ("a@b.org", "The Authors <a@b.org>")])
def test_who_answers_for_the_packages_is_told_in_one_place(
    address: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    author = 'name = "The Authors"' + (f', email = "{address}"' if address else "")
    (tmp_path / "pyproject.toml").write_text(f"[project]\nauthors = [{{ {author} }}]\n")
    monkeypatch.setattr(edition, "ROOT", tmp_path)
    assert f"\nMaintainer: {told}\n" in control_text(EDITIONS["cpu"], "1.2", 1, "2.35", [])


def test_the_menu_entry_has_a_chinese_name_and_names_the_types_that_are_defined() -> None:
    parser = RawConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(LINUX / "tilescope.desktop", encoding="utf-8")
    desktop = parser["Desktop Entry"]
    assert "矩阵" in desktop["Name[zh_CN]"]
    types = {each.get("type") for each in ElementTree.parse(LINUX / "tilescope.xml").getroot()}
    assert {*types, "x-scheme-handler/tilescope"} == set(desktop["MimeType"].rstrip(";").split(";"))


def test_links_and_kinds_of_files_are_registered_on_every_system() -> None:
    installer = (LINUX.parent / "windows" / "tilescope.iss").read_text(encoding="utf-8")
    opens = r'ValueType: string; ValueData: """{app}\tilescope.exe"" open ""%1"""'
    assert rf'Subkey: "Software\Classes\tilescope\shell\open\command"; {opens}' in installer
    assert r'Subkey: "Software\Classes\tilescope"; ValueType: string; ValueName: "URL Protocol"' in installer
    globs = {each.get("pattern", "") for each in ElementTree.parse(LINUX / "tilescope.xml").getroot().iter() if each.tag.endswith("glob")}
    assert {f"*.{ending}" for ending in KINDS_OF_FILES} == {each for each in globs if each.startswith("*")}
    assert [each["CFBundleURLSchemes"] for each in INFO["CFBundleURLTypes"]] == [["tilescope"]]
    assert set(re.findall(r'Classes\\(\.\w+)"', installer)) == {".tilescope", ".attempt"}


def test_an_application_for_macos_has_the_licences_and_compiled_modules(tmp_path: Path) -> None:
    folder, application = bundle(tmp_path / "folder"), tmp_path / "Tilescope.app"
    (folder / LICENCES).write_text("of all")
    resources = application / "Contents" / "Resources"
    shutil.copytree(folder / CONTENTS, resources)  # as PyInstaller leaves it: before the folder was finished
    complete_application(application, folder)
    assert (resources / LICENCES).read_text() == "of all"
    assert [path.name.split(".")[0] for path in resources.rglob("*.pyc")] == ["__init__"]


def test_texts_of_licences_that_distributions_do_not_bring_are_there() -> None:
    assert all((TEXTS / name).read_text(encoding="utf-8").strip() for names in TEXTS_OF.values() for name in names)


def test_only_what_can_be_signed_is_said_to_be() -> None:
    plain = installer_command(EDITIONS["cpu"], "1.2", "")
    assert "/DSigned" not in plain
    assert "/DVersion=1.2" in plain
    assert installer_command(EDITIONS["cpu"], "1.2", "sign $f")[-3:-1] == ["/Stilescope=sign $f", "/DSigned"]


def test_the_lexers_that_stay_import_no_other() -> None:
    for name in ("c_like", "c_cpp", "python"):
        spec = importlib.util.find_spec(f"pygments.lexers.{name}")
        assert spec is not None
        assert spec.origin is not None
        tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
        wanted = {node.module: [alias.name for alias in node.names] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        modules = {module for module in wanted if module and module.startswith("pygments.lexers.")}
        modules |= {f"pygments.lexers.{each}" for each in wanted.get("pygments.lexers", ())}
        entries = [(module, "", "PYMODULE") for module in sorted(modules)]
        assert trimming.used_modules(entries) == entries
