"""CPU kernels compiled by numba and run: alone or by a team of threads, timed by a clock beside the calls."""
