"""A draft as the stage executes it."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from app.core.launch.subject import MOST_VALUES, STAGE_BUDGET, Subject, before_of, blocks_to_trace, work
from app.core.playground.arguments import array_text, roles_of, texts_of, understand
from app.core.playground.draft import Draft, prepared_by
from kernels.analysis.devices import Profile
from kernels.simt.launch import Dim3, Keep, LaunchRequest, Mode
from kernels.spec import PREPARED

MOST_THREADS = 1 << 20
"""Threads of a launch of which nothing else is known, up to which all blocks are executed."""
SMALL_LAUNCH = 1 << 14
"""Threads up to which warps may also be executed one after the other."""


def subject_of_draft(draft: Draft, profile: Profile, mode: Mode = Mode.BLOCK) -> Subject:
    """The launch of a draft on a GPU."""
    settings = draft.settings
    texts = texts_of(draft.kernel, settings.arguments)
    request = LaunchRequest(
        settings.grid, settings.block, shared_bytes=settings.shared_bytes, mode=mode, blocks=_blocks(draft), budget=STAGE_BUDGET,
        keep=Keep.HISTORY, shared_limit=profile.architecture.shared_bytes_per_block,
    )  # fmt: skip
    arguments = {name: array_text(_lighter(text)) for name, text in texts.items()}
    subject = Subject(
        draft.name, draft.text, entry_of(draft), request, dict(settings.defines), roles_of(draft.kernel, texts), arguments, draft.path,
        draft.variant_id,
    )  # fmt: skip
    before = prepared_by(draft)
    if before is None:
        return subject
    roles = tuple(replace(role, letter="A") if role.name == PREPARED else role for role in subject.matrices if role.name != "A")
    return replace(subject, matrices=roles, before=before_of(subject, before))


def entry_of(draft: Draft) -> str | None:
    """The kernel as C++ writes it, "reduce<128>"; None while it is not known."""
    settings = draft.settings
    return f"{settings.entry}<{settings.template}>" if settings.entry and settings.template else settings.entry


def can_run_by_warps(draft: Draft) -> bool:
    """Whether the launch is small enough to be executed warp by warp as well."""
    return prod(draft.settings.grid) * prod(draft.settings.block) <= SMALL_LAUNCH and _blocks(draft) is None


def _blocks(draft: Draft) -> tuple[int, ...] | None:
    grid: Dim3 = draft.settings.grid
    if draft.problem is not None and draft.problem.shapes:
        return blocks_to_trace(grid, work(draft.problem))
    threads = prod(draft.settings.block)
    return None if prod(grid) * threads <= MOST_THREADS else blocks_to_trace(grid, prod(grid) * threads * 2)


def _lighter(text: str) -> str:
    """Large matrices hold zeros, whose memory is never touched."""
    matrix = understand(text)
    if matrix is None or matrix.rows * matrix.columns <= MOST_VALUES or not text.endswith(":random"):
        return text
    return text.removesuffix("random") + "zeros"
