"""What is said of the time model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernels.messages import Message, message

if TYPE_CHECKING:
    from app.core.predictions.time import TimeModel

MODEL = message("This is clearly a model: it knows the trace, the machine code and published figures of the GPU, and no measurement.")
LIMITS = {
    "arithmetic": message("arithmetic"),
    "issue": message("instruction issue"),
    "lsu": message("load/store unit"),
    "l2": message("L2 bandwidth"),
    "dram": message("DRAM bandwidth"),
    "latency": message("latency"),
}
"""The parts of the model by name."""


def relative_error(predicted: float, measured: float) -> float:
    """How much too long (positive) or too short (negative) the model's time is, as a part of the measured one."""
    return predicted / measured - 1


def error_words(model: TimeModel, recorded: float) -> Message:
    """How far the model is from a recorded time."""
    percent = round(100 * relative_error(model.milliseconds, recorded), 1)
    return message("{percent} %", percent=f"+{percent}" if percent > 0 else f"\u2212{-percent}")
