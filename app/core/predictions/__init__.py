"""Predictions of a launch's counters and time, from its trace, beside what Nsight Compute and the clock measured.

- `question`: what is asked, frozen; answered in the tracing process.
- `counted_launches`: each launch of the variant executed and counted (`kernels.analysis.workload`).
- `prediction`: counters, as the text and as the machine code (`kernels.compiled`) have them.
- `variant_time`: the time: `machine_code_time` issues the machine code, `kernels.analysis.analytical_time` adds up rates.
- `predicted_and_measured`: both side by side, a difference with its cause; `app/qt/inspector/counters_section.py` shows the table.
"""
