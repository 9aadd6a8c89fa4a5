"""What `tilescope` and `tilescope screenshot` hand to the window, and what they refuse before Qt is imported."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from app.core.base.i18n import Translator
from app.core.diagnostics.desktop import has_display
from app.core.results.curves import Provenance
from app.core.stage.pointing import Pointed
from app.core.workbench.window_arguments import ScreenshotArguments, WindowArguments
from kernels.base.messages import Message, message
from tests.command_line import CommandLine

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setattr("app.cli.window.require_qt", lambda: None)
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[WindowArguments]:
    """What the window was opened with; a stand-in for the real one, whose status is 7."""
    calls: list[WindowArguments] = []

    def run(arguments: WindowArguments, _translator: Translator) -> int:
        calls.append(arguments)
        return 7

    stand_in(monkeypatch, "app.qt.shell.running", "run", run)
    return calls


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[ScreenshotArguments]:
    calls: list[ScreenshotArguments] = []
    stand_in(monkeypatch, "app.qt.shell.screenshot", "take", calls.append)
    return calls


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, attribute: str, function: Callable[..., object]) -> None:
    module = ModuleType(name)
    setattr(module, attribute, function)
    monkeypatch.setitem(sys.modules, name, module)


def test_the_window_gets_what_was_given(tilescope: CommandLine, opened: list[WindowArguments], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert tilescope().status == 7
    assert tilescope("--lang", "zh_CN", "--theme", "dark", "--variant", "gpu.tiled", "--size", "1280x720").status == 7
    assert opened == [WindowArguments(), WindowArguments("zh_CN", "dark", "gpu.tiled", (1280, 720))]


@pytest.mark.usefixtures("opened")
def test_without_a_display_the_window_names_the_screenshot(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    line = tilescope.refused()
    assert line == "tilescope: There is no display to open a window on. A picture needs none: tilescope screenshot OUT.png"


@pytest.mark.parametrize("name", DISPLAYS)
def test_each_sign_of_a_display_is_enough(name: str) -> None:
    assert has_display({name: ":0"}, "linux")
    assert not has_display({name: ""}, "linux")


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_than_on_linux_there_is_always_a_display(platform: str) -> None:
    assert has_display({}, platform)


def test_a_screenshot_gets_what_was_given(tilescope: CommandLine, taken: list[ScreenshotArguments], tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    options = shlex.split("--size 1280x720 --theme dark --lang zh_CN --variant cpu.naive --view timing --step 5 --n 12")
    assert tilescope("screenshot", path).status == 0
    assert tilescope("screenshot", path, *options).status == 0
    assert tilescope("screenshot", path, "--tile", "8", "--n", "16").status == 0
    assert tilescope("screenshot", path, *shlex.split("--variant gpu.mma-bf16 --alone 6 --lane 13 --instruction mma")).status == 0
    assert tilescope("screenshot", path, "--view", "timing", "--shown", "recorded, published").status == 0
    assert taken == [
        ScreenshotArguments(path, "en"),
        ScreenshotArguments(path, "zh_CN", (1280, 720), "dark", "cpu.naive", "timing", 4, 12),
        ScreenshotArguments(path, "en", n=16, parameters={"tile": 8}),
        ScreenshotArguments(path, "en", variant_id="gpu.mma-bf16", alone=6, pointed=Pointed(13, "mma")),
        ScreenshotArguments(path, "en", view="timing", shown=frozenset((Provenance.RECORDED, Provenance.PUBLISHED))),
    ]


def test_options_before_the_command_count_too(tilescope: CommandLine, taken: list[ScreenshotArguments], tmp_path: Path) -> None:
    tilescope("--theme", "dark", "--lang", "zh_CN", "screenshot", tmp_path / "a.png")
    assert taken == [ScreenshotArguments(tmp_path / "a.png", "zh_CN", theme="dark")]


@pytest.mark.usefixtures("taken")
def test_a_screenshot_as_json_says_what_was_written(tilescope: CommandLine, tmp_path: Path) -> None:
    answer = tilescope("screenshot", tmp_path / "a.png", "--json", "--size", "1280x720")
    assert answer.json == {"path": str(tmp_path / "a.png"), "width": 1280, "height": 720}


def test_a_screenshot_needs_no_display(tilescope: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in DISPLAYS:
        monkeypatch.setenv(name, "")  # so that it is put back after the test
        monkeypatch.delenv(name)
    platforms: list[str | None] = []

    def take(_arguments: ScreenshotArguments) -> Message | None:
        platforms.append(os.environ.get("QT_QPA_PLATFORM"))
        return None

    stand_in(monkeypatch, "app.qt.shell.screenshot", "take", take)
    assert tilescope("screenshot", tmp_path / "a.png").status == 0
    assert platforms == ["offscreen"]


def test_a_picture_that_could_not_be_taken_is_said(tilescope: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "app.qt.shell.screenshot", "take", lambda _arguments: message("No picture."))
    assert tilescope.refused("screenshot", tmp_path / "a.png") == "tilescope: No picture."


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("--zoom 201", "--zoom must be at most 200, not 201."),
        ("--theme pink", "--theme: 'pink' is not one of light, dark, contrast-light, contrast-dark."),
        ("--size big", "--size: 'big' is not a size such as 1920x1080."),
        ("--variant cpu.naiv", "There is no variant 'cpu.naiv'. The closest is cpu.naive."),
        ("--size 1920x1080 list", "There is no option --size here. See tilescope list --help."),
        ("--variant=cpu.naive --lang en list", "There is no option --variant here. See tilescope list --help."),
        ("--theme dark export curves a.csv --variants cpu.naive", "There is no option --theme here. See tilescope export --help."),
        ("screenshot a.jpg", "OUT.png: the file's name must end in .png."),
        ("screenshot a.png --size 1x1", "--size, the width must be at least 960, not 1."),
        ("screenshot a.png --size 1920x99999", "--size, the height must be at most 4320, not 99\u202f999."),
        ("screenshot a.png --theme pink", "--theme: 'pink' is not one of light, dark, contrast-light, contrast-dark."),
        ("screenshot a.png --view both", "--view: 'both' is not one of stage, timing, tuning, ladder, presenter, notes, help, export."),
        ("screenshot a.png --step 0", "--step must be at least 1, not 0."),
        ("screenshot a.png --n 500", "--n must be at most 32, not 500."),
        ("screenshot a.png --shown measured,guessed", "--shown: 'guessed' is not one of measured, recorded, published."),
        ("screenshot a.png --variant gpu.async --alone 9 --lane 2", "--lane: view 9 shows no lanes."),
        (
            "screenshot a.png --variant cpu.naive --lane 2",
            "--lane is for a CUDA kernel; cpu.naive has neither lanes nor matrix instructions.",
        ),
        ("screenshot a.png --lesson bank-conflicts --lane 2", "--lesson and --lane exclude each other."),
        ("screenshot a.png --tile 0", "--tile must be at least 1, not 0."),
        ("screenshot a.png --variant cpu.naive --tile 4", "cpu.naive has no parameter --tile."),
    ],
)
def test_what_the_window_cannot_show_is_refused(tilescope: CommandLine, command: str, reason: str) -> None:
    assert tilescope.refused(*command.split()) == f"tilescope: {reason}"


def test_a_picture_in_a_missing_folder_is_refused(tilescope: CommandLine, tmp_path: Path) -> None:
    line = tilescope.refused("screenshot", tmp_path / "missing" / "a.png")
    assert line == f"tilescope: There is no folder {tmp_path / 'missing'}."
