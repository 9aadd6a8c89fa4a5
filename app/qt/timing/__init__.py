"""Panels of the timing workspace: charts, what to measure, progress, the table of points, uses of the GPU."""
