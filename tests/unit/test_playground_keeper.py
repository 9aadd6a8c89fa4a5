"""An edited text survives the end of the program, however it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.base.background import Errands
from app.core.base.files.orphan_files import left_behind
from app.core.session.session import Session
from app.core.stage.draft_backup import EVERY_S, Keeper, draft_from, text_of

PROGRAM = """
import sys, time
from pathlib import Path
from app.core.base.background import Errands
from app.core.stage.draft_backup import Keeper
from app.core.session.session import Session

session, errands = Session("gpu.tiled"), Errands()
keeper = Keeper(session.desk, Path(sys.argv[1]), errands)
session.desk.edit_copy()
number = 0
while True:
    number += 1
    session.desk.change_text(f"// 第 {number} 次\\n" + "x" * 200_000)
    keeper.tick()
    errands.tick()
    if number == 3:
        print("ready", flush=True)
    time.sleep(0.002)
"""


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def edited() -> Session:
    session = Session("gpu.tiled")
    assert session.desk.edit_copy() is None
    session.desk.change_text("// 改过\n")
    return session


def settle(errands: Errands) -> None:
    end = time.monotonic() + 5
    while any(thread.is_alive() for thread in errands._threads) and time.monotonic() < end:
        time.sleep(0.005)
    errands.tick()


def test_a_draft_is_read_as_it_was_written() -> None:
    session = edited()
    session.desk.set_block("8, 8")
    draft = session.draft.value
    assert draft is not None
    assert draft_from(text_of(draft)) == draft
    file = replace(draft, variant_id="", problem=None, parameters={}, path=Path("核.cu"))
    assert draft_from(text_of(file)) == file


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"format": 1}', '{"format": 9}'])
def test_what_is_no_draft_is_none(damage: str) -> None:
    assert draft_from(damage) is None


def test_damaged_fields_are_no_draft() -> None:
    draft = edited().draft.value
    assert draft is not None
    for field, value in (("settings", {}), ("problem", ["matmul"]), ("variant", "gpu.gone"), ("parameters", {"tile": "x"})):
        assert draft_from(json.dumps(json.loads(text_of(draft)) | {field: value})) is None


def test_it_is_written_at_most_once_a_second_and_removed_when_it_is_closed(tmp_path: Path) -> None:
    session, errands, clock = edited(), Errands(), Clock()
    keeper = Keeper(session.desk, tmp_path / "drafts", errands, clock)
    file = tmp_path / "drafts" / f"{os.getpid()}.json"
    keeper.tick()
    settle(errands)
    assert "改过" in file.read_text(encoding="utf-8")
    session.desk.change_text("// again\n")
    keeper.tick()
    settle(errands)
    assert "again" not in file.read_text(encoding="utf-8")
    clock.now += EVERY_S
    keeper.tick()
    settle(errands)
    assert "again" in file.read_text(encoding="utf-8")
    session.desk.change_text("// last\n")
    keeper.finish()
    assert "last" in file.read_text(encoding="utf-8")
    session.desk.close()
    clock.now += EVERY_S
    keeper.tick()
    settle(errands)
    assert not file.exists()


def test_a_killed_program_leaves_its_text_whole(tmp_path: Path) -> None:
    running = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    time.sleep(2.2)  # a second and a third writing have begun
    assert not left_behind(tmp_path, draft_from).left  # it still runs: its text is its own
    running.kill()
    running.wait()
    running.stdout.close()
    session, errands = Session(), Errands()
    keeper = Keeper(session.desk, tmp_path, errands)
    keeper.start()
    settle(errands)
    offered = keeper.offered.value
    assert offered is not None
    number = int(offered.text.split()[2])
    assert number > 3
    assert offered.text == f"// 第 {number} 次\n" + "x" * 200_000
    assert offered.variant_id == "gpu.tiled"
    keeper.accept()
    assert session.desk.shown == offered
    assert [each.name for each in tmp_path.glob("*.json")] == [f"{os.getpid()}.json"]


def test_a_text_that_is_given_up_is_gone(tmp_path: Path) -> None:
    draft = edited().draft.value
    assert draft is not None
    (tmp_path / "999999999.json").write_text(text_of(draft), encoding="utf-8")
    (tmp_path / "999999998.json").write_text("damaged", encoding="utf-8")
    errands = Errands()
    keeper = Keeper(Session().desk, tmp_path, errands)
    keeper.start()
    settle(errands)
    assert keeper.offered.value == draft
    keeper.dismiss()
    assert not left_behind(tmp_path, draft_from).left
    (aside,) = tmp_path.iterdir()
    assert aside.read_text(encoding="utf-8") == "damaged"
    assert keeper.failure.value is not None
    assert str(keeper.failure.value) == f"{tmp_path / '999999998.json'} could not be understood. It is kept as {aside}."


def test_a_file_that_cannot_be_removed_keeps_nothing_from_working(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(path)

    draft = edited().draft.value
    assert draft is not None
    (tmp_path / "999999999.json").write_text(text_of(draft), encoding="utf-8")
    (tmp_path / "999999998.json").write_text("damaged", encoding="utf-8")
    os.utime(tmp_path / "999999999.json", (0, 0))  # so that the damaged one is looked at first
    monkeypatch.setattr(Path, "unlink", refuse)
    errands = Errands()
    keeper = Keeper(Session().desk, tmp_path, errands)
    keeper.start()
    settle(errands)
    assert keeper.offered.value == draft
    keeper.dismiss()
    assert keeper.offered.value is None
