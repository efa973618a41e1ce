"""What functions of matrices have in common: arguments, slices, rules, LAPACK."""
