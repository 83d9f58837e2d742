"""Live driving: input, session, playback and display."""
