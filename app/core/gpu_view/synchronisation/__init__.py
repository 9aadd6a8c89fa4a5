"""Synchronisation and copies as values: who waits for whom, pipelines and what is under way, clusters, the order of accesses."""
