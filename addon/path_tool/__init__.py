"""The tool that draws a path with clicks."""
