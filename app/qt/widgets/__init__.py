"""Small controls that several panels use."""
