"""Where and when feet land: search and cost."""
