"""packaging/dev.py and what it calls, without installing anything."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import debian
import dev
import hatch_build
import pytest
import screenshots
from bundle.edition import EDITIONS

ROOT = Path(__file__).resolve().parents[3]
LOCKS = sorted((ROOT / "packaging" / "locks").glob("*.txt"))


def pins(lock: Path) -> dict[str, set[str]]:
    """Package -> its pinned versions (some differ between Python versions)."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([^ ]+)", lock.read_text(), re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


class System:
    """A Debian on which a test says what is installed; collects what would be."""

    def __init__(self) -> None:
        self.installed = {"libc6"}
        self.allowed = False
        self.asked: list[list[str]] = []

    def install(self, names: list[str]) -> bool:
        if self.allowed:
            self.asked.append(names)
        return self.allowed


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    made = System()
    monkeypatch.setattr("debian.shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("debian.installed_names", lambda: made.installed)
    monkeypatch.setattr("debian.install", made.install)
    return made


def test_an_older_python_reads_the_script_as_far_as_its_sentence() -> None:
    source = (ROOT / "packaging" / "dev.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    first_own_import = source.index("import debian")
    assert "Tilescope needs Python 3.11" in source[:first_own_import]
    assert "\nfrom __future__" not in source


def test_each_command_is_explained() -> None:
    script = ROOT / "packaging" / "dev.py"
    told = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=True).stdout
    assert [name for name in dev.COMMANDS if not re.search(rf"^    {name}\s+[A-Z]", told, re.MULTILINE)] == []


@pytest.mark.parametrize("command", ["package", "lock"])
def test_asking_what_a_long_command_does_does_nothing(command: str) -> None:
    said = subprocess.run([sys.executable, ROOT / "packaging" / "dev.py", command, "--help"], capture_output=True, text=True, check=True)
    assert "Installing" not in said.stdout
    assert "--upgrade" in said.stdout if command == "lock" else "--edition" in said.stdout


def test_an_unknown_command_is_refused() -> None:
    with pytest.raises(SystemExit) as refused:
        dev.main(["fly"])
    assert refused.value.code == 2


def test_arguments_go_through_untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[list[str]] = []

    def run(arguments: list[str]) -> int:
        received.append(arguments)
        return 7

    monkeypatch.setitem(dev.COMMANDS, "run", run)
    assert dev.main(["run", "--help", "-x", "a b"]) == 7
    assert received == [["--help", "-x", "a b"]]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_each_lock_pins_by_hash_and_names_no_place(lock: Path) -> None:
    text = lock.read_text()
    entries = [entry for entry in re.split(r"^(?=\S)", text, flags=re.MULTILINE) if not entry.startswith("#")]
    entries.remove("")
    assert entries
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"https?:|file:|index-url|find-links|@ ", text)


def test_the_locks_agree() -> None:
    run, test, core = (pins(ROOT / "packaging" / "locks" / f"{name}.txt") for name in ("run", "test", "core"))
    assert run.items() <= test.items()
    assert test.keys() - core.keys() == set(dev.QT_PACKAGES)
    assert core.items() <= test.items()


def test_each_edition_has_a_lock_that_agrees_with_the_tests() -> None:
    tried = pins(ROOT / "packaging" / "locks" / "test.txt")
    for edition in EDITIONS.values():
        pinned = pins(ROOT / "packaging" / "locks" / f"package-{edition.name}.txt")
        assert {name: versions for name, versions in pinned.items() if name in tried}.items() <= tried.items()
        assert "pyinstaller" in pinned
        assert ("cupy-cuda13x" in pinned) == (edition.name == "gpu")


def test_an_environment_is_filled_once_and_again_when_its_settings_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyproject.toml", "packaging/hatch_build.py", "packaging/locks/run.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("first")
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "LOCKS", tmp_path / "packaging" / "locks")
    fillings: list[str] = []
    monkeypatch.setattr(dev.Environment, "_fill", lambda self: fillings.append(self.folder.name))
    monkeypatch.setattr(dev.Environment, "create", lambda self: self.folder.mkdir(exist_ok=True))
    dev.Environment(".venv", "run.txt").ready()
    dev.Environment(".venv", "run.txt").ready()
    assert fillings == [".venv"]
    (tmp_path / "pyproject.toml").write_text("second")
    dev.Environment(".venv", "run.txt").ready()
    assert fillings == [".venv", ".venv"]


def test_a_catalogue_is_never_met_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "resources" / "i18n" / "zh_CN" / "LC_MESSAGES" / "tilescope.po"
    source.parent.mkdir(parents=True)
    source.write_text('msgid "row"\nmsgstr "行"\n', encoding="utf-8")
    (compiled,) = hatch_build.compile_catalogues(tmp_path)
    whole = compiled.read_bytes()

    def interrupted(file: BinaryIO, _catalogue: object) -> None:
        file.write(b"half of it")
        file.flush()
        assert compiled.read_bytes() == whole
        raise OSError("no space left")

    monkeypatch.setattr(hatch_build, "write_mo", interrupted)
    with pytest.raises(OSError, match="no space left"):
        hatch_build.compile_catalogues(tmp_path)
    assert compiled.read_bytes() == whole
    assert sorted(source.parent.iterdir()) == [compiled, source]


def test_a_failed_installation_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = dev.Environment(str(tmp_path / "venv"), "run.txt")

    def fail(self: dev.Environment) -> None:
        raise SystemExit("no network")

    monkeypatch.setattr(dev.Environment, "create", lambda self: self.folder.mkdir(exist_ok=True))
    monkeypatch.setattr(dev.Environment, "_fill", fail)
    for _ in range(2):
        with pytest.raises(SystemExit, match="no network"):
            made.ready()


def test_without_rights_the_missing_packages_stop_it_with_the_command_to_type(system: System) -> None:
    with pytest.raises(SystemExit) as stopped:
        debian.ensure_packages(with_qt=True)
    assert "sudo apt-get update && sudo apt-get install --quiet --yes --no-install-recommends" in str(stopped.value.code)
    assert {"libegl1", "libglib2.0-0", "libxcb-cursor0", "fonts-wqy-microhei"} <= set(str(stopped.value.code).split())


def test_without_sudo_the_command_to_type_is_one_of_su(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("debian.shutil.which", lambda name: None if name == "sudo" else f"/usr/bin/{name}")
    with pytest.raises(SystemExit) as stopped:
        debian.ensure_packages(with_qt=True)
    _, typed = str(stopped.value.code).split("\n")
    assert shlex.split(typed)[:3] == ["su", "-", "-c"]
    assert shlex.split(typed)[3].startswith("apt-get update && apt-get install --quiet --yes")
    assert "sudo" not in typed


def test_without_rights_it_goes_on_if_only_useful_packages_are_missing(system: System, capsys: pytest.CaptureFixture[str]) -> None:
    system.installed = {*debian.needed_names(with_qt=True), *debian.USEFUL} - {"fonts-wqy-microhei"}
    debian.ensure_packages(with_qt=True)
    assert "Chinese text" in capsys.readouterr().err


def test_only_what_is_missing_is_installed(system: System) -> None:
    system.allowed = True
    system.installed = {*debian.needed_names(with_qt=True), *debian.USEFUL} - {"libegl1", "libgomp1"}
    debian.ensure_packages(with_qt=True)
    assert system.asked == [["libegl1", "libgomp1"]]


def test_another_installation_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr("debian._privileges", lambda: ["sudo"])
    monkeypatch.setattr("debian.subprocess.run", run)
    assert debian.install(["libegl1"])
    assert commands == [["sudo", "env", "DEBIAN_FRONTEND=noninteractive", *debian.install_command(["libegl1"]), *debian._WAITING]]


def test_nothing_is_asked_where_nothing_is_missing(system: System) -> None:
    system.allowed = True
    system.installed = {*debian.needed_names(with_qt=True), *debian.USEFUL}
    debian.ensure_packages(with_qt=True)
    assert system.asked == []


def test_without_qt_its_libraries_are_not_asked_for(system: System) -> None:
    system.allowed = True
    debian.ensure_packages(with_qt=False)
    assert system.asked == []


def test_making_a_package_asks_for_what_it_needs_of_the_system(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    system.installed = {*debian.needed_names(with_qt=True), *debian.USEFUL}
    with pytest.raises(SystemExit) as ended:
        debian.ensure_packages(with_qt=True, building=True)
    assert f"binutils, libpython3.{sys.version_info[1]}" in str(ended.value)
    debian.ensure_packages(with_qt=True)  # the program itself needs neither
    monkeypatch.setattr(sys, "base_prefix", "/opt/python")
    assert debian.building_names() == ["binutils"]


def test_pythons_missing_part_is_named_for_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("debian.importlib.util.find_spec", {}.get)
    assert debian.needed_names(with_qt=False) == [f"python3.{sys.version_info[1]}-venv"]


def test_a_provided_name_counts_as_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = "installed\tlibglib2.0-0t64\tlibglib2.0-0 (= 2.84.3-1), libglib\nconfig-files\tlibegl1\t\n"
    monkeypatch.setattr("debian.subprocess.run", lambda *_, **__: subprocess.CompletedProcess([], 0, listing, ""))
    assert debian.installed_names() == {"libglib2.0-0t64", "libglib2.0-0", "libglib"}


def test_a_pictures_size_is_read_and_anything_else_is_no_picture(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(screenshots.PNG_SIGNATURE + b"\0\0\0\x0dIHDR" + (1280).to_bytes(4, "big") + (720).to_bytes(4, "big"))
    assert screenshots.picture_size(picture) == (1280, 720)
    picture.write_text("no picture, but long enough to be one")
    with pytest.raises(ValueError, match="no PNG"):
        screenshots.picture_size(picture)
