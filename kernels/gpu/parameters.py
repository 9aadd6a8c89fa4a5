"""The parameters that several CUDA kernels share."""

from __future__ import annotations

from kernels.messages import message
from kernels.spec import Parameter

GPU_TILE = Parameter("tile", message("Tile size"), default=16, minimum=1, maximum=64, stops=(4, 8, 16, 32, 64))
ROWS = Parameter("rows", message("Block height"), default=0, minimum=0, maximum=1024, stops=(0, 1, 2, 4, 8, 16, 32))
"""Threads along y; 0 means as many as along x."""
PADDING = Parameter("padding", message("Padding"), default=1, minimum=0, maximum=32, stops=(0, 1, 2, 3, 4, 8))
REGISTER_TILE = Parameter("tile", message("Tile size"), default=128, minimum=64, maximum=256, stops=(64, 128, 256), small=64)
REGISTER_ROWS = Parameter("tile_rows", message("Rows of the tile"), default=0, minimum=0, maximum=256, stops=(0, 64, 128, 256))
"""0 means as many as columns."""
REGISTER_CAP = Parameter("registers", message("Registers a thread, at most"), 128, 0, 255, stops=(0, 64, 96, 128, 168, 255))
"""0 means as many as the compiler wants."""
RESULTS = Parameter("results", message("Results a thread, along each side"), default=8, minimum=4, maximum=8, stops=(4, 8))
RESULT_ROWS = Parameter("result_rows", message("Rows of results a thread"), default=16, minimum=4, maximum=16, stops=(8, 16))
STAGES = Parameter("stages", message("Stages"), default=3, minimum=2, maximum=4, stops=(2, 3, 4))
BLOCKS = Parameter("blocks", message("Blocks"), default=2, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))
THREADS_X = Parameter("threads_x", message("Threads along x"), default=4, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))
THREADS_Y = Parameter("threads_y", message("Threads along y"), default=2, minimum=1, maximum=32, stops=(1, 2, 4, 8, 16, 32))
