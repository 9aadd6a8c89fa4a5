"""The interface between the sampler and a device: what a runner must offer."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.messages import ReasonedError
from kernels.catalogue.case import Case


class RunFailed(ReasonedError):
    """Compiling or running failed. `reason` says why, in words that are shown as they are."""


class RunRefused(RunFailed):
    """Nothing was tried: what the run needs is not here."""


class PreparedRun(Protocol):
    """A kernel with its operands in place on the device, ready to be timed again and again."""

    def poison(self) -> None:
        """Fill the output with NaN, so that an element that is not written cannot pass verification."""

    def sample(self, check: CancelCheck) -> float:
        """Run once and return the time in milliseconds. Calls `check` before it."""

    def output(self) -> Matrix:
        """The output on the host."""

    def conditions(self) -> Mapping[str, str | int | float]:
        """What is particular to this device and run (device name, versions, threads, calls a sample)."""


class Runner(Protocol):
    """Runs variants of one device."""

    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> AbstractContextManager[PreparedRun]:
        """Compile (outside any timed region), allocate, copy the inputs. Leaving the context frees everything."""
