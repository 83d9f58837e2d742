"""Named tasks that tests and figures use."""
