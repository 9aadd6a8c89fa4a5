"""Record in which order the lines of `gpu.hello` come: `python packaging/recording/hello.py OUTPUT.json`, from the repository's root.

Needs CuPy and a GPU. Every launch whose sizes are offered, up to 4096 threads in all, three times; takes seconds.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

from kernels.catalogue.catalogue import by_id
from kernels.gpu.detect import look
from kernels.gpu.process import greet
from kernels.measure.print_orders import Order, Shape, properties_of, recorded_text

RUNS = 3
MOST_THREADS = 4096


def shapes() -> list[Shape]:
    """The launches that are recorded."""
    variant = by_id("gpu.hello")
    chosen = (Shape(*sizes) for sizes in product(*(parameter.stops for parameter in variant.parameters)))
    return [shape for shape in chosen if shape.blocks * shape.threads <= MOST_THREADS]


def main() -> int:
    status = look()
    if not status.ready:
        sys.exit(f"{status.reason} {status.remedy}")
    capability = int(str(status.details["compute_capability"]).replace(".", ""))
    orders: dict[Shape, tuple[Order, ...]] = {}
    for shape in shapes():
        orders[shape] = greet(capability, {"blocks": shape.blocks, "threads_x": shape.x, "threads_y": shape.y}, RUNS)
    conditions = {"gpu": status.name, "recorded": datetime.now(UTC).date().isoformat()}
    conditions |= {name: str(status.details[name]) for name in ("cuda_driver", "cuda_runtime", "nvrtc") if name in status.details}
    Path(sys.argv[1]).write_text(recorded_text(conditions, orders), encoding="utf-8")
    incomplete = [shape for shape, runs in orders.items() if not all(properties_of(order, shape).complete for order in runs)]
    sys.stdout.write(f"{len(orders)} launches, incomplete: {incomplete}\n")
    return bool(incomplete)


if __name__ == "__main__":
    sys.exit(main())
