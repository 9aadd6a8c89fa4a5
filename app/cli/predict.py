"""`tilescope predict`: how long a launch takes by the time model, beside the recorded time."""

from __future__ import annotations

import argparse

from app.cli.console import Console, aligned
from app.cli.prediction_request import prediction_of
from app.cli.refusal import accept
from app.core.predictions.question import MODEL
from app.core.predictions.recorded import recorded_time
from app.core.predictions.time import LIMITS, TimeModel, error_words, model_time
from kernels.base.messages import Message, message
from kernels.measure.export import point_object
from kernels.measure.results import Point


def report_prediction(options: argparse.Namespace, console: Console) -> int:
    """Write the model's time, what it is made of, and how far it is from the recorded one."""
    prediction = prediction_of(options)
    model = accept(model_time(prediction))
    point = Point(prediction.variant.id, prediction.problem, prediction.parameters)
    recorded = recorded_time(prediction.profile.id, point)
    if options.json:
        console.print_json(
            {
                **point_object(point), "gpu_profile": prediction.profile.id, "model_ms": model.milliseconds,
                "limit": model.longest.limit, "waves": model.longest.waves, "waiting_cycles": model.longest.waiting,
                "cycles_of_a_block": dict(model.longest.cycles), "recorded_ms": recorded,
                "error": None if recorded is None else model.milliseconds / recorded - 1,
            }
        )  # fmt: skip
        return 0
    console.print("\n".join(aligned([(console.text(name), value) for name, value in _lines(model, recorded, console)])))
    console.print(console.text(MODEL))
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
        lines += [(message("Time, recorded, ms"), number(recorded)), (message("Error"), console.text(error_words(model, recorded)))]
    return lines
