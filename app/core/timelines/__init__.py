"""Runs on this machine of kernels that work on several threads or ranks, with what each of these did when."""
