"""Traces are made in a process of their own: the service that asks for them, and the way to that process."""
