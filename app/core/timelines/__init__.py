"""Runs on this machine of kernels that work on several threads or ranks, with what each thread or rank did when."""
