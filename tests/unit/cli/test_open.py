"""`tilescope open FILE`: what the window is given for each kind of file, and what is refused before Qt is imported."""

from __future__ import annotations

import base64
import json
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.base.errors import Refused
from app.cli.open_file import opened
from app.core.challenges.challenge import Attempt
from app.core.challenges.library import challenges
from app.core.challenges.result import written
from app.core.lessons.library import shipped_ids
from app.core.state.snapshot import Snapshot
from app.core.state.written import LESSON, MARK, fields_of, paste_of, text_of
from app.core.workbench.links import read_link
from app.core.workbench.window_arguments import LessonPosition, Tried, WindowArguments
from kernels.base.messages import Message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from tests.command_line import CommandLine

ROOT = Path(__file__).resolve().parents[3]
KERNEL = ROOT / "kernels" / "gpu" / "matmul_tiled.cu"


def reason(path: Path) -> str:
    with pytest.raises(Refused) as refused:
        opened(path)
    return str(refused.value.reason)


def test_a_text_in_cuda_c_is_opened_where_it_lies() -> None:
    assert opened(KERNEL) == KERNEL


def test_an_attempt_is_opened_with_its_challenge(tmp_path: Path) -> None:
    challenge = challenges()[0]
    attempt = Attempt.of(challenge, challenge.given)
    path = tmp_path / "mine.attempt"
    path.write_text(written(attempt, "somebody"), encoding="utf-8")
    assert opened(path) == Tried(challenge, attempt)


@pytest.mark.parametrize("name", ["lesson.toml", ""])
def test_a_lesson_is_opened_by_its_file_or_its_folder(name: str) -> None:
    folder = ROOT / "resources" / "lessons" / shipped_ids()[0]
    place = opened(folder / name)
    assert isinstance(place, LessonPosition)
    assert place.number == 0


def test_a_state_is_read(tmp_path: Path) -> None:
    variant = by_id("gpu.tiled")
    snapshot = Snapshot(Case.of(variant, Problem.square(Operation.MATMUL, 64), variant.defaults))
    path = tmp_path / "shown.tilescope"
    path.write_text(text_of(snapshot), encoding="utf-8")
    assert opened(path) == snapshot


@pytest.mark.parametrize("name", ["gone.cu", "gone.tilescope", "gone.attempt"])
def test_what_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    assert "There is no file" in reason(tmp_path / name)


def test_another_kind_of_file_is_refused_by_its_ending(tmp_path: Path) -> None:
    said = reason(tmp_path / "picture.png")
    assert said.startswith("picture.png: the file's name must end in")
    assert all(ending in said for ending in (".tilescope", ".attempt", ".cu", "lesson.toml"))


@pytest.mark.parametrize("name", ["broken.tilescope", "broken.attempt"])
def test_a_file_that_says_nothing_is_refused_by_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{}", encoding="utf-8")
    assert name in reason(tmp_path / name)


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path, monkeypatch, capsys)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[WindowArguments]:
    """What windows are opened with: none is opened."""
    calls: list[WindowArguments] = []

    def run(arguments: WindowArguments, _translator: object) -> int:
        calls.append(arguments)
        return 0

    running = ModuleType("app.qt.shell.running")
    running.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "app.qt.shell.running", running)
    monkeypatch.setattr("app.cli.window.require_qt", lambda: None)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    return calls


def test_the_window_gets_what_the_file_says_and_without_one_nothing(tilescope: CommandLine, windows: list[WindowArguments]) -> None:
    assert tilescope("open", str(KERNEL)).status == 0
    assert tilescope("open", "--theme", "dark").status == 0
    assert windows == [WindowArguments(opened=KERNEL), WindowArguments(theme="dark")]


def test_a_link_stands_anywhere_among_options_of_the_window(tilescope: CommandLine, windows: list[WindowArguments]) -> None:
    link = paste_of(shown_state())
    look = ["--theme", "dark", "--size", "1280x720", "--zoom", "150", "--lang", "zh_CN"]
    for arguments in ([*look, link], [link, *look], [*look[:2], link, *look[2:]], ["open", *look, link], [*look, "open", link]):
        assert tilescope(*arguments).status == 0
    assert windows == [WindowArguments("zh_CN", "dark", None, (1280, 720), 150, opened=shown_state())] * 5


@pytest.mark.parametrize("arguments", [["--variant", "gpu.naive", "{link}"], ["{link}", "--variant", "gpu.naive"]])
def test_a_variant_beside_a_link_is_refused_with_the_reason(
    tilescope: CommandLine, windows: list[WindowArguments], arguments: list[str]
) -> None:
    refusal = tilescope.refused(*(each.format(link=paste_of(shown_state())) for each in arguments))
    assert refusal == "tilescope: --variant: the link or file says already what is shown. Leave one of the two out."
    assert tilescope("open", "--variant", "gpu.naive").status == 0
    assert windows == [WindowArguments(variant_id="gpu.naive")]


def test_of_two_links_the_second_is_refused(tilescope: CommandLine, windows: list[WindowArguments]) -> None:
    link = paste_of(shown_state())
    assert "Not known here: tilescope:" in tilescope.refused(link, link)
    assert not windows


def shown_state() -> Snapshot:
    variant = by_id("gpu.tiled")
    return Snapshot(Case.of(variant, Problem.square(Operation.MATMUL, 64), variant.defaults))


def packed(fields: dict[str, object]) -> str:
    return MARK + base64.urlsafe_b64encode(zlib.compress(json.dumps(fields).encode())).decode().rstrip("=")


def why(link: str) -> str:
    found = read_link(link)
    assert isinstance(found, Message)
    return str(found)


def test_a_link_shows_a_state_at_a_step() -> None:
    shown = shown_state()
    assert read_link(paste_of(shown)) == shown
    assert read_link(f"{paste_of(shown)}?step=120") == replace(shown, place=replace(shown.place, time=119.0))


def test_a_link_is_short_enough_for_every_system() -> None:
    assert len(paste_of(shown_state())) < 500


def test_a_link_opens_a_lesson_of_the_program_at_its_step() -> None:
    name = shipped_ids()[0]
    first, second = read_link(LESSON + name), read_link(f"{LESSON}{name}?step=2")
    assert isinstance(first, LessonPosition)
    assert isinstance(second, LessonPosition)
    assert (first.lesson.id, first.number, second.number) == (name, 0, 1)
    assert "There is no lesson" in why(f"{LESSON}../../etc")


@pytest.mark.parametrize(("changed", "field"), [
    ({"variant": "gpu.none"}, "variant"), ({"sizes": [1, 2]}, "sizes"), ({"parameters": {"tile": 10**9}}, "tile"),
    ({"place": {"time": -1}}, "time"), ({"view": 99}, "view"), ({"run": "rm -rf"}, "run"), ({"command": "rm -rf /"}, "command"),
    ({"format": "tilescope state 9"}, "later version"),
])  # fmt: skip
def test_a_hostile_link_is_refused_by_the_name_of_its_field(changed: dict[str, object], field: str) -> None:
    assert field in why(packed({**fields_of(shown_state()), **changed}))


@pytest.mark.parametrize(
    ("asked", "field"), [("step=-1", "step"), ("step=1e9", "step"), ("at=4", "step is missing"), ("step=1&run=2", "run"), ("", "step")]
)
def test_what_a_link_asks_besides_is_refused_by_its_name(asked: str, field: str) -> None:
    assert field in why(f"{paste_of(shown_state())}?{asked}")


@given(st.text(max_size=200))
def test_no_link_does_more_than_be_refused(text: str) -> None:
    assert why(MARK + text)


def test_the_command_line_takes_a_link_as_it_is(tilescope: CommandLine) -> None:
    assert "Link: The pasted text is not whole." in tilescope.refused("tilescope:AAAA")
    assert "Link: The pasted text is not whole." in tilescope.refused("open", "tilescope:AAAA")


def test_a_file_manager_may_name_a_file_by_its_address(tilescope: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "my scene.tilescope"
    path.write_text("no state")
    refusal = tilescope.refused("open", path.as_uri())
    assert "my scene.tilescope" in refusal
