"""What the derivatives of this family are computed by."""
