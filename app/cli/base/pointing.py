"""Options of what pictures of a launch point at: a lane, and a matrix instruction."""

from __future__ import annotations

import argparse

from app.cli.base.errors import Refused, accept
from app.cli.base.parser import Group
from app.core.base.parsing import whole_number
from app.core.frames.views import View
from app.core.stage.pointing import INSTRUCTION, LANE, Pointed
from kernels.base.messages import message
from kernels.base.spec import Variant
from kernels.simt.trace.trace import WARP

_NO_LANES = (View.PIPELINE, View.CLUSTERS)
_APART = ("run", "lesson", "challenge")
"""What shows no step of a launch that is chosen here."""


def pointing_options(group: Group) -> None:
    """Add them."""
    group.option(LANE, "LANE", message("the lane that the views point at, from 0 to 31, of the warp that runs"))
    group.option(INSTRUCTION, "NAME", message(
        "the matrix instruction whose fragments are shown where a step executes several, or how its name begins: {example}",
        example="ldmatrix, mma, wgmma",
    ))  # fmt: skip


def pointed_of(options: argparse.Namespace, variant: Variant, view: int) -> Pointed:
    """Read them; `view` is the number of the one that is alone, 0: none."""
    lane = None if options.lane is None else accept(whole_number(LANE, options.lane, 0, WARP - 1))
    pointed = Pointed(lane, options.instruction or "")
    if not pointed:
        return pointed
    apart = next((each for each in _APART if getattr(options, each, None) is not None), None)
    if apart is not None:
        raise Refused(message("{one} and {other} exclude each other.", one=f"--{apart}", other=pointed.option))
    if options.source is None and variant.launch is None:
        raise Refused(message("{name} is for a CUDA kernel; {variant} has neither lanes nor matrix instructions.",
                              name=pointed.option, variant=variant.id))  # fmt: skip
    if lane is not None and view in _NO_LANES:
        raise Refused(message("{name}: view {view} shows no lanes.", name=LANE, view=view))
    if pointed.instruction and view not in (0, View.FRAGMENTS):
        raise Refused(message("{name} is for the fragments, view {view}.", name=INSTRUCTION, view=int(View.FRAGMENTS)))
    return pointed
