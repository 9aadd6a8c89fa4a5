"""Machine that generated code runs on: lanes and masks, memory, the access log, barriers, budgets."""
