"""Code generator: from the representation of a kernel to Python source of NumPy calls over lane vectors."""
