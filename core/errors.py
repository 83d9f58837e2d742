"""The one root of every error that Footfall raises on purpose."""


class FootfallError(Exception):
    """Something that the user can put right; the message says what, with which thing, and how."""


class CharacterError(FootfallError):
    """A skeleton or a model file that cannot become a character."""


class TerrainError(FootfallError):
    """A ground that cannot be walked on, or a question about a place where there is no ground."""


class TaskError(FootfallError):
    """A task whose wishes contradict each other or cannot be read."""


class MotionError(FootfallError):
    """A motion file that is not one, or arrays that do not fit together."""


class ClipError(FootfallError):
    """A recorded motion that cannot be read, or from which no gait can be told."""


class Cancelled(FootfallError):
    """The caller's progress callback asked to stop."""


class ProtocolError(FootfallError):
    """A line between Blender and the planning process that is not a valid message."""
