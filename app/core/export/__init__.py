"""What the program writes for others to read, as text and tables.

- `measurements`: the times that were measured here, as CSV or JSON.
"""
