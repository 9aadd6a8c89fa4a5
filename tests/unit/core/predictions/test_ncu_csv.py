"""What Nsight Compute writes is read in its three forms, and what cannot be read is named with its line and column."""

from __future__ import annotations

import pytest

from app.core.predictions.counters import measured
from app.core.predictions.ncu_csv import Profiled, read_ncu
from kernels.base.messages import Message

REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
DRAM = "dram__bytes_read.sum"
TIME = "gpu__time_duration.sum"
RAW = f'''==PROF== Connected to process 7 (python)
==PROF== Profiling "tiles" - 0: 0%....50%....100% - 3 passes
"ID","Kernel Name","Block Size","Grid Size","CC","{DRAM}","{TIME}","{REQUESTS}","launch__registers_per_thread"
"","","","","","Mbyte","us","","register/thread"
"0","tiles(const float *, int)","(16, 16, 1)","(4, 4, 1)","9.0","1.5","12.25","65,536","32"
"1","tiles(const float *, int)","(16, 16, 1)","(4, 4, 1)","9.0","2","10","n/a","32"
'''
LISTED = f'''"ID","Kernel Name","Block Size","Grid Size","Section Name","Metric Name","Metric Unit","Metric Value"
"0","tiles","(16, 16, 1)","(4, 4, 1)","Command line profiler metrics","{REQUESTS}","","1024"
"0","tiles","(16, 16, 1)","(4, 4, 1)","Command line profiler metrics","{DRAM}","Kbyte","3"
"0","tiles","(16, 16, 1)","(4, 4, 1)","Launch Statistics","Grid Size","","16"
"1","tiles","(16, 16, 1)","(4, 4, 1)","Command line profiler metrics","{REQUESTS}","","2048"
'''
SOURCE = """"Kernel Name","tiles(const float *, int)"
"Address","Source","Instructions Executed","Instructions Executed","Predicated-On Thread Instructions Executed","L1 Wavefronts Shared"
"0x100","LDS.128 R4, [R2]","64","1","2048","128"
"0x110","@!P0 STS [R2], R4","32","1","512","32"
"0x120","FFMA R1, R2, R3, R1","64","1","2,048","-"
"0x130","EXIT","32","1","1024","-"
"""


def launches(text: str) -> tuple[Profiled, ...]:
    found = read_ncu(text)
    assert not isinstance(found, Message), str(found)
    return found


def test_the_raw_page_has_a_line_for_each_launch_and_units() -> None:
    first, second = launches(RAW)
    assert first == Profiled(
        "tiles(const float *, int)",
        {DRAM: 1.5e6, TIME: 12250.0, REQUESTS: 65536.0, "launch__registers_per_thread": 32.0},
    )  # fmt: skip
    assert second.metrics == {DRAM: 2e6, TIME: 10_000.0, "launch__registers_per_thread": 32.0}


def test_properties_of_the_device_may_be_words() -> None:
    text = (
        '"ID","Kernel Name","device__attribute_confidential_computing_mode","launch__sm_count","launch__func_cache_config"\n'
        '"","","","SM",""\n"0","f","No-CC","132","CachePreferNone"\n'
    )
    (found,) = launches(text)
    assert found.metrics == {"launch__sm_count": 132.0}


def test_metrics_that_are_listed_are_gathered_by_launch() -> None:
    first, second = launches(LISTED)
    assert first.metrics == {REQUESTS: 1024.0, DRAM: 3000.0}
    assert second.metrics == {REQUESTS: 2048.0}


def test_the_source_page_adds_up_instructions() -> None:
    (found,) = launches(SOURCE)
    assert measured([found.metrics]) == {
        "shared_load_requests": 64, "shared_store_requests": 32, "shared_wavefronts_by_line": 160, "flops": 4096
    }  # fmt: skip


def test_counters_of_several_launches_add_up_but_not_registers() -> None:
    found = measured([{REQUESTS: 10.0, "launch__registers_per_thread": 20.0}, {REQUESTS: 5.0, "launch__registers_per_thread": 40.0}])
    assert found == {"global_load_requests": 15.0, "registers": 30.0}


@pytest.mark.parametrize("kernel", ["tiles", "void tiles<128>(float *)", "(anonymous namespace)::tiles(float *)"])
def test_a_kernel_is_known_by_its_name_alone(kernel: str) -> None:
    (found,) = launches(f'"ID","Kernel Name","{DRAM}"\n"","","byte"\n"0","{kernel}","1"\n')
    assert found.name == "tiles"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (RAW.replace('"1.5"', '"1.5x"'), f"Line 5, column {DRAM}: '1.5x' is not a number."),
        (RAW.replace('"65,536"', '"65,36"'), f"Line 5, column {REQUESTS}: '65,36' is not a number."),
        (RAW.replace('"us"', '"µ!"'), f"Line 4, column {TIME}: the unit 'µ!' is not known."),
        (RAW.replace(',"32"\n"1"', '\n"1"'), "Line 5 has 8 columns; the names above have 9."),
        (LISTED.replace('"1024"', '"many"'), "Line 2, column Metric Value: 'many' is not a number."),
        (LISTED.replace("Metric Unit", "Metric"), "The column Metric Unit is missing."),
        (SOURCE.replace('"2,048"', '"?"'), "Line 5, column Predicated-On Thread Instructions Executed: '?' is not a number."),
        (RAW.replace('"1.5"', '"1e999"'), f"Line 5, column {DRAM}: '1e999' is not a number."),
        (RAW.replace('"tiles(const float *, int)"', '""'), "Line 5, column Kernel Name: there is no name of a kernel."),
        (LISTED.replace('"tiles"', '"<128>"'), "Line 2, column Kernel Name: there is no name of a kernel."),
        ("Kernel Name\n" + SOURCE, "Line 1, column Kernel Name: there is no name of a kernel."),
        (SOURCE.splitlines()[0], "Line 1: no line of names with Source follows tiles(const float *, int)."),
        ("n,time\n1,2\n", "No table of Nsight Compute is in it: no line names the column Kernel Name."),
        ("\n".join(RAW.splitlines()[:4]), "The table of Nsight Compute has no launch in it."),
        (RAW + '"2,', "This is not CSV: unexpected end of data"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, place: str) -> None:
    assert str(read_ncu(text)) == place
