"""Compiler output of a kernel, found without a GPU: registers, shared memory, spills and machine code by source line.

Optional: NVIDIA's NVRTC and nvdisasm, `pip install "tilescope[compiled]"`. Without them `nvrtc.tools.find_tools` says so.
"""
