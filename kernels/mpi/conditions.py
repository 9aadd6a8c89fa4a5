"""What a time on several ranks depends on, and what must be said beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kernels.base.messages import Message, message

Conditions = Mapping[str, str | int | float]


def conditions(about: Sequence[Mapping[str, Any]]) -> dict[str, str | int | float]:
    """Return the conditions from what each rank says of itself: how many there are on how many hosts, on which GPUs."""
    ranks: dict[str, int] = {}
    cores: dict[str, set[int]] = {}
    for words in about:
        ranks[words["host"]] = ranks.get(words["host"], 0) + 1
        cores.setdefault(words["host"], set()).update(words["cores"])
    shared = any(ranks[host] > len(cores[host]) for host in ranks)
    return {
        "ranks": len(about),
        "hosts": len(ranks),
        "rank_cores": sum(map(len, cores.values())),
        "oversubscribed": "yes" if shared else "no",
        "threads_per_rank": 1,
        "rank_multiplication": "cuBLAS" if "gpu" in about[0] else "NumPy",
        "mpi": about[0]["library"],
        "mpi4py": about[0]["mpi4py"],
        **_gpus(about),
    }


def _gpus(about: Sequence[Mapping[str, Any]]) -> dict[str, str | int]:
    """Which GPUs the ranks have, and by which libraries they multiply and send; nothing where they multiply on their cores."""
    if "gpu" not in about[0]:
        return {}
    names = Counter(words["gpu"] for words in about)
    return {
        "gpu": ", ".join(f"{count} × {name}" for name, count in names.items()),
        **{name: about[0][name] for name in ("cublas", "nccl") if name in about[0]},
    }


def remark(found: Conditions) -> Message | None:
    """What to say of more ranks than cores; None where each can have one, and of what did not run on ranks."""
    if found.get("oversubscribed") != "yes":
        return None
    return message(
        "Oversubscribed: {ranks} ranks share {cores} cores and take turns, so these times say little about as many machines.",
        ranks=found["ranks"], cores=found["rank_cores"],
    )  # fmt: skip
