"""Kernels that Tilescope shows, runs and animates, and what is measured and read from them. Knows neither Qt nor `app`."""
