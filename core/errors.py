"""Errors that Footfall raises on purpose, with one root."""


class FootfallError(Exception):
    """An error that the user can correct. The message says what is wrong, where, and the remedy."""


class CharacterError(FootfallError):
    """A skeleton or a model file from which no character can be built."""


class TerrainError(FootfallError):
    """A ground on which no body can move, or a query at a place without ground."""


class TaskError(FootfallError):
    """A task with values that contradict each other, are out of range or cannot be read."""


class MotionError(FootfallError):
    """A file that is no motion file, or arrays whose shapes do not match."""


class ClipError(FootfallError):
    """A recorded motion that cannot be read or that shows no gait."""


class Cancelled(FootfallError):
    """The progress callback of the caller has requested a stop."""


class ProtocolError(FootfallError):
    """A line between Blender and the planning process that is no valid message."""
