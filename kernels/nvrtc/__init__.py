"""NVRTC, NVIDIA's run-time compiler, whoever asks for it: where it is, its options, CUDA's headers, the device code of a program."""
