"""Shared memory as values: banks and wavefronts of an access, layouts and swizzles, tiles and fragments that lie in it."""
