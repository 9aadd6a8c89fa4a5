"""Editing kernels in the whole window, as a user does: by typing, pressing and choosing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QStandardPaths, Qt
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QFileDialog, QToolButton
from pytestqt.qtbot import QtBot

from app.core.base.files.locations import find_places
from app.core.gpu_view.index import LaunchIndex
from app.core.session.draft import Draft
from app.core.stage.playground import BY_WARPS
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.gpu_view.matrices_view import MatricesView
from app.qt.gpu_view.timeline_overview import GpuTimelineOverview
from app.qt.inspector.panel import InspectorPanel
from app.qt.ladder.rung_button import RungButton
from app.qt.shell.application import Desktop
from app.qt.source.panel import SourcePanel
from app.qt.stage.step_card import StepCard
from app.qt.views.frame import ViewFrame
from kernels.catalogue.catalogue import by_id

PROGRAM = """__global__ void first(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }
__global__ void second(float* q, float by) { q[threadIdx.x] *= by; } // 第二个
"""
THEIRS = "__global__ void third(int* p) { p[0] = 3; }\n"


def opened(qtbot: QtBot, variant: str = "gpu.tiled", language: str = "en", home: Path | None = None) -> Desktop:
    places = None if home is None else find_places({"TILESCOPE_HOME": str(home)}, "linux", home)
    desktop = Desktop(WindowArguments(language, "light", variant, (1920, 1080)), places, Settings(None))
    desktop.start()
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    return desktop


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    made = opened(qtbot)
    yield made
    made.window.close()
    made.window.deleteLater()


def source(desktop: Desktop) -> SourcePanel:
    found = desktop.window.findChild(SourcePanel)
    assert isinstance(found, SourcePanel)
    return found


def draft(desktop: Desktop) -> Draft:
    found = desktop.session.draft.value
    assert found is not None
    return found


def edit(desktop: Desktop, qtbot: QtBot) -> SourcePanel:
    """Begin to edit a copy by its key, at the beginning of its text."""
    qtbot.keyClick(desktop.window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    panel = source(desktop)
    qtbot.waitUntil(lambda: panel.view.editable and bool(draft(desktop).kernels), timeout=20_000)
    panel.view.moveCursor(QTextCursor.MoveOperation.Start)
    return panel


def behind(panel: SourcePanel, text: str) -> None:
    """Put the cursor behind a text."""
    found = panel.view.document().find(text, 0, QTextDocument.FindFlag.FindCaseSensitively)
    assert not found.isNull()
    found.setPosition(found.selectionEnd())
    panel.view.setTextCursor(found)


def rows(panel: SourcePanel) -> list[str]:
    return [panel.diagnostics.item(number).text() for number in range(panel.diagnostics.count())]


def shown(desktop: Desktop) -> LaunchIndex:
    index = desktop.workbench.stage.shown.value
    assert isinstance(index, LaunchIndex)
    return index


def test_an_error_is_underlined_and_listed_while_the_last_version_stays(desktop: Desktop, qtbot: QtBot) -> None:
    panel, stage = edit(desktop, qtbot), desktop.workbench.stage
    stage.timeline.scrub(3000)
    place = stage.timeline.position.value
    behind(panel, "* Bs")
    qtbot.keyClicks(panel.view, "C")
    qtbot.waitUntil(lambda: "✕ 60:32 Unknown name BsC." in rows(panel), timeout=20_000)
    assert str(stage.notice.value) == "Showing the last version that compiled. matmul_tiled.cu:60: Unknown name BsC."
    assert stage.timeline.position.value == place
    waves = [each for each in panel.view.extraSelections() if each.cursor.selectedText() == "BsC"]
    assert len(waves) == 1
    panel.view.moveCursor(QTextCursor.MoveOperation.Start)
    item = panel.diagnostics.item(0)
    qtbot.mouseClick(panel.diagnostics.viewport(), Qt.MouseButton.LeftButton, pos=panel.diagnostics.visualItemRect(item).center())
    assert (panel.view.textCursor().blockNumber(), panel.view.textCursor().positionInBlock()) == (59, 31)
    qtbot.keyClick(panel.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: stage.notice.value is None and desktop.workbench.stage_ready, timeout=20_000)
    assert not rows(panel)
    assert draft(desktop).text == draft(desktop).original


def test_editing_begins_at_the_executed_line_or_where_the_reader_has_put_the_cursor(desktop: Desktop, qtbot: QtBot) -> None:
    view = source(desktop).view
    executed = view.line
    assert executed is not None
    source(desktop).edit_copy()
    assert (view.textCursor().blockNumber() + 1, view.textCursor().positionInBlock()) == (executed, 0)
    source(desktop).leaving.leave()
    behind(source(desktop), "float sum = ")
    place = view.textCursor().position()
    source(desktop).edit_copy()
    assert view.editable
    assert view.textCursor().position() == place


def test_the_place_is_kept_when_lines_are_put_before_it(desktop: Desktop, qtbot: QtBot) -> None:
    panel, stage = edit(desktop, qtbot), desktop.workbench.stage
    stage.timeline.scrub(3001)
    before = shown(desktop).place(3001), shown(desktop).site(3001).location.line
    behind(panel, "float sum = 0.0f;")
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert panel.view.textCursor().block().text() == "    "  # as far in as the line before
    qtbot.keyClicks(panel.view, "int unused = 0;")
    qtbot.waitUntil(lambda: "unused" in shown(desktop).subject.text and desktop.workbench.stage_ready, timeout=20_000)
    step = stage.timeline.position.value.step
    assert (shown(desktop).place(step), shown(desktop).site(step).location.line - 1) == before
    assert panel.view.line == before[1] + 1


def test_a_race_shows_when_a_barrier_is_deleted_and_then_its_wrong_values(desktop: Desktop, qtbot: QtBot) -> None:
    panel = edit(desktop, qtbot)
    assert not shown(desktop).record.findings
    behind(panel, "__syncthreads();")
    panel.view.moveCursor(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
    qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: any(finding.kind == "data-race" for finding in shown(desktop).record.findings), timeout=20_000)
    qtbot.waitUntil(lambda: desktop.workbench.playground.remark.value == BY_WARPS, timeout=20_000)
    assert any("data race was found" in row for row in rows(panel))
    assert shown(desktop).trace.mode == "warp"


def test_revert_can_be_undone(desktop: Desktop, qtbot: QtBot) -> None:
    panel = edit(desktop, qtbot)
    original = panel.view.toPlainText()
    qtbot.keyClicks(panel.view, "// mine ")
    assert panel.view.toPlainText() == "// mine " + original
    qtbot.waitUntil(panel.header.revert.isEnabled)
    qtbot.mouseClick(panel.header.revert, Qt.MouseButton.LeftButton)
    assert panel.view.toPlainText() == original
    assert not draft(desktop).changed
    qtbot.keyClick(panel.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert panel.view.toPlainText().startswith("// mine ")
    panel.header.difference.setChecked(True)
    assert "+    1  // mine " in panel._changes.toPlainText()


def test_who_writes_stays_in_place_when_another_editor_saves(desktop: Desktop, qtbot: QtBot) -> None:
    view, editor = edit(desktop, qtbot).view, desktop.session.draft_editor
    cursor, bar = view.textCursor(), view.verticalScrollBar()
    cursor.setPosition(view.document().findBlockByNumber(30).position() + 2)
    view.setTextCursor(cursor)
    bar.setValue(20)
    assert bar.value() == 20
    editor.reload(f"{view.text}// more\n")
    assert (view.textCursor().blockNumber(), view.textCursor().positionInBlock(), bar.value()) == (30, 2, 20)
    editor.reload("// one\n// two")
    assert (view.textCursor().blockNumber(), view.textCursor().positionInBlock()) == (1, 2)
    editor.reload("")
    assert view.textCursor().position() == 0


def test_a_cpu_kernel_says_why_it_is_not_edited(desktop: Desktop, qtbot: QtBot) -> None:
    qtbot.mouseClick(rung(desktop, "cpu.blocked"), Qt.MouseButton.LeftButton)
    panel = source(desktop)
    assert panel.header.edit.isEnabled()
    assert panel.header.edit.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert "CPU kernels cannot be edited" in panel.header.edit.accessibleDescription()
    qtbot.keyClick(panel.header.edit, Qt.Key.Key_Space)
    assert "CPU kernels cannot be edited" in panel._reason.text()
    assert not panel.view.editable


def rung(desktop: Desktop, identifier: str) -> RungButton:
    variant = by_id(identifier)
    return next(iter(rungs(desktop, f"{variant.rung} ")))


def own_rung(desktop: Desktop) -> RungButton:
    return next(iter(own_rungs(desktop)))


def own_rungs(desktop: Desktop) -> list[RungButton]:
    original = by_id("gpu.tiled")
    return rungs(desktop, f"{original.rung}a ")


def rungs(desktop: Desktop, begins: str) -> list[RungButton]:
    return [each for each in desktop.window.findChildren(RungButton) if each.accessibleName().startswith(begins)]


def test_the_draft_is_a_rung_of_its_own_until_it_is_closed(desktop: Desktop, qtbot: QtBot) -> None:
    panel = edit(desktop, qtbot)
    qtbot.keyClicks(panel.view, "// mine ")
    own = own_rung(desktop)
    assert own.isChecked()
    qtbot.mouseClick(rung(desktop, "gpu.naive"), Qt.MouseButton.LeftButton)
    assert "matmul_naive" in panel.view.toPlainText()
    assert not panel.view.editable
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    assert not shown(desktop).subject.text.startswith("// mine")
    qtbot.mouseClick(own_rung(desktop), Qt.MouseButton.LeftButton)
    assert panel.view.toPlainText().startswith("// mine ")
    qtbot.waitUntil(lambda: shown(desktop).subject.text.startswith("// mine"), timeout=20_000)
    qtbot.mouseClick(panel.header.close_draft, Qt.MouseButton.LeftButton)
    assert draft(desktop).changed, "so that it is asked"
    press_offered(panel, "Close without saving", qtbot)
    assert desktop.session.draft.value is None
    assert not any(each.isVisible() for each in own_rungs(desktop))
    assert panel.view.toPlainText() == desktop.session.stage.value.variant.source_text


def press_offered(panel: SourcePanel, text: str, qtbot: QtBot) -> None:
    button = next(each for each in panel.leaving.offer.findChildren(QToolButton) if each.text() == text)
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_escape_leaves_the_editor_and_asks_where_something_was_changed(
    desktop: Desktop, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = edit(desktop, qtbot)
    qtbot.keyClick(panel.view, Qt.Key.Key_Escape)
    assert desktop.session.draft.value is None, "nothing was changed"
    panel = edit(desktop, qtbot)
    qtbot.keyClicks(panel.view, "// mine ")
    qtbot.keyClick(panel.view, Qt.Key.Key_Escape)
    assert panel.leaving.offer.isVisible()
    assert draft(desktop).text.startswith("// mine "), "what was typed last is not lost"
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not panel.leaving.offer.isVisible()
    assert panel.view.hasFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Escape)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "kept.cu"), ""))
    press_offered(panel, "Save", qtbot)
    assert (tmp_path / "kept.cu").read_text(encoding="utf-8").startswith("// mine ")
    assert desktop.session.draft.value is None


def test_a_file_is_opened_its_kernel_chosen_and_saved(
    desktop: Desktop, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, panel = tmp_path / "程序.cu", source(desktop)
    file.write_text(PROGRAM, encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    asked = [str(tmp_path / "mine.cu")]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (asked.pop(), ""))
    qtbot.keyClick(desktop.window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: shown(desktop).trace.kernel == "first" and desktop.workbench.stage_ready, timeout=20_000)
    assert set(panel.form.fields) == {"grid", "block", "shared", "argument p", "argument n"}
    assert panel.form.kernels.isVisible()
    assert panel.form.guess.isVisible()
    assert "Guessed" in panel.form.guess.text()
    inspector = desktop.window.findChild(InspectorPanel)
    assert isinstance(inspector, InspectorPanel)
    assert not any(control.isVisible() for control in inspector.parameters.values())  # they are the catalogue's
    panel.form.kernels.setFocus()
    qtbot.keyClick(panel.form.kernels, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: shown(desktop).trace.kernel == "second" and desktop.workbench.stage_ready, timeout=20_000)
    assert set(panel.form.fields) == {"grid", "block", "shared", "argument q", "argument by"}
    assert panel.form.fields["argument q"].edit.accessibleName() == "q float *"
    assert all(field.visibleRegion().boundingRect() == field.rect() for field in panel.form.fields.values())  # none is cut
    panel.view.setFocus()
    qtbot.keyClicks(panel.view, "// ")
    qtbot.keyClick(panel.view, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert file.read_text(encoding="utf-8") == "// " + PROGRAM
    assert not draft(desktop).changed
    assert asked, "it is the file that was opened"
    qtbot.keyClicks(panel.view, "// ")
    file.write_text(THEIRS, encoding="utf-8")
    qtbot.keyClick(panel.view, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert file.read_text(encoding="utf-8") == THEIRS, "what another editor has made of it is not written over"
    assert (tmp_path / "mine.cu").read_text(encoding="utf-8") == "// // " + PROGRAM


def test_the_next_file_is_looked_for_where_the_last_one_lies(
    desktop: Desktop, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, folders = source(desktop), []
    file = tmp_path / "own.cu"
    file.write_text(PROGRAM, encoding="utf-8")

    def chosen(_owner: object, _title: str, folder: str, _kinds: str) -> tuple[str, str]:
        folders.append(folder)
        return str(file), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", chosen)
    panel.files.ask_and_open()
    panel.leaving.leave()
    panel.files.ask_and_open()
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    assert folders == [str(documents if documents.is_dir() else documents.parent), str(tmp_path)]


def test_a_dialog_begins_in_a_folder_that_is_there(tmp_path: Path, desktop: Desktop) -> None:
    editor = desktop.session.draft_editor
    for gone in (tmp_path / "gone", tmp_path / "gone" / "deeper"):
        editor.folder.value = str(gone)
        assert (editor.begin, editor.beside("a.cu")) == (str(tmp_path), str(tmp_path / "a.cu"))


def test_no_button_gets_the_focus_of_a_field_that_goes(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    """Space would open the menu instead of playing."""
    panel = source(desktop)
    for name in ("first", "second"):
        file = tmp_path / f"{name}.cu"
        file.write_text(f"__global__ void {name}(int* p, int {name}_n) {{ p[{name}_n] = 1; }}", encoding="utf-8")
        assert desktop.session.draft_editor.open_file(file) is None
        qtbot.waitUntil(lambda: bool(draft(desktop).kernels), timeout=20_000)
        if name == "first":
            panel.form.go_to("argument first_n")
            assert desktop.window.focusWidget() is panel.form.fields["argument first_n"].edit
    assert desktop.window.focusWidget() is None


def test_who_keeps_their_text_goes_on_writing_it(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    panel, file = source(desktop), tmp_path / "own.cu"
    file.write_text(PROGRAM, encoding="utf-8")
    assert desktop.session.draft_editor.open_file(file) is None
    qtbot.waitUntil(lambda: panel.view.editable)
    qtbot.keyClicks(panel.view, "// mine ")
    panel.flush()
    file.write_text(THEIRS, encoding="utf-8")
    qtbot.waitUntil(lambda: not panel.file_offer.isHidden(), timeout=20_000)
    keep = next(each for each in panel.file_offer.findChildren(QToolButton) if each.text() == "Keep mine")
    keep.setFocus()
    qtbot.mouseClick(keep, Qt.MouseButton.LeftButton)
    assert panel.file_offer.isHidden()
    assert desktop.window.focusWidget() is panel.view


def test_tab_writes_over_nothing(desktop: Desktop, qtbot: QtBot) -> None:
    view = edit(desktop, qtbot).view
    before = view.text
    view.setTextCursor(view.document().find("__global__"))
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert view.text == before.replace('extern "C" __global__', '    extern "C" __global__', 1)


def test_a_wrong_field_keeps_the_last_good_launch_and_says_why(desktop: Desktop, qtbot: QtBot) -> None:
    panel = edit(desktop, qtbot)
    field, before = panel.form.fields["block"], draft(desktop).settings
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "64, 64")
    qtbot.waitUntil(lambda: "4096 threads a block" in field.reason.text())
    assert draft(desktop).settings == before
    assert field.edit.accessibleDescription() == "64 × 64 × 1 = 4096 threads a block; a GPU allows 1024."
    qtbot.keyClick(field.edit, Qt.Key.Key_Escape)
    assert field.edit.text() == "16, 16"
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "8, 8")
    qtbot.waitUntil(lambda: draft(desktop).settings.block == (8, 8, 1))
    qtbot.waitUntil(lambda: shown(desktop).trace.block == (8, 8, 1), timeout=20_000)


def test_a_refused_entry_stays_in_sight_with_its_reason_until_it_is_mended(desktop: Desktop, qtbot: QtBot) -> None:
    panel = edit(desktop, qtbot)
    block, grid = panel.form.fields["block"], panel.form.fields["grid"]
    block.edit.setFocus()
    assert not block.may_be.isHidden()
    assert "at most 1024" in block.may_be.text()
    block.edit.selectAll()
    qtbot.keyClicks(block.edit, "64, 64")
    grid.edit.setFocus()  # leaves the field
    assert (block.edit.text(), block.reason.isHidden(), block.may_be.isHidden()) == ("64, 64", False, True)
    grid.edit.selectAll()
    qtbot.keyClicks(grid.edit, "2, 2")
    qtbot.keyClick(grid.edit, Qt.Key.Key_Return)
    assert draft(desktop).settings.grid == (2, 2, 1)
    assert (block.edit.text(), block.reason.isHidden()) == ("64, 64", False)  # another field's change does not wipe it
    qtbot.keyClick(block.edit, Qt.Key.Key_Escape)
    assert (block.edit.text(), block.reason.isHidden()) == ("16, 16", True)


def test_a_guess_is_marked_and_one_press_leads_to_its_field(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    file, panel = tmp_path / "add.cu", source(desktop)
    file.write_text("__global__ void add(const float* a, float* c, int n) { if (threadIdx.x < n) c[threadIdx.x] = a[threadIdx.x]; }\n")
    assert desktop.session.draft_editor.open_file(file) is None
    qtbot.waitUntil(lambda: shown(desktop).trace.kernel == "add" and desktop.workbench.stage_ready, timeout=20_000)
    panel.form.fold.setChecked(False)
    assert not panel.form.change.isHidden()
    qtbot.mouseClick(panel.form.change, Qt.MouseButton.LeftButton)
    first = next(iter(panel.form.fields.values()))
    assert panel.form.fold.isChecked()
    assert (first.edit.hasFocus(), first.edit.accessibleName(), first.edit.hasSelectedText()) == (True, "n int", True)
    qtbot.keyClicks(first.edit, "16")
    qtbot.waitUntil(lambda: draft(desktop).settings.arguments.get("n") == "16")


def test_what_was_typed_outlives_a_change_of_language_and_is_told_in_it(desktop: Desktop, qtbot: QtBot) -> None:
    panel = edit(desktop, qtbot)
    behind(panel, "* Bs")
    qtbot.keyClicks(panel.view, "C")
    desktop.choose_language("zh_CN")  # before the keys have rested
    panel = source(desktop)
    assert "BsC[k][tx]" in panel.view.toPlainText()
    qtbot.waitUntil(lambda: any("未知的名称 BsC" in row for row in rows(panel)), timeout=20_000)


def test_without_a_gpu_the_key_says_why_nothing_runs(desktop: Desktop, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: desktop.workbench.settled, timeout=20_000)
    panel = edit(desktop, qtbot)
    if any(status.ready for device, status in desktop.workbench.devices.value.items() if device == "gpu"):
        pytest.skip("there is a GPU")
    qtbot.keyClick(panel.view, Qt.Key.Key_F9)
    assert any("timing needs a GPU" in row for row in rows(panel))


def test_a_text_that_was_left_is_offered_at_the_next_start(qtbot: QtBot, tmp_path: Path) -> None:
    first = opened(qtbot, home=tmp_path)
    panel = edit(first, qtbot)
    qtbot.keyClicks(panel.view, "// left ")
    panel.flush()
    first.window.close()
    first.window.deleteLater()
    folder = tmp_path / "data" / "drafts"
    (folder / f"{os.getpid()}.json").rename(folder / "999999999.json")
    second = opened(qtbot, home=tmp_path)
    second.welcome()
    panel = source(second)
    qtbot.waitUntil(panel.offer.isVisible)
    second.workbench.draft_backup.accept()
    assert panel.view.toPlainText().startswith("// left ")
    assert not panel.offer.isVisible()
    second.window.close()
    second.window.deleteLater()


def test_a_strangers_vectors_are_no_matrices_in_the_heading_nor_in_colours(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    file, panel = tmp_path / "add.cu", source(desktop)
    text = "__global__ void add(const float* A, float* C, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) C[i] = A[i]; }"
    file.write_text(f"{text}\nvoid run() {{ add<<<2, 32>>>(a, c, 64); }}\n", encoding="utf-8")
    assert desktop.session.draft_editor.open_file(file) is None
    qtbot.waitUntil(lambda: shown(desktop).trace.kernel == "add" and desktop.workbench.stage_ready, timeout=20_000)
    assert shown(desktop).trace.grid == (2, 1, 1)
    assert panel.form.guess.text().endswith("A, C. Enter what you want.")
    frame = next(frame for frame in desktop.window.findChildren(ViewFrame) if isinstance(frame.view, MatricesView))
    assert frame.heading == "Arrays"
    assert dict(panel.view.letters) == {}
    qtbot.mouseClick(rung(desktop, "gpu.naive"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: frame.heading == "Matrices", timeout=20_000)
    assert panel.view.letters["A"] == "A"


def test_findings_are_in_sight_and_a_press_goes_to_the_next(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    file, panel = tmp_path / "add.cu", source(desktop)
    text = "__global__ void add(const float* A, float* C, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; C[i] = A[i + n]; }"
    file.write_text(f"{text}\nvoid run() {{ add<<<2, 32>>>(a, c, 980); }}\n", encoding="utf-8")
    card = desktop.window.findChild(StepCard)
    assert isinstance(card, StepCard)
    assert card.fault.isHidden()
    assert desktop.session.draft_editor.open_file(file) is None
    qtbot.waitUntil(lambda: shown(desktop).trace.kernel == "add" and desktop.workbench.stage_ready, timeout=20_000)
    assert panel.header.findings.text() == "1 finding"
    assert "Out of bounds: " in card.fault.text()
    assert "The launch was guessed" in card.fault.text()
    timeline = desktop.workbench.stage.timeline
    timeline.scrub(0)
    assert not card.fault.isHidden()  # at every step, as long as it is so
    qtbot.mouseClick(panel.header.findings, Qt.MouseButton.LeftButton)
    step = timeline.position.value.step
    assert step > 0
    overview = desktop.window.findChildren(GpuTimelineOverview)[0]
    timeline.scrub(0)
    mark = QPoint(round(overview.x_of(step + 0.5)) + 3, 10)  # beside it, not on it
    assert overview.finding_at(QPointF(mark)) == step
    qtbot.mouseClick(overview, Qt.MouseButton.LeftButton, pos=mark)
    assert timeline.position.value.step == step
    picture = overview.grab().toImage()
    assert picture.pixelColor(round(overview.x_of(step + 0.5)), 14) == overview._look.theme.bad
    timeline.scrub(0)
    qtbot.mouseClick(card.fault, Qt.MouseButton.LeftButton)
    assert timeline.position.value.step == step
    assert panel.form.fields["argument n"].edit.text() == "980"
    for name in ("A", "C"):
        assert desktop.session.draft_editor.set_argument(name, "2000:random") is None
    qtbot.waitUntil(lambda: card.fault.isHidden(), timeout=20_000)
    assert panel.header.findings.isHidden()
