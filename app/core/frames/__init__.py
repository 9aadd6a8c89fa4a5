"""Pictures of a step as values, in what CPU kernels and CUDA launches have in common: the matrices with all their marks, and the words."""
