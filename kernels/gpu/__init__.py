"""CUDA on a GPU: the kernels' texts, one rung a `.cu` file, and what compiles, launches and times them there."""
