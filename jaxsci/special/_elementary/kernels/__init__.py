"""What elementary functions are computed by on devices."""
