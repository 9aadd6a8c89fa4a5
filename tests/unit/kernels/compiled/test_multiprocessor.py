"""The multiprocessor model: each unit takes its rate, waits are kept, and resident warps fill each other's."""

from __future__ import annotations

import pytest

from kernels.compiled.control import Control
from kernels.compiled.listing import Instruction
from kernels.compiled.multiprocessor import Costs, cycles_of
from kernels.compiled.warp_path import warp_path

COSTS = Costs(24, 280, 50, 1, 1, 1, 0, 1, 1, 4, 1, 2, 4, 0, 0, 20, 0, 0)


def control(stall: int, *, write: int | None = None, waits: tuple[int, ...] = ()) -> Control:
    return Control(stall, yields=False, write_barrier=write, read_barrier=None, waits=waits)


FREE = control(1)
LOAD, USE = control(1, write=0), control(4, waits=(0,))


def one(
    opcode: str, operands: str = "", *, line: int = 1, address: int = 0, target: int | None = None, control: Control = FREE
) -> Instruction:
    return Instruction(address, line, "@P0" if target is not None else "", opcode, operands, target, control)


def per_instruction(path: list[Instruction], warps: int) -> float:
    near, far = (cycles_of(path, warps, 1, rounds, COSTS) for rounds in (10, 30))
    return (far - near) / 20 / len(path)


@pytest.mark.parametrize(
    ("opcode", "operands", "warps", "cycles"),
    [
        ("FFMA", "R0, R1, R2, R3", 4, 1),  # a warp a partition: two pipes in turn
        ("FFMA", "R0, R1, R2, R3", 16, 4),
        ("FFMA", "R0, R2, R4, R6", 4, 2),  # all in one bank
        ("IADD3", "R0, R1, R2, RZ", 4, 2),  # 16 lanes
        ("LDS", "R0, [R1]", 4, 4),  # one unit for the SM
        ("LDS.128", "R0, [R1]", 4, 16),
        ("LDG.E", "R0, [R2.64]", 8, 8),
    ],
)
def test_a_unit_takes_its_rate(opcode: str, operands: str, warps: int, cycles: float) -> None:
    assert per_instruction([one(opcode, operands)] * 10, warps) == pytest.approx(cycles, rel=0.05)


def test_a_value_that_is_waited_for_costs_its_latency_and_other_warps_hide_it() -> None:
    path = [
        one("LDS", "R0, [R1]", control=LOAD),
        one("FADD", "R1, R0, R0", control=USE),
    ]
    alone, four, many = (per_instruction(path, warps) * 2 for warps in (1, 4, 64))
    assert alone == pytest.approx(31, abs=2)
    assert four == pytest.approx(alone, rel=0.2)
    assert many == pytest.approx(64, rel=0.1)


def test_a_stall_count_holds_the_warp_and_a_barrier_holds_all() -> None:
    slow = one("NOP", control=control(10))
    assert cycles_of([slow], 1, 1, 5, COSTS) == 50
    meeting = [slow, one("BAR.SYNC")]
    assert cycles_of(meeting * 4, 2, 1, 1, COSTS) >= 3 * (10 + COSTS.barrier)


def test_blocks_that_are_resident_together_take_longer_than_one_and_less_than_each_after_the_other() -> None:
    path = [
        one("LDG.E", "R0, [R2.64]", control=LOAD),
        one("FADD", "R1, R0, R0", control=USE),
    ]
    alone, eight = (cycles_of(path * 4, 8, blocks, 4, COSTS._replace(missed_sectors=4)) for blocks in (1, 8))
    assert alone < eight < 8 * alone


def test_a_block_begins_where_another_ends_and_no_sooner_than_the_gpu_starts_one() -> None:
    path = [one("NOP", control=control(10))] * 10
    assert [cycles_of(path, 4, blocks, 1, COSTS, 2) for blocks in (2, 4, 8)] == pytest.approx([100, 200, 400], abs=2)
    assert cycles_of(path, 4, 8, 1, COSTS._replace(block_start=90), 2) == pytest.approx(7 * 90 + 100, abs=2)
    assert cycles_of(path, 4, 1, 1, COSTS._replace(warp_start=7), 2) == pytest.approx(100 + 3 * 7, abs=2)


def test_stores_take_their_share_of_the_cache_by_lines_or_by_sectors_and_of_dram() -> None:
    path = [one("STG.E", "[R2.64], R0")] * 8
    by_lines, by_sectors, to_dram = (
        cycles_of(path, 16, 4, 1, COSTS._replace(**costs))
        for costs in ({"stored_lines": 32, "stored_sectors": 32}, {"stored_sector_cycles": 2}, {"dram_store_cycles": 20})
    )
    requests = 8 * 16 * 4
    assert by_lines == pytest.approx(requests * 32 * 4, rel=0.01)
    assert by_sectors == pytest.approx(requests * 4 * 2, rel=0.01)
    assert to_dram == pytest.approx(requests * 4 * 20, rel=0.01)


def test_without_control_codes_there_is_no_time() -> None:
    with pytest.raises(ValueError, match="control codes"):
        cycles_of([Instruction(0, 1, "", "EXIT", "")], 1, 1, 1, COSTS)


def test_a_path_goes_around_an_inner_loop_as_often_as_its_accesses_were_executed_and_leaves_out_what_was_jumped_over() -> None:
    code = [
        one("LDG.E", "R0, [R2.64]", line=3, address=0),
        one("BRA", "`(.L_x_2)", line=4, address=16, target=64),
        one("LDG.E", "R4, [R2.64]", line=5, address=32),
        one("IADD3", "R5, R4, R4, RZ", line=5, address=48),
        one("STS", "[R1], R0", line=6, address=64),
        one("LDS", "R0, [R1]", line=8, address=80),
        one("FFMA", "R0, R0, R0, R0", line=8, address=96),
        one("BRA", "`(.L_x_1)", line=8, address=112, target=80),
        one("BRA", "`(.L_x_0)", line=9, address=128, target=0),
        one("EXIT", address=144),
    ]
    executed = {(3, "load", "global"): 5, (5, "load", "global"): 0, (6, "store", "shared"): 5, (8, "load", "shared"): 20}
    path = warp_path(code, executed)
    assert path.trips == 4
    assert [each.address for each in path.instructions] == [0, 16, 64, *([80, 96, 112] * 4), 128]
    assert warp_path(code[:1] + code[9:], executed).trips == 1
