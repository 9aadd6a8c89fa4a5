"""What all of the core stands on: values that tell of changes, work beside the interface, texts in two languages, time."""
