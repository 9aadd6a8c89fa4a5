"""What a launch does and how long it takes, predicted from its trace, beside what Nsight Compute and the clock measured."""
