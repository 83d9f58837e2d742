"""Characters from robot files."""
