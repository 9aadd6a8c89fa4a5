"""What all kernels and their measurement stand on: texts as values, the types of the catalogue, matrices, limits and references."""
