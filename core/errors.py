"""Errors that Footfall raises on purpose, with one root."""


class FootfallError(Exception):
    """An error that the user can correct. The message says what is wrong, where, and the remedy."""


class CharacterError(FootfallError):
    """A skeleton or a model file from which no character can be built."""


class OpenQuestionError(CharacterError):
    """A body with a doubtful part, about which the user must answer a question first."""


class TerrainError(FootfallError):
    """A ground on which no body can move, or a query at a place without ground."""


class TaskError(FootfallError):
    """A task with values that contradict each other, are out of range or cannot be read."""


class MotionError(FootfallError):
    """A file that is no motion file, or arrays whose shapes do not match."""


class PlanningError(FootfallError):
    """A plan that cannot be carried out from some time on, so that the task must demand less.

    Args:
        message: what cannot be carried out.
        time: from when on, in the units of the task that was planned.
        place: (x, y) where, in those units; None if the plan has no such place.
    """

    def __init__(self, message: str, time: float, place: tuple[float, float] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.time = time
        self.place = place


class ClipError(FootfallError):
    """A recorded motion that cannot be read or that shows no gait."""


class WriteError(FootfallError):
    """A file that the system refuses to write, for example because the disk is full."""


class Cancelled(FootfallError):
    """The progress callback of the caller has requested a stop."""


class BatchError(FootfallError):
    """A batch that cannot start or go on: its folder, its workers or their versions."""


class ProtocolError(FootfallError):
    """A line between Blender and the planning process that is no valid message."""
