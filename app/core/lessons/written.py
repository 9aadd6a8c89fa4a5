"""A state as the lines of a lesson's TOML file: what `read_step` makes a scene of."""

from __future__ import annotations

import json
from collections.abc import Mapping

from app.core.playground.draft import Draft
from app.core.session import DEFAULT_PROFILE, StageChoice, Workspace
from app.core.state.snapshot import Snapshot
from app.core.timeline import Unit
from app.core.timing import Drawing
from kernels.cachesim.presets import SCALED
from kernels.spec import Operation

Written = str | int | float | bool | list[str] | list[int]


def step_lines(name: str, snapshot: Snapshot, kernel: str = "") -> str:
    """The table `[[step]]` whose scene is a snapshot; `kernel` names the lesson's own text that the stage shows."""
    fields: dict[str, Written] = {"kernel": kernel} if kernel else stage_fields(snapshot.stage)
    if snapshot.profile != DEFAULT_PROFILE:
        fields["profile"] = snapshot.profile
    if snapshot.caches.preset != SCALED:
        fields["preset"] = snapshot.caches.preset
    if snapshot.workspace is Workspace.TIMING:
        fields["page"] = str(snapshot.page)
        fields |= {"ladder_n": snapshot.ladder_n} if snapshot.page is Drawing.LADDER and snapshot.ladder_n else {}
        fields |= {"published": True} if snapshot.page is Drawing.CURVES and snapshot.published else {}
    else:
        fields |= {"run": snapshot.run} if snapshot.run else {}
        fields |= {"view": snapshot.view} if snapshot.view else {}
        fields |= {"time": round(snapshot.place.time, 3)} if snapshot.place.time else {}
        fields |= {"unit": str(snapshot.place.unit)} if snapshot.place.unit is not Unit.STEP else {}
    timing = _timing(snapshot)
    return f"\n[[step]]\nname = {_value(name)}\nshow = {_inline(fields, timing)}\n"


def kernel_lines(name: str, file: str, draft: Draft) -> str:
    """The table `[[kernel]]` of an edited text, with its launch."""
    settings = draft.settings
    launch: dict[str, Written] = {"grid": list(settings.grid), "block": list(settings.block)}
    launch |= {"entry": settings.entry} if settings.entry else {}
    launch |= {"template": settings.template} if settings.template else {}
    launch |= {"shared_bytes": settings.shared_bytes} if settings.shared_bytes else {}
    lines = ["", "[[kernel]]", f"name = {_value(name)}", f"file = {_value(file)}", "", "[kernel.launch]"]
    lines += [f"{key} = {_value(value)}" for key, value in launch.items()]
    for table, values in (("arguments", settings.arguments), ("defines", settings.defines)):
        if values:
            lines.append(f"{table} = {_inline(dict(values))}")
    return "\n".join(lines) + "\n"


def stage_fields(choice: StageChoice) -> dict[str, Written]:
    """The variant with its sizes and the parameters that differ from its defaults."""
    variant, problem = choice.variant, choice.problem
    fields: dict[str, Written] = {"variant": variant.id}
    if problem.operation is not Operation.HELLO:
        fields["n"] = problem.n
        fields |= {name: size for name, size in (("m", problem.m), ("k", problem.k)) if size and size != problem.n}
    for parameter in variant.parameters:
        value = choice.parameters[parameter.name]
        if value != parameter.default:
            fields[parameter.name] = parameter.names[value] if parameter.names else value
    return fields


def _timing(snapshot: Snapshot) -> str:
    """What is ticked and over which sizes, where that is what is shown."""
    timing = snapshot.timing
    if timing is None or snapshot.workspace is not Workspace.TIMING or snapshot.page is not Drawing.CURVES:
        return ""
    if timing.operation is not snapshot.stage.variant.operation or not timing.ticked:
        return ""
    return _inline({"ticked": sorted(timing.ticked), "sizes": list(timing.sizes), "axis": timing.axis})


def _inline(fields: Mapping[str, Written], timing: str = "") -> str:
    parts = [f"{name} = {_value(value)}" for name, value in fields.items()]
    return f"{{ {', '.join([*parts, *([f'timing = {timing}'] if timing else [])])} }}"


def _value(value: Written) -> str:
    """JSON's texts, numbers and lists are TOML's too."""
    return json.dumps(value, ensure_ascii=True)
