"""The planning process: its entry point, its service and the messages that it exchanges."""
