"""Record what Nsight Compute counts: `python tests/witnesses/ncu_record.py OUT.json [NAME ...]`, from the repository's root, where there
are an NVIDIA GPU, CuPy and Nsight Compute. Takes about two minutes; with names, only the cases that begin so are recorded, and what else
is in the file stays. `tests/golden/ncu_moves_h100.json ldmatrix stmatrix cp.async` records the moves.

For each case of `ncu_cases.py`: the counters of the launch, and for each machine instruction that accesses memory its line, how often
it was executed, and its wavefronts.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.witnesses.ncu_cases import ROOT, chosen

COUNTERS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "global_red_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "global_atom_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "shared_load_requests": "smsp__inst_executed_op_shared_ld.sum",
    "shared_store_requests": "smsp__inst_executed_op_shared_st.sum",
    "shared_atomic_requests": "smsp__inst_executed_op_shared_atom.sum",
    "shared_load_wavefronts_hardware": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts_hardware": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}
BY_INSTRUCTION = {"executed": "inst_executed", "wavefronts": "memory_l1_wavefronts_shared", "ideal": "memory_l1_wavefronts_shared_ideal"}
KEPT_OPCODES = ("LD", "ST", "ATOM", "RED", "BAR", "SYNCS")


def main() -> None:
    """Profile, read the profile, write the record."""
    target, names = Path(sys.argv[1]), sys.argv[2:]
    known = json.loads(target.read_text(encoding="utf-8"))["cases"] if names and target.exists() else []
    cases = {case["name"]: case for case in known} | {case["name"]: case for case in recorded(names)}
    record = {"conditions": conditions(), "cases": list(cases.values())}
    target.write_text(as_text(record), encoding="utf-8")


def recorded(names: list[str]) -> list[dict[str, Any]]:
    """The record of the chosen cases."""
    with tempfile.TemporaryDirectory() as folder:
        report, outputs = Path(folder) / "profile.ncu-rep", Path(folder) / "outputs.json"
        profile(report, outputs, names)
        hashes = json.loads(outputs.read_text(encoding="utf-8"))
        cases = [case.name for case in chosen(names)]
        actions = load(report)
        assert len(actions) == len(cases), (len(actions), len(cases))
        return [{"name": name, "output_sha256": hashes[name], **counts(action)} for name, action in zip(cases, actions, strict=True)]


def profile(report: Path, outputs: Path, names: list[str]) -> None:
    """Run `ncu_launch.py` under Nsight Compute."""
    metrics = ",".join([*COUNTERS.values(), *BY_INSTRUCTION.values()])
    launch = [sys.executable, str(Path(__file__).with_name("ncu_launch.py")), str(outputs), *names]
    command = ["ncu", "--clock-control", "none", "--metrics", metrics, "--export", str(report), "--force-overwrite", *launch]
    subprocess.run(command, cwd=ROOT, check=True)


def load(report: Path) -> list[Any]:
    """The profiles in order, through the Python module that comes with Nsight Compute."""
    program = shutil.which("ncu")
    assert program is not None
    for folder in (*Path(program).resolve().parents, *sorted(Path("/opt/nvidia/nsight-compute").glob("*"), reverse=True)):
        if (folder / "extras" / "python" / "ncu_report.py").is_file():
            sys.path.insert(0, str(folder / "extras" / "python"))
            break
    ncu_report = import_module("ncu_report")

    found = ncu_report.load_report(str(report))
    return [action for index in range(found.num_ranges()) for action in actions_of(found.range_by_idx(index))]


def actions_of(profiled: Any) -> list[Any]:
    """The kernels of one range of the report."""
    return [profiled.action_by_idx(index) for index in range(profiled.num_actions())]


def counts(action: Any) -> dict[str, Any]:
    """The counters of one launch and its memory instructions."""
    found = {name: action.metric_by_name(metric) for name, metric in COUNTERS.items()}
    return {
        "kernel": action.name(),
        "counters": {name: None if metric is None else int(metric.as_double()) for name, metric in found.items()},
        "instructions": instructions(action),
    }


def instructions(action: Any) -> list[dict[str, Any]]:
    """The memory instructions and barriers that were executed, in the order of their addresses."""
    columns = {name: by_address(action.metric_by_name(metric)) for name, metric in BY_INSTRUCTION.items()}
    rows = []
    for address, executed in sorted(columns["executed"].items()):
        text = action.sass_by_pc(address)
        opcode = next((part for part in text.split() if not part.startswith("@")), "")
        if opcode.startswith(KEPT_OPCODES) and executed:
            place = action.source_info(address)
            row = {"opcode": opcode, "line": place.line() if place else 0, "executed": executed}
            rows.append(row | {name: columns[name].get(address, 0) for name in ("wavefronts", "ideal")})
    return rows


def by_address(metric: Any) -> dict[int, int]:
    """A metric's value at each instruction."""
    if metric is None or not metric.has_correlation_ids():
        return {}
    addresses = metric.correlation_ids()
    return {addresses.as_uint64(index): metric.as_uint64(index) for index in range(metric.num_instances())}


def conditions() -> dict[str, str]:
    """The machine and the versions."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    gpu, driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0].split(", ")
    version = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=True).stdout.split("Version ")[-1].split()[0]
    from cupy_backends.cuda.libs import nvrtc

    return {
        "gpu": gpu,
        "driver": driver,
        "nsight_compute": version,
        "nvrtc": ".".join(map(str, nvrtc.getVersion())),
        "options": "--fmad=false",
    }


def as_text(record: dict[str, Any]) -> str:
    """JSON with one line for each case."""
    cases = ",\n".join(json.dumps(case) for case in record["cases"])
    return f'{{"conditions": {json.dumps(record["conditions"], indent=1)},\n"cases": [\n{cases}\n]}}\n'


if __name__ == "__main__":
    main()
