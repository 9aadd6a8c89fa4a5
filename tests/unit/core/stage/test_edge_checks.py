"""An edge as the draft's launch: grid, block and arguments of what was tried, and what of that is no guess any more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.core.gpu_view.subject import subject_of_draft
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.session import Session
from app.core.stage.edge_checks import settings_of_edge
from kernels.analysis.device_profiles import profiles
from kernels.exploration.edge_cases import Edge
from kernels.simt.base.launch import Argument, Filled, IndexArrangement, LaunchRequest, Mode

TEXT = "__global__ void k(int* p) { p[threadIdx.x + blockIdx.x * blockDim.x] = 1; }"


def test_a_launch_with_more_threads_is_launched_with_its_block() -> None:
    given = LaunchSettings("k", block=(32, 1, 1), arguments={"p": "32"}, guessed=frozenset({"grid", "block", "argument p"}))
    draft = Draft("k", TEXT, TEXT, given)
    edge = Edge({"blockDim.x": 64}, LaunchRequest((2, 1, 1), (64, 1, 1), {"p": Filled(128)}, 512), wider=True)
    settings = settings_of_edge(draft, edge)
    assert (settings.grid, settings.block, settings.shared_bytes, settings.arguments) == ((2, 1, 1), (64, 1, 1), 512, {"p": "128"})
    assert settings.guessed == frozenset()


def test_a_launch_in_another_order_is_executed_in_it_until_the_form_changes() -> None:
    draft = Draft("k", TEXT, TEXT, LaunchSettings("k", block=(32, 1, 1), arguments={"p": "96"}))
    turned = replace(
        draft, settings=settings_of_edge(draft, Edge({}, LaunchRequest((3, 1, 1), (32, 1, 1), {"p": Filled(96)}), turned=True))
    )
    launch = subject_of_draft(turned, profiles()[0]).launch
    assert (launch.mode, launch.blocks) == (Mode.WARP, (2, 1, 0))
    editor = Session().draft_editor
    editor.take(turned)
    assert editor.set_grid("3") is None
    assert editor.draft.value is not None
    launch = subject_of_draft(editor.draft.value, profiles()[0]).launch
    assert (launch.mode, launch.blocks) == (Mode.BLOCK, None)


def test_variables_of_the_device_are_launched_as_they_were_tried() -> None:
    draft = Draft("k", TEXT, TEXT, LaunchSettings("k", arguments={"p": "96", "n": "100", "to": "4:arange"}))
    values: dict[str, Argument] = {"n": 7, "to": np.zeros(4, np.int32)}
    edge = Edge({"n": 7}, LaunchRequest((1, 1, 1), (32, 1, 1), {"p": Filled(7)}), array="to", order=IndexArrangement.ZERO, variables=values)
    assert settings_of_edge(draft, edge).arguments == {"p": "7", "n": "7", "to": "4:arange:zero"}
