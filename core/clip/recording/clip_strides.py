"""Search for the strides of a clip, which may be a loop or a limp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...errors import ClipError
from .actor import Actor
from .asymmetry import Asymmetry, detect_asymmetry
from .contacts import LIMP_PINNED_SPEEDS, Feet, find_feet
from .strides import Stride, find_strides, unroll_loop


@dataclass(frozen=True)
class ClipStrides:
    """An actor with the strides that may represent its gait.

    Args:
        actor: the body over time; the motion of a loop is repeated three times.
        feet: its feet.
        strides: its strides, at least one.
        asymmetry: difference between its sides; None if it is not significant.
        frame_count: number of frames without repetition.
    """

    actor: Actor
    feet: Feet
    strides: Sequence[Stride]
    asymmetry: Asymmetry | None
    frame_count: int

    @staticmethod
    def find(actor: Actor, name: str) -> ClipStrides:
        """Return the strides of an actor.

        Args:
            name: name of the clip, for messages.

        Raises:
            ClipError: there are none.
        """
        frame_count = actor.frames
        feet = find_feet(actor)
        search = find_strides(actor, feet)
        if not search.strides and (repeated := unroll_loop(actor)) is not None:
            actor = repeated
            feet = find_feet(actor)
            search = find_strides(actor, feet)
        if not search.strides:
            raise ClipError(
                f"The clip {name} has no whole stride of a walk or a run ahead: {search.reason}. "
                "Show at least two steps with each foot, straight ahead."
            )
        clip = ClipStrides(
            actor,
            feet,
            search.strides,
            asymmetry=detect_asymmetry(actor, feet, search.strides),
            frame_count=frame_count,
        )
        return clip if clip.asymmetry is None else clip._refine_limp()

    def _refine_limp(self) -> ClipStrides:
        """Return the strides of a limp with contacts detected at lower speeds."""
        feet = find_feet(self.actor, LIMP_PINNED_SPEEDS)
        strides = find_strides(self.actor, feet).strides
        if not strides:
            return self
        asymmetry = detect_asymmetry(self.actor, feet, strides) or self.asymmetry
        return replace(self, feet=feet, strides=strides, asymmetry=asymmetry)

    @property
    def is_loop(self) -> bool:
        """Whether the motion was repeated."""
        return self.actor.frames > self.frame_count
