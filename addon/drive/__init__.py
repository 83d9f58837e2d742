"""The live drive: input, playback, display and the modal operator's state."""
