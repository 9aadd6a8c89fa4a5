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

from app.core.base.background import BackgroundTasks
from app.core.base.files.orphan_files import OwnFile, orphans
from app.core.session.session import Session
from app.core.stage.draft_backup import EVERY_S, DraftBackup, draft_from, text_of
from kernels.base.messages import message

PROGRAM = """
import sys, time
from pathlib import Path
from app.core.base.background import BackgroundTasks
from app.core.stage.draft_backup import DraftBackup
from app.core.session.session import Session

session, tasks = Session("gpu.tiled"), BackgroundTasks()
backup = DraftBackup(session.draft_editor, Path(sys.argv[1]), tasks)
session.draft_editor.edit_copy()
number = 0
while True:
    number += 1
    session.draft_editor.change_text(f"// 第 {number} 次\\n" + "x" * 200_000)
    backup.tick()
    tasks.tick()
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
    assert session.draft_editor.edit_copy() is None
    session.draft_editor.change_text("// 改过\n")
    return session


def settle(background_tasks: BackgroundTasks) -> None:
    end = time.monotonic() + 5
    while any(thread.is_alive() for thread in background_tasks._threads) and time.monotonic() < end:
        time.sleep(0.005)
    background_tasks.tick()


def test_a_draft_is_read_as_it_was_written() -> None:
    session = edited()
    session.draft_editor.set_block("8, 8")
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
    session, background_tasks, clock = edited(), BackgroundTasks(), Clock()
    draft_backup = DraftBackup(session.draft_editor, tmp_path / "drafts", background_tasks, clock)
    file = tmp_path / "drafts" / f"{os.getpid()}.json"
    draft_backup.tick()
    settle(background_tasks)
    assert "改过" in file.read_text(encoding="utf-8")
    session.draft_editor.change_text("// again\n")
    draft_backup.tick()
    settle(background_tasks)
    assert "again" not in file.read_text(encoding="utf-8")
    clock.now += EVERY_S
    draft_backup.tick()
    settle(background_tasks)
    assert "again" in file.read_text(encoding="utf-8")
    session.draft_editor.change_text("// last\n")
    draft_backup.finish()
    assert "last" in file.read_text(encoding="utf-8")
    session.draft_editor.close()
    clock.now += EVERY_S
    draft_backup.tick()
    settle(background_tasks)
    assert not file.exists()


def test_a_killed_program_leaves_its_text_whole(tmp_path: Path) -> None:
    running = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    time.sleep(2.2)  # a second and a third writing have begun
    assert not orphans(tmp_path, draft_from).left  # it still runs: its text is its own
    running.kill()
    running.wait()
    running.stdout.close()
    session, background_tasks = Session(), BackgroundTasks()
    draft_backup = DraftBackup(session.draft_editor, tmp_path, background_tasks)
    draft_backup.start()
    settle(background_tasks)
    offered = draft_backup.offered.value
    assert offered is not None
    number = int(offered.text.split()[2])
    assert number > 3
    assert offered.text == f"// 第 {number} 次\n" + "x" * 200_000
    assert offered.variant_id == "gpu.tiled"
    draft_backup.accept()
    assert session.draft_editor.shown == offered
    assert [each.name for each in tmp_path.glob("*.json")] == [f"{os.getpid()}.json"]


def test_a_text_that_is_given_up_is_gone(tmp_path: Path) -> None:
    draft = edited().draft.value
    assert draft is not None
    (tmp_path / "999999999.json").write_text(text_of(draft), encoding="utf-8")
    (tmp_path / "999999998.json").write_text("damaged", encoding="utf-8")
    background_tasks = BackgroundTasks()
    draft_backup = DraftBackup(Session().draft_editor, tmp_path, background_tasks)
    draft_backup.start()
    settle(background_tasks)
    assert draft_backup.offered.value == draft
    draft_backup.dismiss()
    assert not orphans(tmp_path, draft_from).left
    (aside,) = tmp_path.iterdir()
    assert aside.read_text(encoding="utf-8") == "damaged"
    assert draft_backup.failure.value is not None
    assert str(draft_backup.failure.value) == f"{tmp_path / '999999998.json'} could not be understood. It is kept as {aside}."


def test_a_file_that_cannot_be_removed_keeps_nothing_from_working(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(path)

    draft = edited().draft.value
    assert draft is not None
    (tmp_path / "999999999.json").write_text(text_of(draft), encoding="utf-8")
    (tmp_path / "999999998.json").write_text("damaged", encoding="utf-8")
    os.utime(tmp_path / "999999999.json", (0, 0))  # so that the damaged one is looked at first
    monkeypatch.setattr(Path, "unlink", refuse)
    background_tasks = BackgroundTasks()
    draft_backup = DraftBackup(Session().draft_editor, tmp_path, background_tasks)
    draft_backup.start()
    settle(background_tasks)
    assert draft_backup.offered.value == draft
    draft_backup.dismiss()
    assert draft_backup.offered.value is None


def test_texts_that_others_were_opened_over_are_offered_one_after_the_other(tmp_path: Path) -> None:
    mine = tmp_path / "mine.cu"
    mine.write_text("one", encoding="utf-8")
    session, background_tasks, clock = edited(), BackgroundTasks(), Clock()
    draft_backup = DraftBackup(session.draft_editor, tmp_path / "drafts", background_tasks, clock)
    draft_backup.tick()
    settle(background_tasks)
    session.draft_editor.open_file(mine)
    session.draft_editor.change_text("one, edited")
    clock.now += EVERY_S
    draft_backup.tick()
    settle(background_tasks)
    assert len(list((tmp_path / "drafts").glob("*.json"))) == 2  # however the program ends now
    draft_backup.finish()
    session = Session()
    draft_backup = DraftBackup(session.draft_editor, tmp_path / "drafts", background_tasks, clock)
    draft_backup.start()
    settle(background_tasks)
    offered = set()
    while (draft := draft_backup.offered.value) is not None:
        offered.add(draft.text)
        draft_backup.accept()
    assert offered == {"one, edited", "// 改过\n"}
    assert len(session.draft_editor.kept) == 1
    assert len(list((tmp_path / "drafts").glob("*.json"))) == 2
    session.draft_editor.take(session.draft_editor.kept[0])
    session.draft_editor.close()
    clock.now += EVERY_S
    draft_backup.tick()
    settle(background_tasks)
    assert len(list((tmp_path / "drafts").glob("*.json"))) == 1


def test_a_text_that_could_not_be_written_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, full = tmp_path / "mine.cu", message("No room.")
    mine.write_text("one", encoding="utf-8")
    session, background_tasks, clock = edited(), BackgroundTasks(), Clock()
    draft_backup = DraftBackup(session.draft_editor, tmp_path / "drafts", background_tasks, clock)
    session.draft_editor.open_file(mine)
    with monkeypatch.context() as patch:
        patch.setattr(OwnFile, "write", lambda _self, _text: full)
        draft_backup.tick()
        settle(background_tasks)
    assert str(draft_backup.failure.value) == str(full)
    clock.now += EVERY_S
    draft_backup.tick()
    settle(background_tasks)
    assert str(draft_backup.failure.value) == "None"
    assert len(list((tmp_path / "drafts").glob("*.json"))) == 1


def test_a_file_whose_text_was_left_is_opened_as_it_was_left(tmp_path: Path) -> None:
    mine, drafts = tmp_path / "mine.cu", tmp_path / "drafts"
    mine.write_text("one", encoding="utf-8")
    background_tasks = BackgroundTasks()
    for number, text in enumerate(("one, edited", "one, edited earlier", "// a copy")):
        draft = edited().draft.value
        assert draft is not None
        if number < 2:
            draft = replace(draft, name="mine.cu", variant_id="", problem=None, parameters={}, path=mine, original="one")
        file = drafts / f"99999999{number}.json"
        drafts.mkdir(exist_ok=True)
        file.write_text(text_of(replace(draft, text=text)), encoding="utf-8")
        os.utime(file, (1_000_000 - number, 1_000_000 - number))
    session = Session()
    draft_backup = DraftBackup(session.draft_editor, drafts, background_tasks)
    draft_backup.start()
    settle(background_tasks)
    assert "2 more" in str(draft_backup.offer.value)
    draft_backup.dismiss()
    assert "1 more" in str(draft_backup.offer.value)
    assert "mine.cu was not saved when the program ended; its text of 1970-01-1" in str(draft_backup.offer.value)
    assert session.draft_editor.open_file(mine) is None
    opened = session.draft_editor.shown
    assert opened is not None
    assert (opened.text, opened.changed) == ("one, edited earlier", True)
    assert "more" not in str(draft_backup.offer.value)  # and of what is open nothing is offered
    assert "one, edited earlier" in (drafts / f"{os.getpid()}.json").read_text(encoding="utf-8")
    assert len(list(drafts.glob("*.json"))) == 2


def test_a_left_text_stays_where_it_could_not_be_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drafts, background_tasks = tmp_path / "drafts", BackgroundTasks()
    drafts.mkdir()
    draft = edited().draft.value
    assert draft is not None
    left = drafts / "999999990.json"
    left.write_text(text_of(replace(draft, text="// mine")), encoding="utf-8")
    session = Session()
    draft_backup = DraftBackup(session.draft_editor, drafts, background_tasks)
    draft_backup.start()
    settle(background_tasks)
    monkeypatch.setattr(OwnFile, "write", lambda _self, _text: message("No room."))
    draft_backup.accept()
    assert str(draft_backup.failure.value) == "No room."
    assert left.exists(), "the only copy"


def test_beside_a_file_that_was_given_on_the_command_line_its_own_left_text_is_offered(tmp_path: Path) -> None:
    mine, drafts, background_tasks = tmp_path / "mine.cu", tmp_path / "drafts", BackgroundTasks()
    mine.write_text("one", encoding="utf-8")
    drafts.mkdir()
    for number, (name, text) in enumerate((("mine.cu", "one, edited"), ("other.cu", "two, edited"))):
        draft = edited().draft.value
        assert draft is not None
        left = replace(draft, name=name, variant_id="", problem=None, parameters={}, path=tmp_path / name, original="", text=text)
        (drafts / f"99999999{number}.json").write_text(text_of(left), encoding="utf-8")
    session = Session()
    draft_backup = DraftBackup(session.draft_editor, drafts, background_tasks)
    assert session.draft_editor.open_file(mine) is None
    draft_backup.start()
    settle(background_tasks)
    assert "mine.cu was not saved" in str(draft_backup.offer.value)
    assert "more" not in str(draft_backup.offer.value)
    draft_backup.accept()
    shown = session.draft_editor.shown
    assert shown is not None
    assert (shown.text, shown.changed) == ("one, edited", True)
    assert (drafts / "999999991.json").exists(), "a later start offers it"
