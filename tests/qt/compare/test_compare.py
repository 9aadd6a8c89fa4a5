"""Two launches side by side in the window, as a user compares them: keys, rungs, sliders, the pointer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from app.core.compare.comparison import ONLY_LAUNCHES
from app.core.compare.pairing import Pair
from app.core.compare.sentences import brief_name_of_side, report_of
from app.core.frames.views import View
from app.core.gpu_view.selection import Selection
from app.core.inspector.finding_rows import finding_rows
from app.core.lesson_metrics.metric import Source
from app.core.stage.model import GpuPicture
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.compare.bar import CompareBar, CompareRefusal
from app.qt.compare.column import CompareColumn
from app.qt.compare.stage import CompareStage
from app.qt.gpu_view.gpu_stage import GpuStage
from app.qt.gpu_view.shared_view import SharedView
from app.qt.inspector.tile_row import TileRow
from app.qt.lessons.feature import LessonsFeature
from app.qt.shell.application import Desktop
from app.qt.source.panel import SourcePanel
from kernels.base.spec import Operation
from kernels.catalogue import catalogue
from kernels.catalogue.catalogue import by_id
from tests.screens.features import feature

WIDE, NARROW = (1920, 1080), (1280, 720)


def opened(qtbot: QtBot, size: tuple[int, int], language: str = "en") -> Desktop:
    desktop = Desktop(WindowArguments(language, "light", "gpu.transpose-shared", size), None, Settings(None))
    desktop.session.set_stage_parameter("tile", 32)
    desktop.start()
    wait(desktop, qtbot)
    desktop.workbench.stage.timeline.scrub(74.25)
    return desktop


def wait(desktop: Desktop, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)


def closed(desktop: Desktop) -> None:
    desktop.window.close()
    desktop.window.deleteLater()


def view(desktop: Desktop) -> View:
    return desktop.workbench.comparison.view.value


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    made = opened(qtbot, WIDE)
    yield made
    closed(made)


@pytest.fixture(params=["en", "zh_CN"])
def narrow(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[Desktop]:
    made = opened(qtbot, NARROW, request.param)
    yield made
    closed(made)


@pytest.fixture
def compared(desktop: Desktop, qtbot: QtBot) -> Desktop:
    """The transposition with conflicts pinned with P, the padded one chosen."""
    qtbot.keyClick(desktop.window, Qt.Key.Key_P)
    choose(desktop, qtbot, "gpu.transpose-padded")
    return desktop


def choose(desktop: Desktop, qtbot: QtBot, identifier: str) -> None:
    variant = catalogue.by_id(identifier)
    desktop.session.choose_variant(variant)
    wait(desktop, qtbot)


def fits(column: CompareColumn) -> bool:
    return column.verdict.width() >= column.verdict.sizeHint().width()


def stage_of(desktop: Desktop) -> CompareStage:
    found = desktop.window.findChild(CompareStage)
    assert found is not None
    return found


def pair_of(desktop: Desktop) -> Pair:
    pair = desktop.workbench.comparison.pair.value
    assert pair is not None
    return pair


def shown(column: CompareColumn) -> GpuPicture:
    picture = column.view.picture
    assert picture is not None
    return picture


def rung_named(variant_id: str, tile: int) -> str:
    """What a column is called: the rung's number, its title, the setting."""
    variant = by_id(variant_id)
    return f"{variant.rung} {variant.title}, tile {tile}"


def test_nothing_is_shown_where_nothing_is_compared(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    stage, told = stage_of(desktop), list[object]()
    monkeypatch.setattr(stage.right.view, "show_picture", told.append)
    desktop.workbench.stage.timeline.play()
    for _ in range(60):
        desktop.workbench.stage.timeline.advance(1 / 60)
    desktop.workbench.stage.timeline.pause()
    assert told == []


def test_a_step_is_shown_once_on_each_side_though_both_tell_of_it(compared: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    stage, told = stage_of(compared), list[CompareColumn]()
    for column in (stage.left, stage.right):
        monkeypatch.setattr(column, "show_picture", lambda *_pictures, column=column: told.append(column))
    compared.workbench.stage.timeline.scrub(3.5)
    assert told == [stage.left, stage.right]


def test_p_puts_the_pinned_launch_left_and_the_chosen_one_right(compared: Desktop) -> None:
    stage = stage_of(compared)
    assert stage.isVisible()
    shown = [column.name.text() for column in (stage.left, stage.right)]
    assert shown == [rung_named("gpu.transpose-shared", 32), rung_named("gpu.transpose-padded", 32)]
    assert isinstance(stage.left.view, SharedView)
    assert view(compared) == View.SHARED_MEMORY
    assert [column.verdict.text for column in (stage.left, stage.right)] == ["▲ 32-way conflict", "✓ no conflict"]
    assert [column.lines[0].text for column in (stage.left, stage.right)] == [
        "__shared__ float tile[32][32];", "__shared__ float tile[32][32 + 1];",
    ]  # fmt: skip
    line = stage.right.lines[0]
    assert [line.text[first:last] for first, last in line._spans] == [" + 1"]


@pytest.mark.parametrize("opened", [False, True], ids=["settings closed", "settings opened"])
def test_the_tile_of_the_right_side_is_stepped_by_keys_and_a_refusal_is_said_in_sight(opened: bool, desktop: Desktop, qtbot: QtBot) -> None:
    """Opened settings are those of the right side, and have its tile."""
    desktop.window._stage.settings.setChecked(opened)
    qtbot.keyClick(desktop.window, Qt.Key.Key_P)
    choose(desktop, qtbot, "gpu.transpose-padded")
    left, row = pair_of(desktop).left, next(each for each in stage_of(desktop).findChildren(TileRow))
    assert row.isVisible() is not opened
    before = desktop.session.stage.value.parameters["tile"]
    qtbot.keyClick(desktop.window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    wait(desktop, qtbot)
    assert desktop.session.stage.value.parameters["tile"] < before
    assert pair_of(desktop).left is left
    for _ in range(5):
        qtbot.keyClick(desktop.window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    where = desktop.window._stage.inspector if opened else row
    said = [each.text() for each in where.findChildren(QLabel) if each.isVisible()]
    assert any(text.startswith("✕ ") for text in said), said


def test_a_rung_without_a_tile_says_so_when_its_keys_are_pressed(desktop: Desktop, qtbot: QtBot) -> None:
    choose(desktop, qtbot, "gpu.hello")
    qtbot.keyClick(desktop.window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert str(desktop.workbench.activity.value).endswith(" has no tile size.")


def test_source_and_single_views_give_way_and_come_back(compared: Desktop, qtbot: QtBot) -> None:
    source, single = compared.window.findChild(SourcePanel), compared.window.findChild(GpuStage)
    assert source is not None
    assert single is not None
    assert (source.isVisible(), single.isVisible()) == (False, False)
    qtbot.keyClick(compared.window, Qt.Key.Key_Escape)
    assert (source.isVisible(), single.isVisible(), stage_of(compared).isVisible()) == (True, True, False)
    picture = single.frames[0].view.picture
    assert picture is not None
    assert picture.variant_id == "gpu.transpose-padded"
    assert picture.frame.step == compared.workbench.stage.timeline.position.value.step


def test_both_sides_tell_readers_of_the_screen_their_verdict(compared: Desktop, qtbot: QtBot) -> None:
    stage = stage_of(compared)
    qtbot.waitUntil(lambda: "32-way conflict" in stage.left.view.accessibleName())
    qtbot.waitUntil(lambda: "no conflict" in stage.right.view.accessibleName())
    assert stage.left.accessibleName() == rung_named("gpu.transpose-shared", 32)


def test_p_again_leaves(compared: Desktop, qtbot: QtBot) -> None:
    qtbot.keyClick(compared.window, Qt.Key.Key_P)
    assert compared.workbench.comparison.pinned.value is None
    assert not stage_of(compared).isVisible()


def test_both_sides_step_together(compared: Desktop, qtbot: QtBot) -> None:
    stage, pair = stage_of(compared), pair_of(compared)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End):
        qtbot.keyClick(compared.window, key)
        right, left = shown(stage.right), shown(stage.left)
        assert right.frame.step == compared.workbench.stage.timeline.position.value.step
        assert (left.frame.step, left.frame.fraction) == pair.left_of(right.frame.step, right.frame.fraction)


def test_the_cells_of_both_sides_are_of_one_size(compared: Desktop) -> None:
    stage = stage_of(compared)
    views = stage.left.view, stage.right.view
    assert all(isinstance(view, SharedView) for view in views)
    left, right = (view.place(shown(column)) for view, column in zip(views, (stage.left, stage.right), strict=True))  # type: ignore[attr-defined]
    assert (left.row, left.column, left.bank_line) == (right.row, right.column, right.bank_line)
    assert [sum(part.rows for part, _, _ in each.tops) for each in (left, right)] == [32, 33]


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_bank_picked_on_one_side_lights_up_on_both(compared: Desktop, qtbot: QtBot, side: str) -> None:
    stage = stage_of(compared)
    column: CompareColumn = getattr(stage, side)
    view = column.view
    assert isinstance(view, SharedView)
    place = view.place(shown(column))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(place.middle(9)), round(place.bank_line) + 6))
    for each in (stage.left, stage.right):
        assert each.view.model.pinned.value == Selection(bank=9)
        assert shown(each).highlight.banks >= {9}


def test_numbers_choose_the_view_of_both_sides(compared: Desktop, qtbot: QtBot) -> None:
    stage = stage_of(compared)
    for number in range(1, 5):
        qtbot.keyClick(compared.window, Qt.Key(Qt.Key.Key_0 + number))
        assert view(compared) == number
        assert type(stage.left.view) is type(stage.right.view)
        assert stage.left.view.isVisible()
        assert stage.right.view.isVisible()
        assert shown(stage.left).index is pair_of(compared).left


def test_a_view_of_what_neither_launch_executed_is_refused(compared: Desktop, qtbot: QtBot) -> None:
    before = view(compared)
    qtbot.keyClick(compared.window, Qt.Key.Key_9)
    assert str(compared.workbench.activity.value) == "Neither launch executed anything that Clusters shows."
    assert view(compared) is before


def test_a_view_that_is_chosen_is_described_at_once(compared: Desktop, qtbot: QtBot) -> None:
    stage = stage_of(compared)
    qtbot.waitUntil(lambda: bool(stage.right.view.accessibleDescription()))
    qtbot.keyClick(compared.window, Qt.Key.Key_4)
    for column in (stage.left, stage.right):
        assert column.view.accessibleDescription() == str(shown(column).description.sentence)


@pytest.mark.parametrize("number", [1, 3])
def test_tab_comes_to_the_choice_of_the_view_before_the_views(compared: Desktop, qtbot: QtBot, number: int) -> None:
    bar, stage = compared.window._stage.compare, stage_of(compared)
    qtbot.keyClick(compared.window, Qt.Key(Qt.Key.Key_0 + number))
    bar.views.buttons[number - 1].setFocus()
    met = [QApplication.focusWidget()]
    while met[-1] is not stage.right.view:
        assert len(met) < 9, met
        qtbot.keyClick(met[-1], Qt.Key.Key_Tab)
        met.append(QApplication.focusWidget())
    assert met == [bar.views.buttons[number - 1], bar.button, compared.window._stage.settings, stage.left.view, stage.right.view]


def test_buttons_do_the_same_as_the_keys(desktop: Desktop, qtbot: QtBot) -> None:
    bar = desktop.window.findChild(CompareBar)
    assert bar is not None
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    assert pair_of(desktop).same
    assert view(desktop) == View.MATRICES
    buttons = bar.views.findChildren(QToolButton)
    qtbot.mouseClick(buttons[View.GLOBAL_MEMORY - 1], Qt.MouseButton.LeftButton)
    assert view(desktop) == View.GLOBAL_MEMORY
    styles = []
    wide = bar.sizeHint().width()
    for width in (wide, wide - 40, bar.minimumSizeHint().width()):  # views have numbers before the way back loses its words
        bar.resize(width, bar.height())
        styles.append((bar.button.toolButtonStyle(), any(each.text().isdigit() for each in buttons if not each.isHidden())))
    beside, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
    assert styles == [(beside, False), (beside, True), (alone, True)]
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    assert desktop.workbench.comparison.pair.value is None
    assert not bar.views.isVisible()


def test_the_strip_says_what_differs(compared: Desktop) -> None:
    strip = stage_of(compared).strip
    rows = {str(row.title): str(row.written) for row in strip.shown}
    assert rows["Shared wavefronts"] == "4224 → 256"
    assert strip.headline.text() == "16.5 times fewer shared wavefronts on the right"
    assert "Sectors, 32 B: 1024 → 1024. As many global sectors" in strip.accessibleDescription().splitlines()


def test_the_number_that_the_headline_is_of_is_shown_before_larger_changes(compared: Desktop) -> None:
    strip = stage_of(compared).strip
    found = report_of(compared.workbench.comparison, compared.workbench.timing.results)
    assert found is not None
    smallest = min(found.rows, key=lambda row: row.weight)
    strip.resize(560, strip.height())
    strip.show_report(replace(found, main=smallest))
    assert 0 < len(strip.shown) < len(found.rows)
    assert smallest in strip.shown


def test_each_side_says_where_it_is_and_the_strip_what_its_numbers_are_of(compared: Desktop) -> None:
    stage = stage_of(compared)
    for column in (stage.left, stage.right):
        frame = shown(column).frame
        assert column.place.isVisible()
        assert column.place.text() == f"{shown(column).description.title}, step {frame.step + 1} of {frame.steps}"
    assert stage.strip.conditions.isVisible()
    assert stage.strip.conditions.text().startswith("Whole launch at 64 × 64, as written: 4 blocks of 32 × 32.")


def test_one_kernel_with_two_settings(desktop: Desktop, qtbot: QtBot) -> None:
    qtbot.keyClick(desktop.window, Qt.Key.Key_P)
    qtbot.keyClick(desktop.window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    wait(desktop, qtbot)
    stage = stage_of(desktop)
    names = [column.name.text() for column in (stage.left, stage.right)]
    assert names == [rung_named("gpu.transpose-shared", 32), rung_named("gpu.transpose-shared", 16)]
    assert pair_of(desktop).right.subject.parameters["tile"] == 16
    assert shown(stage.left).frame.phase == shown(stage.right).frame.phase


def test_where_names_have_no_room_the_setting_that_differs_is_read_all_the_same(desktop: Desktop, qtbot: QtBot) -> None:
    choose(desktop, qtbot, "gpu.transpose-padded")
    qtbot.keyClick(desktop.window, Qt.Key.Key_P)
    desktop.session.set_stage_parameter("padding", 4)
    wait(desktop, qtbot)
    stage = stage_of(desktop)
    metrics = QFontMetricsF(stage.left.name.font())
    for column, setting in ((stage.left, "padding 1"), (stage.right, "padding 4")):
        name = column.name
        assert setting in name.text()
        brief = f"{by_id('gpu.transpose-padded').rung}, {setting}"
        name.resize(int(metrics.horizontalAdvance(brief)) + 2, name.height())
        assert name._fitting() == brief
        assert name.needed <= name.width()
    assert brief_name_of_side(pair_of(desktop).left, pair_of(desktop).left) is None


def test_a_cpu_kernel_says_why_it_is_not_compared(desktop: Desktop, qtbot: QtBot) -> None:
    choose(desktop, qtbot, "cpu.transpose-naive")
    bar = desktop.window.findChild(CompareBar)
    assert bar is not None
    assert (bar.button.toolTip(), bar.button.isEnabled()) == (str(ONLY_LAUNCHES), False)
    qtbot.keyClick(desktop.window, Qt.Key.Key_P)
    said = [desktop.workbench.activity.value]
    assert desktop.workbench.comparison.pinned.value is None
    choose(desktop, qtbot, "gpu.transpose-shared")
    assert [*said, desktop.workbench.activity.value] == [ONLY_LAUNCHES, None], "it is no longer true"
    assert bar.button.isEnabled()
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    choose(desktop, qtbot, "cpu.transpose-naive")
    assert bar.button.isEnabled(), "it leads back to one launch"


def test_a_kernel_that_cannot_be_compared_is_shown_alone_until_one_can(compared: Desktop, qtbot: QtBot) -> None:
    compared.session.choose_operation(Operation.MATMUL)
    wait(compared, qtbot)
    assert compared.workbench.comparison.pair.value is None
    assert not stage_of(compared).isVisible()
    choose(compared, qtbot, "gpu.transpose-swizzled")
    assert stage_of(compared).isVisible()
    assert stage_of(compared).left.name.text() == rung_named("gpu.transpose-shared", 32)


def test_what_is_compared_outlasts_another_look(compared: Desktop, qtbot: QtBot) -> None:
    qtbot.keyClick(compared.window, Qt.Key.Key_4)
    compared.choose_theme("dark")
    compared.choose_language("zh_CN")
    stage = compared.window.findChildren(CompareStage)[-1]
    qtbot.waitUntil(stage.isVisible)
    assert view(compared) == View.GLOBAL_MEMORY
    assert shown(stage.left).variant_id == "gpu.transpose-shared"
    assert stage.right.view.isVisible()


def test_in_the_narrow_window_nothing_is_cut(narrow: Desktop, qtbot: QtBot) -> None:
    desktop = narrow
    qtbot.keyClick(desktop.window, Qt.Key.Key_P)
    choose(desktop, qtbot, "gpu.transpose-padded")
    stage = stage_of(desktop)
    qtbot.waitUntil(stage.isVisible)
    for column in (stage.left, stage.right):
        assert isinstance(column.view, SharedView)
        place = column.view.place(shown(column))
        assert place.numbered
        assert place.words.bottom() <= column.view.height()
        qtbot.waitUntil(partial(fits, column))
    bar = desktop.window.findChild(CompareBar)
    assert bar is not None
    buttons = [button for button in bar.findChildren(QToolButton) if button.isVisible()]
    assert all(button.width() >= button.sizeHint().width() for button in buttons)
    assert len(stage.strip.shown) >= 3


@pytest.mark.parametrize("variants", [("gpu.transpose-shared", "gpu.transpose-padded"), ("gpu.mma-bf16", "gpu.mma-swizzled-bf16")])
def test_beside_a_lesson_no_view_is_cut(narrow: Desktop, qtbot: QtBot, variants: tuple[str, str]) -> None:
    desktop = narrow
    choose(desktop, qtbot, variants[0])
    qtbot.keyClick(desktop.window, Qt.Key.Key_P)
    choose(desktop, qtbot, variants[1])
    qtbot.waitUntil(stage_of(desktop).isVisible)
    feature(desktop, LessonsFeature).toggle()
    desktop.process_events()
    again = desktop.window.centralWidget()
    assert again is not None
    beside = again.findChild(CompareBar)
    assert beside is not None
    desktop.process_events()
    buttons = [button for button in beside.findChildren(QToolButton) if button.isVisible()]
    assert [button.accessibleName() for button in buttons if button.visibleRegion().boundingRect() != button.rect()] == []
    assert [
        (button.text(), button.width(), button.sizeHint().width()) for button in buttons if button.width() < button.sizeHint().width()
    ] == []
    assert len([button for button in buttons if not button.text().isdigit()]) >= 2, "the chosen view has its name"


TRANSPOSED = """__global__ void turn(const float* p, float* q, int rows, int columns)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < columns && y < rows) q[x * rows + y] = p[y * columns + x];
}
void run() { turn<<<dim3(2, 2), dim3(16, 16)>>>(p, q, 32, 32); }
"""
VECTORS = "__global__ void add(const float* a, float* c) { c[threadIdx.x] += a[threadIdx.x]; }\nvoid run() { add<<<1, 64>>>(a, c); }\n"


def open_text(desktop: Desktop, qtbot: QtBot, file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    assert desktop.session.draft_editor.open_file(file) is None
    qtbot.waitUntil(lambda: _kernel(desktop) == file.stem and desktop.workbench.stage_ready, timeout=20_000)


def _kernel(desktop: Desktop) -> str | None:
    picture = desktop.workbench.stage.picture.value
    return picture.index.trace.kernel if isinstance(picture, GpuPicture) else None


def test_a_strangers_kernel_is_compared_with_one_that_does_the_same_which_is_offered(
    desktop: Desktop, qtbot: QtBot, tmp_path: Path
) -> None:
    open_text(desktop, qtbot, tmp_path / "turn.cu", TRANSPOSED)
    qtbot.keyClick(desktop.window, Qt.Key.Key_P)
    product = by_id("gpu.naive")
    desktop.session.choose_variant(product)
    wait(desktop, qtbot)
    (refusal,) = desktop.window.findChildren(CompareRefusal)
    assert refusal.isVisible()
    assert "different matrices" in refusal.said.text()
    assert refusal.offered.text().endswith("at n = 32")
    qtbot.mouseClick(refusal.offered, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: desktop.workbench.comparison.pair.value is not None and desktop.workbench.stage_ready, timeout=20_000)
    pair = desktop.workbench.comparison.pair.value
    assert pair is not None
    assert (pair.left.subject.entry, pair.right.subject.variant_id) == ("turn", "gpu.transpose-shared")
    assert desktop.session.stage.value.problem.n == 32
    assert not refusal.isVisible()


def test_a_kernel_without_matrices_says_that_nothing_of_the_ladder_does_the_same(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    open_text(desktop, qtbot, tmp_path / "add.cu", VECTORS)
    qtbot.keyClick(desktop.window, Qt.Key.Key_P)
    product = by_id("gpu.naive")
    desktop.session.choose_variant(product)
    wait(desktop, qtbot)
    (refusal,) = desktop.window.findChildren(CompareRefusal)
    assert refusal.said.text().startswith("add is neither a product nor a transposition")
    assert refusal.offered.isHidden()
    qtbot.mouseClick(refusal.back, Qt.MouseButton.LeftButton)
    assert not refusal.isVisible()


def test_a_presentation_names_the_text_that_is_on_the_stage_and_its_kernel(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    assert str(desktop.workbench.stage_name).endswith("Shared memory")
    open_text(desktop, qtbot, tmp_path / "add.cu", VECTORS)
    assert str(desktop.workbench.stage_name) == "add in add.cu"


def test_escape_ends_a_comparison_that_is_refused_too(compared: Desktop, qtbot: QtBot) -> None:
    choose(compared, qtbot, "cpu.naive")
    assert compared.workbench.comparison.refusal is not None
    compared.workbench.stage.alone.value = 1
    qtbot.keyClick(compared.window, Qt.Key.Key_Escape)
    assert compared.workbench.stage.alone.value == 0
    assert compared.workbench.comparison.pins()
    qtbot.keyClick(compared.window, Qt.Key.Key_Escape)
    assert not compared.workbench.comparison.pins()


RACING = """#define T 16
__global__ void racy(const float* A, const float* B, float* C, int N) {
    __shared__ float As[T][T], Bs[T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    for (int t = 0; t < N / T; ++t) {
        As[y][x] = A[row * N + t * T + x];
        Bs[y][x] = B[(t * T + y) * N + col];
        for (int k = 0; k < T; ++k) sum += As[y][k] * Bs[k][x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
"""


@pytest.fixture(params=["en", "zh_CN"])
def racing(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    """A rung pinned, and a file with a race opened beside it."""
    made = opened(qtbot, NARROW, request.param)
    choose(made, qtbot, "gpu.tiled")
    qtbot.keyClick(made.window, Qt.Key.Key_P)
    path = tmp_path / "racy.cu"
    path.write_text(RACING, encoding="utf-8")
    assert made.session.draft_editor.open_file(path) is None
    wait(made, qtbot)
    qtbot.waitUntil(lambda: pair_of(made).right.subject.name == "racy.cu" and bool(pair_of(made).right.record.findings), timeout=20_000)
    yield made
    closed(made)


def test_what_is_wrong_with_the_launch_on_the_right_is_told_beside_it(racing: Desktop, qtbot: QtBot) -> None:
    stage, look = stage_of(racing), racing.window.findChild(SourcePanel)
    assert look is not None
    assert not look.isVisible()  # where its findings stand else
    rows = finding_rows(pair_of(racing).right)
    assert stage.left.findings.isHidden()
    assert stage.left.note.text() == ""
    assert stage.right.findings.isVisible()
    assert str(len(rows)) in stage.right.findings.text()
    assert stage.right.note.isVisible()
    assert stage.right.note.text().startswith("⚠ ")
    steps = [row.step for row in rows if row.step is not None]
    racing.workbench.stage.timeline.scrub(0)
    for step in steps:
        qtbot.mouseClick(stage.right.findings, Qt.MouseButton.LeftButton)
        assert racing.workbench.stage.timeline.position.value.step == step
        sentence = racing.window._made_look.text(next(row for row in rows if row.step == step).sentence)
        assert stage.right.note.text().endswith(sentence)


def test_the_pinned_launch_tells_what_is_wrong_with_it_too(racing: Desktop, qtbot: QtBot) -> None:
    qtbot.keyClick(racing.window, Qt.Key.Key_P)
    qtbot.keyClick(racing.window, Qt.Key.Key_P)
    choose(racing, qtbot, "gpu.tiled")
    stage = stage_of(racing)
    assert stage.right.findings.isHidden()
    assert stage.left.findings.isVisible()
    qtbot.mouseClick(stage.left.findings, Qt.MouseButton.LeftButton)
    assert racing.workbench.comparison.left.timeline.position.value.step in {row.step for row in finding_rows(pair_of(racing).left)}


def test_findings_that_may_be_the_answer_are_not_told(racing: Desktop) -> None:
    racing.workbench.stage.asking.value = frozenset({Source.LAUNCH})
    stage = stage_of(racing)
    assert stage.right.findings.isHidden()
    assert stage.right.note.text() == ""
    racing.workbench.stage.asking.value = frozenset()
    assert stage.right.findings.isVisible()
