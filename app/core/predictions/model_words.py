"""What is said of the time model."""

from __future__ import annotations

from app.core.predictions.time import TimeModel, relative_error
from kernels.messages import Message, message

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


def error_words(model: TimeModel, recorded: float) -> Message:
    """How far the model is from a recorded time."""
    percent = round(100 * relative_error(model.milliseconds, recorded), 1)
    return message("{percent} %", percent=f"+{percent}" if percent > 0 else f"\u2212{-percent}")
