"""Parts of the operator that defines a path by clicks."""
