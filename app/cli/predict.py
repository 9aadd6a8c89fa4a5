"""`tilescope predict`: how long a launch takes by the time model, beside the recorded time; and what its options mean."""

from __future__ import annotations

import argparse

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept, require
from app.cli.base.options import parameter_options, problem_sizes
from app.cli.base.parser import Group
from app.cli.base.request import as_typed, run_point
from app.core.base.parsing import one_of
from app.core.predictions.counted_launches import PredictedLaunch
from app.core.predictions.prediction import Prediction, predict
from app.core.predictions.question import MODEL
from app.core.predictions.recorded_counters import recorded_time
from app.core.predictions.variant_time import LIMITS, TimeModel, error_text, model_time
from kernels.analysis.device_profiles import Profile, profiles
from kernels.analysis.trust import trust_object, trust_text
from kernels.base.limits import Limits, refuse, refuse_execution
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.catalogue.case import Case
from kernels.measure.export import point_object

DEVICE = "h200"
"""The GPU whose times and counters were recorded."""


def add_options(group: Group) -> None:
    """Add a launch of the catalogue on a GPU."""
    problem_sizes(group)
    group.option("--device", "ID", message("the GPU that is predicted, for example {example}", example="h200"))
    parameter_options(group)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the model's time, what it is made of, and how far it is from the recorded one."""
    prediction = prediction_of(options)
    model = accept(model_time(prediction))
    point = Case(prediction.variant.id, prediction.problem, prediction.parameters)
    recorded = recorded_time(prediction.profile.id, point)
    if options.json:
        console.print_json(
            {
                **point_object(point), "gpu_profile": prediction.profile.id, "model_ms": model.milliseconds,
                "limit": model.longest.limit, "waves": model.longest.waves, "waiting_cycles": model.longest.waiting,
                "cycles_of_a_block": dict(model.longest.cycles), "recorded_ms": recorded,
                "error": None if recorded is None else model.milliseconds / recorded - 1,
                "trust": [trust_object(launch.counted.trust, console.text) for launch in prediction.launches],
            }
        )  # fmt: skip
        return 0
    console.print_rows([(console.text(name), value) for name, value in _lines(model, recorded, console)])
    console.print(console.text(MODEL))
    for launch in prediction.launches:
        console.print(console.text(trust_line(launch)))
    return 0


def _lines(model: TimeModel, recorded: float | None, console: Console) -> list[tuple[Message, str]]:
    longest, number = model.longest, console.translator.number
    lines = [
        (message("Time, model, ms"), number(model.milliseconds)),
        (message("Limited by"), console.text(LIMITS[longest.limit])),
        (message("Waves"), number(longest.waves)),
        *((message("{part}, cycles of a block", part=LIMITS[name]), number(round(cycles))) for name, cycles in longest.cycles),
        (message("{part}, cycles of a block", part=LIMITS["latency"]), number(round(longest.waiting))),
    ]
    if recorded is not None:
        lines += [(message("Time, recorded, ms"), number(recorded)), (message("Error"), console.text(error_text(model, recorded)))]
    return lines


def trust_line(launch: PredictedLaunch) -> Message:
    """How far the counts of a launch can be trusted."""
    return message("Trust, {size}: {trust}", size=launch.entry, trust=trust_text(launch.counted.trust))


def prediction_of(options: argparse.Namespace) -> Prediction:
    """The prediction for what the options name."""
    point, profile = run_point(options), _profile_of(options)
    _require_launch(point)
    return accept(predict(point.variant, point.problem, point.parameters, profile))


def _profile_of(options: argparse.Namespace) -> Profile:
    known = {profile.id: profile for profile in profiles()}
    return known[DEVICE] if options.device is None else known[accept(one_of("--device", options.device, known))]


def _require_launch(point: Case) -> None:
    variant = point.variant
    require(refuse_execution(variant))
    if variant.operation is Operation.HELLO:
        raise Refused(message("{variant} computes nothing: there is nothing to count or to time.", variant=variant.id))
    require(as_typed(refuse(variant, point.problem, point.parameters, Limits()), variant))
