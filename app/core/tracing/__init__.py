"""Tracing process: the service that asks it for traces, and the way to it."""
