"""States: what is shown comes back as it was, and what strangers wrote is refused with its place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.core.base.observable import Field
from app.core.base.timeline import Unit
from app.core.ladder.model import LadderChoice
from app.core.results.curves import Provenance
from app.core.session.choices import CacheChoice
from app.core.session.draft import Draft, LaunchSettings, copy_of
from app.core.session.session import Session, Workspace
from app.core.state.read import read_state, unpacked
from app.core.state.snapshot import Pinned, Snapshot, TimelinePosition, put_back, take
from app.core.state.states import Arrival
from app.core.state.written import MARK, fields_of, paste_of, text_of
from app.core.timing.model import TimingPage
from kernels.base.messages import Message
from kernels.base.spec import Operation, Problem
from kernels.cachesim.geometry import Replacement
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS, by_id
from tests.whole_models import models_of


def tiled(n: int = 64) -> Snapshot:
    variant = by_id("gpu.tiled")
    return Snapshot(Case.of(variant, Problem.square(Operation.MATMUL, n), variant.defaults))


def edited() -> Snapshot:
    shown = tiled()
    draft = copy_of(shown.stage.variant, shown.stage.problem, shown.stage.parameters)
    return replace(shown, draft=replace(draft, text=draft.text + "\n// mine"), edited=True)


def everything() -> Snapshot:
    session = Session("gpu.tiled")
    session.timing.value = replace(session.timing.value, sizes=(64, 128), axis="tile", swept={"tile": (8, 16)})
    return replace(
        edited(), profile="rtx-4090" if "rtx-4090" in profile_ids() else "h200", caches=CacheChoice("scaled", Replacement.PLRU),
        place=TimelinePosition(17.5, Unit.TILE, 2.0), view=3, workspace=Workspace.TIMING, timing=session.timing.value,
        page=TimingPage.LADDER, ladder_n=8192, published=True, beside=Pinned(tiled(128).stage, edited().draft, 3),
    )  # fmt: skip


def profile_ids() -> set[str]:
    from kernels.analysis.device_profiles import profiles

    return {profile.id for profile in profiles()}


def compared() -> Snapshot:
    return replace(tiled(), beside=Pinned(tiled(128).stage))


@pytest.mark.parametrize("make", [tiled, edited, everything, compared])
@pytest.mark.parametrize("write", [text_of, paste_of])
def test_what_is_written_is_read_again(make: Any, write: Any) -> None:
    assert read_state(write(make())) == make()


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_every_variant_can_be_kept(variant: Any) -> None:
    session = Session(variant.id)
    snapshot = take(models_of(session))
    assert read_state(text_of(snapshot)) == snapshot


def test_a_file_of_the_users_own_is_kept_without_its_path() -> None:
    draft = Draft("mine.cu", "__global__ void f() {}", "", LaunchSettings(entry="f", arguments={"x": "4:zeros"}))
    found = read_state(text_of(replace(tiled(), draft=draft, edited=True)))
    assert isinstance(found, Snapshot)
    assert found.draft == draft


@pytest.mark.parametrize("write", [text_of, paste_of])
def test_no_path_goes_into_what_is_shared(write: Any, tmp_path: Path) -> None:
    arguments = {"x": f"@{tmp_path}/x.npy", "y": f" \uff20{tmp_path}/y.npy", "n": "4"}
    draft = Draft("mine.cu", "__global__ void f() {}", "", LaunchSettings(entry="f", arguments=arguments), tmp_path / "mine.cu")
    written = write(replace(tiled(), draft=draft, edited=True))
    assert str(tmp_path) not in unpacked(written)
    found = read_state(written)
    assert isinstance(found, Snapshot)
    assert found.draft == replace(draft, settings=replace(draft.settings, arguments={"n": "4"}), path=None)


@pytest.mark.parametrize("beside", [False, True])
def test_what_is_shared_cannot_name_a_file(beside: bool) -> None:
    draft = Draft("mine.cu", "__global__ void f() {}", "", LaunchSettings(entry="f"))
    state = replace(tiled(), beside=Pinned(tiled().stage, draft)) if beside else replace(tiled(), draft=draft, edited=True)
    fields = json.loads(text_of(state))
    (fields["beside"] if beside else fields)["draft"]["path"] = "/etc/passwd"
    found = read_state(json.dumps(fields))
    assert isinstance(found, Message)
    assert "path" in str(found)


@pytest.mark.parametrize(("name", "value"), [("variant", "gpu.none"), ("view", 99), ("sizes", "64"), ("more", 1)])
def test_a_launch_to_compare_with_that_cannot_be_is_refused_by_its_field(name: str, value: object) -> None:
    fields = json.loads(text_of(compared()))
    fields["beside"][name] = value
    found = read_state(json.dumps(fields))
    assert isinstance(found, Message)
    assert name in str(found)


def test_what_is_put_back_is_what_was_taken() -> None:
    models = models_of(Session())
    put_back(everything(), models)
    assert replace(take(models), place=everything().place) == replace(everything(), beside=None), "a launch is pinned where there is one"


def test_the_ladders_n_published_points_and_a_real_run_are_part_of_a_state() -> None:
    models = models_of(Session("cpu.parallel"))
    models.ladder.choice.value = LadderChoice(n=8192)
    models.timing.shown.value = frozenset(Provenance)
    models.runs.show(256)
    found = read_state(text_of(take(models)))
    assert isinstance(found, Snapshot)
    assert (found.ladder_n, found.published, found.run) == (8192, True, 256)
    other = models_of(Session())
    put_back(replace(found, page=TimingPage.LADDER), other)
    assert other.ladder.choice.value == LadderChoice(n=8192)
    assert Provenance.PUBLISHED in other.timing.shown.value
    assert (other.runs.watched.value, other.runs.n.value) == (True, 256)
    put_back(replace(found, published=False, run=0), other)
    assert Provenance.PUBLISHED not in other.timing.shown.value
    assert not other.runs.watched.value


def test_a_state_without_a_draft_leaves_the_users_own_alone() -> None:
    session = Session()
    draft = edited().draft
    assert draft is not None
    session.draft_editor.take(draft)
    put_back(tiled(), models_of(session))
    assert session.draft_editor.draft.value == draft
    assert session.draft_editor.shown is None


def test_a_pasted_word_may_be_broken_into_lines() -> None:
    word = paste_of(edited())
    assert word.startswith(MARK)
    assert read_state("\n ".join(word[i : i + 60] for i in range(0, len(word), 60))) == edited()


def changed(**fields: Any) -> str:
    return json.dumps(fields_of(everything()) | fields)


def with_draft(**fields: Any) -> str:
    own = fields_of(everything())
    return json.dumps(own | {"draft": own["draft"] | fields})


def with_launch(**fields: Any) -> str:
    own = fields_of(everything())
    return json.dumps(own | {"draft": own["draft"] | {"launch": own["draft"]["launch"] | fields}})


BAD = [
    ("", "Line 1, column 1: this is no JSON: a value is expected here."),
    ("[]", "This is no JSON object."),
    ("[" * 100_000, "This is no JSON that can be read."),
    ("1" * 10_000, "This is no JSON"),
    ("{}", "This is no state of Tilescope, or one of a later version."),
    ("tilescope:", "The pasted text is not whole."),
    ("tilescope:AAAA", "The pasted text is not whole."),
    ("tilescope:é", "The pasted text is not whole."),
    (changed(variant="nothing"), "variant names none of the variants."),
    (changed(variant=7), "variant must be a text, not a whole number."),
    (changed(sizes=[64, 64]), "sizes must hold m, n and k."),
    (changed(sizes=[64, 64, 0.5]), "sizes must be a list of whole numbers alone, not 0.5."),
    (changed(sizes=[0, 64, 64]), "m must be at least 1, not 0."),
    (changed(sizes=[10**30, 1, 1]), "sizes must be from 0 to 1048576, not 1e+30."),
    (changed(parameters={"tile": 10**400}), "parameters.tile must be from"),
    (changed(parameters={"tile": True}), "parameters.tile must be a whole number, not true or false."),
    (changed(parameters={"tyle": 8}), "parameters.tyle is not known here; known are tile."),
    (changed(parameters=dict.fromkeys(map(str, range(300)), 1)), "parameters has more than 200 fields."),
    (changed(profile="../../etc"), "profile must be one of"),
    (changed(place={"time": float("nan")}), "place.time must be a number, not nan."),
    (changed(place={"time": -1}), "place.time must be from 0"),
    (changed(view=10), "view must be from 0 to 9, not 10."),
    (changed(workspace="shell"), "workspace must be one of stage, timing, not \"shell\"."),
    (changed(surprise=1), "surprise is not known here"),
    (changed(timing={"sizes": []}), "timing.sizes is empty."),
    (changed(timing={"sizes": [8], "ticked": ["cpu.transpose-naive"]}), "timing.ticked names 'cpu.transpose-naive'"),
    (changed(timing={"sizes": [8], "axis": "tile"}), "timing.axis is a parameter of none of the ticked variants."),
    (with_draft(text="x" * ((1 << 20) + 1)), "draft.text is longer than 1048576 characters."),
    (with_draft(variant="cpu.naive"), "draft.variant names a variant that has no text to edit."),
    (with_launch(block=[2048, 1, 1]), "A block has from 1 to 1024 threads along x, not 2048."),
    (with_launch(grid=[1, 1]), "draft.launch.grid must hold x, y and z."),
    (with_launch(arguments={"A": "\uff20x"}), "draft.launch.arguments.A names a file; what others have written may not read files."),
    (with_launch(arguments={"A": " @/etc/passwd"}), "draft.launch.arguments.A names a file; what others have written may not read files."),
    (with_launch(defines={"N": "1; system()"}), "draft.launch.defines.N must be a whole number, not \"1; system()\"."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), BAD, ids=range(len(BAD)))
def test_a_bad_state_is_refused_in_words(text: str, reason: str) -> None:
    found = read_state(text)
    assert isinstance(found, Message)
    assert str(found).startswith(reason)


def test_a_small_text_that_unpacks_to_a_huge_one_is_refused() -> None:
    import base64
    import zlib

    word = MARK + base64.urlsafe_b64encode(zlib.compress(b" " * (64 << 20), 9)).decode()
    assert str(read_state(word)) == "The pasted text is not whole."


def test_a_name_with_folders_loses_them() -> None:
    found = read_state(with_draft(name="../../.bashrc\n"))
    assert isinstance(found, Snapshot)
    assert found.draft is not None
    assert found.draft.name == "bashrc"


class Stage:
    def __init__(self) -> None:
        self.session, self.ready, self.failed, self.done = Session(), Field(value=False), Field(value=False), 0
        self.arrival = Arrival(self.session, lambda: self.ready.value, lambda: self.failed.value)

    def act(self) -> None:
        self.done += 1


def test_what_waits_is_done_once_when_the_stage_is_ready() -> None:
    stage = Stage()
    stage.arrival.then(stage.act)
    stage.arrival.tick()
    assert (stage.done, stage.arrival.pending) == (0, True)
    stage.ready.value = True
    stage.arrival.tick()
    stage.arrival.tick()
    assert (stage.done, stage.arrival.pending) == (1, False)


def test_what_could_not_be_traced_is_gone_to_once_it_was_traced_again() -> None:
    stage = Stage()
    stage.arrival.then(stage.act)
    stage.ready.value = stage.failed.value = True
    stage.arrival.tick()
    stage.arrival.tick()
    assert (stage.done, stage.arrival.pending) == (1, False)
    stage.ready.value = stage.failed.value = False
    stage.arrival.tick()
    assert (stage.done, stage.arrival.pending) == (1, True)
    stage.ready.value = True
    stage.arrival.tick()
    stage.arrival.tick()
    assert (stage.done, stage.arrival.pending) == (2, False)


def test_what_waits_is_dropped_when_the_user_chooses_something_else() -> None:
    stage = Stage()
    stage.arrival.then(stage.act)
    stage.session.set_stage_parameter("tile", 16)
    stage.ready.value = True
    stage.arrival.tick()
    assert (stage.done, stage.arrival.pending) == (0, False)
