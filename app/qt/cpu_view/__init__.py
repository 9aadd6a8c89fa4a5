"""Views and painters of the stage of a CPU kernel."""
