"""How a call gets into a compiled program, and how it is carried out there."""
