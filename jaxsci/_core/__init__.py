"""What host functions and rows are made of: a primitive, its rules, and its way to the host."""
