"""A snapshot as text: a small file, and the same as one word to paste into a message."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from app.core.base.files.text_files import is_text
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.draft_arguments import names_file
from app.core.session.session import TimingChoice
from app.core.state.snapshot import Pinned, Snapshot
from kernels.base.spec import Problem

FORMAT = "tilescope state 1"
SUFFIX = ".tilescope"
"""How files of states end."""
MARK = "tilescope:"
"""How a link begins: a state as one word, or a lesson."""
LESSON = f"{MARK}lesson/"
"""How a link to a lesson of the program begins; its id follows."""


def text_of(snapshot: Snapshot) -> str:
    """The file's text; equal snapshots give equal texts. What is as in a new window is left out."""
    return json.dumps(fields_of(snapshot), ensure_ascii=False, indent=1) + "\n"


def paste_of(snapshot: Snapshot) -> str:
    """Return a snapshot as one word without spaces: a link, also to paste into a message."""
    packed = zlib.compress(json.dumps(fields_of(snapshot), ensure_ascii=False, separators=(",", ":")).encode(), 9)
    return MARK + base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def fields_of(snapshot: Snapshot, *, own: bool = False) -> dict[str, Any]:
    """The fields by name, as `read` knows them; `own` are those of a file that stays with its writer."""
    stage, place, caches = snapshot.stage, snapshot.place, snapshot.caches
    fields: dict[str, Any] = {
        "format": FORMAT,
        "variant": stage.variant.id,
        "sizes": _sizes(stage.problem),
        "parameters": dict(stage.parameters),
        "profile": snapshot.profile,
        "caches": {"preset": caches.preset} | ({} if caches.replacement is None else {"replacement": caches.replacement.value}),
        "place": {"time": round(place.time, 3), "unit": place.unit.value, "speed": place.speed},
        "view": snapshot.view,
        "workspace": snapshot.workspace.value,
        "page": snapshot.page.value,
    }
    fields |= {"ladder_n": snapshot.ladder_n} if snapshot.ladder_n else {}
    fields |= {"published": True} if snapshot.published else {}
    fields |= {"run": snapshot.run} if snapshot.run else {}
    fields |= {"seen": round(snapshot.seen)} if snapshot.seen else {}
    if snapshot.draft is not None:
        fields |= {"draft": draft_fields(snapshot.draft, own=own), "edited": snapshot.edited}
    if snapshot.timing is not None:
        fields["timing"] = _timing_fields(snapshot.timing)
    if snapshot.beside is not None:
        fields["beside"] = _pinned_fields(snapshot.beside, own=own)
    return fields


def _pinned_fields(pinned: Pinned, *, own: bool) -> dict[str, Any]:
    stage = pinned.stage
    fields: dict[str, Any] = {"variant": stage.variant.id, "sizes": _sizes(stage.problem), "parameters": dict(stage.parameters)}
    fields |= {"view": pinned.view} if pinned.view else {}
    return fields if pinned.draft is None else fields | {"draft": draft_fields(pinned.draft, own=own)}


def draft_fields(draft: Draft, *, own: bool) -> dict[str, Any]:
    """An edited text with its launch. Paths are the writer's own affair: what others may read has neither that of the text nor those of
    files that arrays are read from, for which it is guessed anew."""
    problem = draft.problem
    fields: dict[str, Any] = {"name": draft.name, "text": draft.text}
    if draft.variant_id:
        fields |= {"variant": draft.variant_id, "parameters": dict(draft.parameters)}
    else:
        fields["original"] = draft.original
    if own and draft.path is not None and is_text(str(draft.path)):
        fields |= {"path": str(draft.path), "original": draft.original}
    if problem is not None:
        fields["sizes"] = _sizes(problem)
    fields["launch"] = launch_fields(draft.settings, own=own)
    return fields


def launch_fields(settings: LaunchSettings, *, own: bool = False) -> dict[str, Any]:
    """How a text is launched, as `settings_from_launch` reads it."""
    return {
        "entry": settings.entry or "", "template": settings.template, "grid": list(settings.grid), "block": list(settings.block),
        "shared_bytes": settings.shared_bytes,
        "arguments": {name: text for name, text in settings.arguments.items() if own or not names_file(text)},
        "defines": dict(settings.defines),
        **({"guessed": sorted(settings.guessed)} if settings.guessed else {}),
        **({"turned": True} if settings.turned else {}),
    }  # fmt: skip


def _timing_fields(timing: TimingChoice) -> dict[str, Any]:
    defaults = {variant.id: variant.defaults for variant in timing.variants}
    own = {name: dict(values) for name, values in timing.parameters.items() if name in defaults and dict(values) != defaults[name]}
    return {
        "operation": timing.operation.value, "ticked": sorted(timing.ticked), "sizes": list(timing.sizes), "axis": timing.axis,
        "swept": {name: list(values) for name, values in timing.swept.items()}, "parameters": own,
    }  # fmt: skip


def _sizes(problem: Problem) -> list[int]:
    return [problem.m, problem.n, problem.k]
