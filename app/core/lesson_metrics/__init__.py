"""Lesson metrics: numbers that lessons and challenges speak of, found by executing kernels or looking up recordings.

They are never written down beside the texts that speak of them.
"""
