"""What `counters` and `predict` are asked about: a variant that is launched, at a size, on a device with a profile."""

from __future__ import annotations

import argparse

from app.cli.refusal import Refused, accept, require
from app.cli.request import as_typed, run_point
from app.core.base.parsing import one_of
from app.core.predictions.predict import Prediction, predict
from kernels.analysis.devices import Profile, profiles
from kernels.base.limits import Limits, refuse
from kernels.base.messages import message
from kernels.base.spec import Operation
from kernels.measure.results import Point

DEVICE = "h200"
"""Of which times and counters were recorded."""


def prediction_of(options: argparse.Namespace) -> Prediction:
    """The prediction for what the options name."""
    point, profile = run_point(options), device_of(options)
    _require_launch(point)
    return accept(predict(point.variant, point.problem, point.parameters, profile))


def device_of(options: argparse.Namespace) -> Profile:
    """The device's profile."""
    known = {profile.id: profile for profile in profiles()}
    return known[DEVICE] if options.device is None else known[accept(one_of("--device", options.device, known))]


def _require_launch(point: Point) -> None:
    variant = point.variant
    if variant.launch is None:
        raise Refused(message("{variant} is not a CUDA kernel: there is nothing to execute in its place.", variant=variant.id))
    if variant.operation is Operation.HELLO:
        raise Refused(message("{variant} computes nothing: there is nothing to count or to time.", variant=variant.id))
    require(as_typed(refuse(variant, point.problem, point.parameters, Limits()), variant))
