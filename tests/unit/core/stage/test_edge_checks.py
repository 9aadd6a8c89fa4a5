"""An edge as the draft's launch: grid, block and arguments of what was tried, and what of that is no guess any more."""

from __future__ import annotations

from app.core.session.draft import Draft, LaunchSettings
from app.core.stage.edge_checks import settings_of_edge
from kernels.exploration.edge_cases import Edge
from kernels.simt.base.launch import Filled, LaunchRequest

TEXT = "__global__ void k(int* p) { p[threadIdx.x + blockIdx.x * blockDim.x] = 1; }"


def test_a_launch_with_more_threads_is_launched_with_its_block() -> None:
    given = LaunchSettings("k", block=(32, 1, 1), arguments={"p": "32"}, guessed=frozenset({"grid", "block", "argument p"}))
    draft = Draft("k", TEXT, TEXT, given)
    edge = Edge({"blockDim.x": 64}, LaunchRequest((2, 1, 1), (64, 1, 1), {"p": Filled(128)}, 512), wider=True)
    settings = settings_of_edge(draft, edge)
    assert (settings.grid, settings.block, settings.shared_bytes, settings.arguments) == ((2, 1, 1), (64, 1, 1), 512, {"p": "128"})
    assert settings.guessed == frozenset()
