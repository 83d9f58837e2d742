"""Search for the strides of a clip, which may be a loop or a limp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...errors import ClipError
from .actor import Actor
from .asymmetry import Asymmetry, detect_asymmetry
from .clip_names import is_named_limp
from .contacts import LIMP_PINNED_SPEEDS, Feet, find_feet
from .loops import Loop, find_loop, repeat_loop
from .strides import BACKWARD, Stride, StrideSearch, find_strides
from .treadmill import TravelingActor, undo_treadmill


@dataclass(frozen=True)
class _Attempt:
    """Search for the strides of an actor.

    Args:
        traveling: the body over time, repeated if it is a loop.
        feet: its feet.
        search_result: its strides, or why there are none.
        loop: cycle that is repeated; None if there is none.
    """

    traveling: TravelingActor
    feet: Feet
    search_result: StrideSearch
    loop: Loop | None

    @staticmethod
    def search(actor: Actor) -> _Attempt:
        """Return the strides of an actor, or of its repeated cycle if there are none."""
        traveling = undo_treadmill(actor)
        feet = find_feet(traveling.actor)
        search_result = find_strides(traveling.actor, feet)
        loop = None if search_result.strides else find_loop(actor)
        if loop is not None:
            traveling = undo_treadmill(repeat_loop(actor, loop))
            feet = find_feet(traveling.actor)
            search_result = find_strides(traveling.actor, feet)
        return _Attempt(traveling, feet, search_result, loop)


@dataclass(frozen=True)
class ClipStrides:
    """An actor with the strides that may represent its gait.

    Args:
        actor: the body over time, which travels; the motion of a loop is repeated.
        feet: its feet.
        strides: its strides, at least one.
        asymmetry: difference between its sides; None if it is not significant, or not detected.
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
        attempt = _Attempt.search(actor)
        if attempt.search_result.reason == BACKWARD and not actor.faces_knees:
            attempt = _Attempt.search(actor.swap_sides())
        search = attempt.search_result
        if not search.strides:
            raise ClipError(
                f"The clip {name} has no whole stride of a walk or a run ahead: {search.reason}. "
                "Show at least two steps with each foot, straight ahead."
            )
        return ClipStrides(
            attempt.traveling.actor,
            attempt.feet,
            search.strides,
            asymmetry=None,
            treadmill_speed=attempt.traveling.treadmill_speed,
            loop=attempt.loop,
        )

    def detect_limp(self) -> ClipStrides:
        """Return the strides of a walk with the difference between its sides, if it limps.

        The contacts of a limp are detected at lower speeds. Feet of a clip in place slide, so that
        contacts differ without a limp: there the name of the clip has to say that it limps.
        """
        if self.treadmill_speed and not is_named_limp(self.actor.name):
            return self
        distinct_count = None if self.loop is None else 1.0
        asymmetry = detect_asymmetry(self.actor, self.feet, self.strides, distinct_count)
        if asymmetry is None:
            return self
        feet = find_feet(self.actor, LIMP_PINNED_SPEEDS)
        strides = find_strides(self.actor, feet).strides
        if not strides:
            return replace(self, asymmetry=asymmetry)
        asymmetry = detect_asymmetry(self.actor, feet, strides, distinct_count) or asymmetry
        return replace(self, feet=feet, strides=strides, asymmetry=asymmetry)

    def list_notes(self, fps: float) -> list[str]:
        """Return notes on how the body of the clip was read, for users.

        Args:
            fps: frame rate of the recording [Hz].
        """
        actor = self.actor
        notes = [f"lengths in {actor.unit}, {actor.up_axis} up"]
        if actor.body_count > 1:
            notes.append(f"it shows {actor.body_count} bodies, of which the first one was read")
        if not actor.has_feet:
            notes.append("its legs have no feet, so they are level, at the ends of its shins")
        if actor.has_swapped_sides:
            notes.append(
                "its knees would bend backward, so left and right are exchanged against their names"
            )
        if actor.skipped_time:
            notes.append(
                f"the first {actor.skipped_time * fps:.0f} frames were left out: a pose "
                "from which the body leaps"
            )
        if self.treadmill_speed:
            notes.append(
                f"it stays in place; its feet move as at a speed of {self.treadmill_speed:.2f} m/s"
            )
        if self.loop is not None:
            notes.append("it is a loop, and was repeated to find whole strides")
        return notes

    def to_clip_frame(self, frame: int) -> int:
        """Return the frame of the clip that a frame of the actor repeats."""
        if self.loop is None:
            return frame
        return self.loop.begin + frame % self.loop.period

    @property
    def cycle_frames(self) -> int:
        """Number of frames without repetition."""
        return self.actor.frames if self.loop is None else self.loop.period
