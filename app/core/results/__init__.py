"""Results as a table, and the questions that charts, tables and sentences ask of it."""
