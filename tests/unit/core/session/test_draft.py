"""Drafts: what they begin with, what their launch takes, what is refused and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.core.execution.execute import execute
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import entry_of, subject_of, subject_of_draft
from app.core.session.draft import Draft, LaunchSettings, draft_of, with_kernels
from app.core.session.draft_arguments import default_text, refuse_text
from app.core.session.draft_editor import MOST_FILES
from app.core.session.launch_fields import fields_of
from app.core.session.session import Session, profile_named
from kernels.base.spec import Problem, Variant
from kernels.catalogue import catalogue
from kernels.simt.base.signature import KernelParameter
from kernels.simt.frontend.parse import parse
from kernels.simt.trace.launch_spec import NotTraced
from kernels.simt.trace.trace import Initial

FOREIGN = """struct View { int width; float* elements; };
template <typename T, int N = 4> __global__ void fill(T* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = N; }
__global__ void __launch_bounds__(128) scale(const float* in, float* out, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = by * in[i];
}
__global__ void first(View v) { v.elements[threadIdx.x % v.width] = 1.0f; }
"""


def session_with(variant_id: str) -> Session:
    variant = catalogue.find(variant_id)
    assert variant is not None
    session = Session()
    session.choose_variant(variant)
    return session


def foreign() -> Draft:
    return with_kernels(draft_of(Path("foreign.cu"), FOREIGN), tuple(parse(FOREIGN).kernels))


def parameter(name: str, element: str, pointer: bool = False, size: int = 4) -> KernelParameter:
    return KernelParameter(name, element, pointer, element, size)


@pytest.mark.parametrize("variant", [v for v in catalogue.VARIANTS if v.interpreted], ids=lambda v: v.id)
def test_a_copy_is_executed_as_the_variant_that_it_began_as(variant: Variant) -> None:
    session = session_with(variant.id)
    assert session.draft_editor.edit_copy() is None
    draft = session.draft.value
    assert draft is not None
    assert draft.as_in_the_catalogue
    choice, profile = session.stage.value, session.profile.value
    small = Problem.square(variant.operation, 64 if "results" in variant.defaults else 16)
    session.set_stage_problem(small)
    draft = session.draft.value
    assert draft is not None
    copied = execute(subject_of_draft(draft, profile))
    own = execute(subject_of(variant, small, choice.parameters, profile))
    assert isinstance(copied, LaunchRecord), copied
    assert isinstance(own, LaunchRecord)
    assert copied.counts == own.counts
    assert (copied.order.row == own.order.row).all()
    assert copied.letters == own.letters


def test_a_cpu_kernel_and_a_library_say_why_they_are_not_edited() -> None:
    assert "CPU kernels cannot be edited" in str(session_with("cpu.blocked").draft_editor.edit_copy())
    assert "no text" in str(session_with("gpu.cublas").draft_editor.edit_copy())


def test_the_inspector_moves_the_launch_of_a_copy_until_its_own_form_does() -> None:
    session = session_with("gpu.tiled")
    session.draft_editor.edit_copy()
    session.draft_editor.change_text("edited")
    session.set_stage_parameter("tile", 8)
    draft = session.draft.value
    assert draft is not None
    assert (draft.settings.block, draft.settings.defines, draft.text) == ((8, 8, 1), {"TILE": 8}, "edited")
    assert session.draft_editor.set_block("4,4") is None
    assert session.draft_editor.shown is not None
    assert not session.draft_editor.shown.as_in_the_catalogue


def test_a_draft_is_set_aside_and_taken_up_again() -> None:
    session = session_with("gpu.tiled")
    session.draft_editor.edit_copy()
    session.draft_editor.change_text("edited")
    naive = catalogue.find("gpu.naive")
    assert naive is not None
    session.choose_variant(naive)
    assert not session.draft_editor.on_stage.value
    session.draft_editor.show()
    draft = session.draft_editor.shown
    assert draft is not None
    assert draft.text == "edited"
    assert session.stage.value.variant.id == "gpu.tiled"
    session.draft_editor.revert()
    reverted = session.draft.value
    assert reverted is not None
    assert not reverted.changed
    session.draft_editor.close()
    assert session.draft.value is None
    assert session.stage.value.variant.id == "gpu.tiled"


def test_a_file_that_asks_for_places_along_y_is_launched_with_a_square_block() -> None:
    variant = catalogue.find("gpu.tiled")
    assert variant is not None
    draft = draft_of(Path("mine.cu"), variant.source_text)
    outcome = execute(subject_of_draft(draft, profile_named("h200")))
    assert isinstance(outcome, LaunchRecord | NotTraced)
    known = with_kernels(draft, outcome.kernels)
    assert known.settings.block == (16, 16, 1)
    record = execute(subject_of_draft(known, profile_named("h200")))
    assert isinstance(record, LaunchRecord)
    assert record.findings == ()


def test_the_kernels_of_a_file_are_known_once_it_was_read_and_each_has_a_launch() -> None:
    draft = foreign()
    assert [kernel.name for kernel in draft.kernels] == ["fill", "scale", "first"]
    assert entry_of(draft) == "fill<float, 4>"
    session = Session()
    session.draft_editor.take(draft)
    for name in ("fill", "scale", "first"):
        session.draft_editor.choose_kernel(name)
        assert session.draft_editor.shown is not None
        outcome = execute(subject_of_draft(session.draft_editor.shown, profile_named("h200")))
        assert isinstance(outcome, LaunchRecord), outcome
    session.draft_editor.choose_kernel("scale")
    assert session.draft_editor.shown is not None
    assert session.draft_editor.shown.settings.block == (128, 1, 1)
    assert str(session.draft_editor.set_block("256")) == "256 threads a block; __launch_bounds__ of scale allows 128."


def test_a_kernel_that_was_renamed_is_found_again() -> None:
    draft = replace(foreign(), text=FOREIGN.replace("scale", "stretch"))
    chosen = replace(draft, settings=replace(draft.settings, entry="scale"))
    assert with_kernels(chosen, tuple(parse(chosen.text).kernels)).settings.entry == "fill"
    only = "__global__ void one(int* p) { *p = 1; }"
    assert with_kernels(draft_of(Path("one.cu"), only), tuple(parse(only).kernels)).settings.entry == "one"


def test_defaults_follow_types_and_no_names() -> None:
    assert default_text(parameter("p", "float", pointer=True)) == "1024:random"
    assert {default_text(parameter(name, "int")) for name in ("n", "width", "K", "A.height", "flag")} == {"1"}
    assert default_text(parameter("a", "float")) == "2"
    assert default_text(parameter("b", "bool", size=1)) == "true"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("64x64:random", None), ("64×64", None), ("1024:arange", None), ("６４", None), ("@a.npy", None),
        ("many", "COUNT or ROWSxCOLUMNS"), ("64x", "not “64x”"), ("64x64:ones", "zeros|random|arange"), ("", "COUNT"),
        ("99999x99999", "MiB are allowed"), ("0", "no elements"), ("1024:", "COUNT"),
    ],
)  # fmt: skip
def test_an_array_is_a_count_or_a_shape(text: str, reason: str | None) -> None:
    refused = refuse_text(parameter("data", "float", pointer=True), text)
    assert (refused is None) if reason is None else reason in str(refused)
    assert refused is None or str(refused).startswith("data ")


@pytest.mark.parametrize(
    ("element", "text", "reason"),
    [
        ("int", "7", None), ("int", "1.5", "whole number"), ("int", "", "whole number"), ("int", "3000000000", "is from"),
        ("unsigned int", "-1", "is from 0"), ("float", "1e-3", None), ("float", "soon", "is a number"), ("bool", "maybe", "true or false"),
        ("Real", "1.5", None), ("Real", "", "needs a value"),
    ],
)  # fmt: skip
def test_a_number_is_of_the_type_that_is_written(element: str, text: str, reason: str | None) -> None:
    refused = refuse_text(parameter("x", element, size=1 if element == "bool" else 4), text)
    assert (refused is None) if reason is None else reason in str(refused)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda draft_editor: draft_editor.set_grid("0"), "Grid must be at least 1"),
        (lambda draft_editor: draft_editor.set_grid("1,70000"), "from 1 to 65535 blocks along y"),
        (lambda draft_editor: draft_editor.set_block("64x64"), "4096 threads a block"),
        (lambda draft_editor: draft_editor.set_block("a"), "Block: 'a' is not a whole number."),
        (lambda draft_editor: draft_editor.set_block("1,2,3,4"), "more than three"),
        (lambda draft_editor: draft_editor.set_shared("-1"), "Dynamic shared memory must be at least 0"),
        (lambda draft_editor: draft_editor.set_shared("999999"), "at most 232448"),
        (lambda draft_editor: draft_editor.set_argument("M", "x"), "M (int)"),
        (lambda draft_editor: draft_editor.set_argument("Z", "1"), "no parameter Z"),
        (lambda draft_editor: draft_editor.set_template(" "), "between < and >"),
    ],
)  # fmt: skip
def test_a_wrong_field_says_why_and_changes_nothing(change: object, reason: str) -> None:
    session = session_with("gpu.tiled")
    session.draft_editor.edit_copy()
    session.draft_editor.found(tuple(parse(session.stage.value.variant.source_text).kernels))
    before = session.draft.value
    assert callable(change)
    assert reason in str(change(session.draft_editor))
    assert session.draft.value == before


def test_a_text_without_kernels_says_so() -> None:
    outcome = execute(subject_of_draft(Draft("x.cu", "int x;", "int x;", LaunchSettings()), profile_named("h200")))
    assert isinstance(outcome, NotTraced)
    assert "There is no kernel in this text" in str(outcome.reason)


def test_opening_and_saving_a_file(tmp_path: Path) -> None:
    file, session = tmp_path / "核.cu", Session()
    assert "There is no file" in str(session.draft_editor.open_file(file))
    file.write_text("__global__ void k() {} // 注释\n", encoding="utf-8")
    assert session.draft_editor.open_file(file) is None
    session.draft_editor.change_text("// 改\n")
    assert session.draft_editor.save(tmp_path / "no" / "x.cu") is not None
    assert session.draft_editor.save(file) is None
    assert file.read_text(encoding="utf-8") == "// 改\n"
    assert session.draft.value is not None
    assert not session.draft.value.changed
    assert sorted(each.name for each in tmp_path.iterdir()) == ["核.cu"]


def test_a_variable_of_the_device_is_given_in_the_form_or_begins_as_the_text_says(tmp_path: Path) -> None:
    (tmp_path / "v.cu").write_text(
        "__constant__ int taps[4]; __device__ float gain = 3; __constant__ int unused; __device__ int* place;\n"
        "__global__ void k(float* c) { c[threadIdx.x] = gain * taps[threadIdx.x & 3] + (place != 0); }\n",
        encoding="utf-8",
    )
    editor = Session().draft_editor
    assert editor.open_file(tmp_path / "v.cu") is None
    assert editor.draft.value is not None
    editor.found(tuple(parse(editor.draft.value.text).kernels))

    def held() -> dict[str, list[float]]:
        assert editor.draft.value is not None
        outcome = execute(subject_of_draft(editor.draft.value, profile_named("h200")))
        assert isinstance(outcome, LaunchRecord), outcome
        editor.found(outcome.kernels)
        begins = dict(zip((each.name for each in outcome.trace.allocations), outcome.trace.initial, strict=True))
        taps, gain = (each.bytes if isinstance(each, Initial) else each for each in (begins["taps"], begins["gain"]))
        assert taps is not None
        assert gain is not None
        return {"taps": taps.view(np.int32).tolist(), "gain": gain.view(np.float32).tolist()}

    assert held() == {"taps": [0, 0, 0, 0], "gain": [3]}
    assert editor.draft.value is not None
    fields = {each.key: (str(each.detail), each.value) for each in fields_of(editor.draft.value)}
    assert fields["argument taps"] == ("__constant__ int[4]", "")
    assert fields["argument gain"] == ("__device__ float", "")
    assert not {"argument unused", "argument place"} & fields.keys()
    assert editor.set_argument("taps", "4:arange") is None
    assert editor.set_argument("gain", "2.5") is None
    assert "is a number" in str(editor.set_argument("gain", "much"))
    assert held() == {"taps": [0, 1, 2, 3], "gain": [2.5]}
    assert editor.set_argument("gain", "") is None
    assert held() == {"taps": [0, 1, 2, 3], "gain": [3]}
    editor.found(tuple(replace(each, variables=None) for each in editor.draft.value.kernels))  # of a text with an error
    assert {each.key for each in fields_of(editor.draft.value)} == fields.keys()


def test_a_text_that_another_is_opened_over_is_kept_until_it_is_opened_again(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.cu", tmp_path / "other.cu"
    mine.write_text("one", encoding="utf-8")
    other.write_text("two", encoding="utf-8")
    editor = session_with("gpu.tiled").draft_editor
    editor.open_file(mine)
    editor.change_text("one, edited")
    assert editor.open_file(other) is None
    assert editor.edit_copy() is None
    assert editor.open_file(mine) is None
    assert editor.shown is not None
    assert (editor.shown.text, editor.shown.original) == ("one, edited", "one")
    assert editor.kept == ()
    editor.set_aside()
    editor.open_file(mine)
    assert editor.shown.text == "one, edited"


def test_an_edited_copy_is_taken_up_again_after_that_of_another_rung() -> None:
    session = session_with("gpu.tiled")
    session.draft_editor.edit_copy()
    session.draft_editor.change_text("edited")
    for name in ("gpu.naive", "gpu.tiled"):
        variant = catalogue.find(name)
        assert variant is not None
        session.choose_variant(variant)
        session.draft_editor.edit_copy()
    assert session.draft_editor.shown is not None
    assert session.draft_editor.shown.text == "edited"


def test_a_copy_is_taken_up_again_at_the_size_that_is_shown_unless_its_form_said_another() -> None:
    session = session_with("gpu.tiled")
    editor, tiled = session.draft_editor, session.stage.value
    editor.edit_copy()
    editor.change_text("edited")
    editor.set_aside()
    larger = session.stage.value = replace(tiled, problem=Problem.square(tiled.problem.operation, 96))
    editor.edit_copy()
    assert editor.shown is not None
    assert (editor.shown.text, editor.shown.problem) == ("edited", larger.problem)
    editor.set_grid("2,2")
    editor.set_aside()
    session.stage.value = tiled
    editor.edit_copy()
    assert (editor.shown.problem, editor.shown.settings.grid) == (larger.problem, (2, 2, 1))


def test_another_version_of_a_text_does_not_take_the_place_of_the_edited_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.cu"
    file.write_text("one", encoding="utf-8")
    editor = session_with("gpu.tiled").draft_editor
    editor.open_file(file)
    editor.change_text("one, edited")
    later = editor.shown
    assert later is not None
    editor.take(replace(later, text="an earlier version"))
    assert editor.kept == (later,)
    editor.take(later)
    assert [each.text for each in editor.kept] == ["an earlier version"]


def test_files_are_remembered_the_newest_first_each_once_and_not_all(tmp_path: Path) -> None:
    editor = session_with("gpu.tiled").draft_editor
    assert (editor.folder.value, editor.beside("x.cu")) == ("", "x.cu")
    names = [f"{number}.cu" for number in range(MOST_FILES + 1)]
    for name in (*names, names[3]):
        (tmp_path / name).write_text("int x;\n", encoding="utf-8")
        assert editor.open_file(tmp_path / name) is None
    assert [file.name for file in editor.recent_files.value] == [names[3], *(name for name in reversed(names[1:]) if name != names[3])]
    (tmp_path / "other").mkdir()
    assert editor.save(tmp_path / "other" / "y.cu") is None
    assert editor.recent_files.value[0] == tmp_path / "other" / "y.cu"
    assert editor.beside("x.csv") == str(tmp_path / "other" / "x.csv")
    assert editor.edit_copy() is None
    assert len(editor.recent_files.value) == MOST_FILES


def test_a_file_that_is_opened_again_is_launched_as_it_was_last(tmp_path: Path) -> None:
    editor, kernels = session_with("gpu.tiled").draft_editor, tuple(parse(FOREIGN).kernels)
    (tmp_path / "other.cu").write_text("int x;\n", encoding="utf-8")
    (tmp_path / "mine.cu").write_text(FOREIGN, encoding="utf-8")
    editor.open_file(tmp_path / "mine.cu")
    editor.found(kernels)
    editor.choose_kernel("scale")
    editor.set_argument("n", "40")
    shown = editor.shown
    editor.open_file(tmp_path / "other.cu")
    editor.open_file(tmp_path / "mine.cu")
    editor.found(kernels)
    assert shown is not None
    assert editor.shown == shown
    assert shown.settings.arguments["n"] == "40"
    for number in range(MOST_FILES):
        (tmp_path / f"{number}.cu").write_text(FOREIGN, encoding="utf-8")
        editor.open_file(tmp_path / f"{number}.cu")
        editor.found(kernels)
    assert set(editor.launches.value) == set(editor.recent_files.value)
