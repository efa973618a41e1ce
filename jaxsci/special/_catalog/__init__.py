"""What is known of each function: its row, and the decorators that make one."""
