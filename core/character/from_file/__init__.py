"""Characters from body files."""
