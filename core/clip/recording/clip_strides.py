"""Search for the strides of a clip, which may be a loop or a limp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...errors import ClipError
from .actor import Actor
from .asymmetry import Asymmetry, detect_asymmetry
from .contacts import LIMP_PINNED_SPEEDS, Feet, find_feet
from .loops import Loop, find_loop, repeat_loop
from .strides import Stride, find_strides
from .treadmill import undo_treadmill


@dataclass(frozen=True)
class ClipStrides:
    """An actor with the strides that may represent its gait.

    Args:
        actor: the body over time, which travels; the motion of a loop is repeated.
        feet: its feet.
        strides: its strides, at least one.
        asymmetry: difference between its sides; None if it is not significant.
        treadmill_speed: speed that the clip had removed [m/s]; 0 if the body travels by itself.
        loop: cycle of the clip that is repeated; None if the clip is no loop.
    """

    actor: Actor
    feet: Feet
    strides: Sequence[Stride]
    asymmetry: Asymmetry | None
    treadmill_speed: float
    loop: Loop | None

    @staticmethod
    def find(actor: Actor, name: str) -> ClipStrides:
        """Return the strides of an actor.

        Args:
            name: name of the clip, for messages.

        Raises:
            ClipError: there are none.
        """
        traveling = undo_treadmill(actor)
        feet = find_feet(traveling.actor)
        search = find_strides(traveling.actor, feet)
        loop = None if search.strides else find_loop(actor)
        if loop is not None:
            traveling = undo_treadmill(repeat_loop(actor, loop))
            feet = find_feet(traveling.actor)
            search = find_strides(traveling.actor, feet)
        if not search.strides:
            raise ClipError(
                f"The clip {name} has no whole stride of a walk or a run ahead: {search.reason}. "
                "Show at least two steps with each foot, straight ahead."
            )
        clip = ClipStrides(
            traveling.actor,
            feet,
            search.strides,
            asymmetry=detect_asymmetry(
                traveling.actor, feet, search.strides, None if loop is None else 1.0
            ),
            treadmill_speed=traveling.treadmill_speed,
            loop=loop,
        )
        return clip if clip.asymmetry is None else clip._refine_limp()

    def _refine_limp(self) -> ClipStrides:
        """Return the strides of a limp with contacts detected at lower speeds."""
        feet = find_feet(self.actor, LIMP_PINNED_SPEEDS)
        strides = find_strides(self.actor, feet).strides
        if not strides:
            return self
        distinct_count = None if self.loop is None else 1.0
        asymmetry = detect_asymmetry(self.actor, feet, strides, distinct_count) or self.asymmetry
        return replace(self, feet=feet, strides=strides, asymmetry=asymmetry)

    def to_clip_frame(self, frame: int) -> int:
        """Return the frame of the clip that a frame of the actor repeats."""
        if self.loop is None:
            return frame
        return self.loop.begin + frame % self.loop.period

    @property
    def cycle_frames(self) -> int:
        """Number of frames without repetition."""
        return self.actor.frames if self.loop is None else self.loop.period
