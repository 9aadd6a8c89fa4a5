"""Contents of the inspector: occupancy, roofline, findings, costs of other settings, what the compiler made of the shown launch.

What shows while threads run is found in `kernels.simt.run` (its `deadlocks` and `drivers`), what only the whole trace shows in
`kernels.analysis` (`races` among others). `kernels.analysis.findings` makes one list of them, one for each kind and pair of lines, and
the record of the launch keeps it. `finding_rows` puts each into words, with the step that it shows at; the timeline marks the steps, the
source its lines.
"""
