"""Corrections of what is recognized in a clip."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ...character.recognition.pairs import BonePair
from ...errors import ClipError
from .bvh import Recording
from .recognize_body import MIN_FRAMES


@dataclass(frozen=True)
class ClipCorrections:
    """What a user states about a clip of a person; None where it is recognized.

    Args:
        up_axis: vertical axis of the file.
        begin: start of the part that is read [s].
        end: end of that part [s].
        gait: gait of the clip.
        exchanges_sides: whether left and right are exchanged, so that the body faces the other
            direction.
        feet: names of the joints at the ankles of both feet, in any order.
    """

    up_axis: Literal["x", "y", "z"] | None = None
    begin: float | None = None
    end: float | None = None
    gait: Literal["walk", "run"] | None = None
    exchanges_sides: bool = False
    feet: tuple[str, str] | None = None

    @property
    def start_time(self) -> float:
        """Start of the part that is read [s]."""
        return self.begin or 0.0

    def find_feet(self, recording: Recording) -> BonePair | None:
        """Return the joints of a recording that are its feet; None if they are to be recognized.

        Raises:
            ClipError: the recording has no joint of such a name, or both names are the same.
        """
        if self.feet is None:
            return None
        for name in self.feet:
            if name not in recording.joints:
                raise ClipError(
                    f"The clip {recording.name} has no joint {name!r} that could be a foot; its "
                    f"joints are {', '.join(recording.joints)}."
                )
        first, second = (recording.joints.index(name) for name in self.feet)
        if first == second:
            raise ClipError(f"{self.feet[0]!r} cannot be both feet; give the joints of two ankles.")
        return BonePair(first, second)


NO_CORRECTIONS = ClipCorrections()


def cut_recording(recording: Recording, corrections: ClipCorrections) -> Recording:
    """Return the part of a recording that is to be read.

    Raises:
        ClipError: the part is shorter than `MIN_FRAMES`, or not in the clip.
    """
    if corrections.begin is None and corrections.end is None:
        return recording
    seconds = (recording.frames - 1) / recording.fps
    end_time = seconds if corrections.end is None else corrections.end
    begin = round(corrections.start_time * recording.fps)
    end = min(round(end_time * recording.fps), recording.frames - 1)
    if begin < 0 or end - begin + 1 < MIN_FRAMES:
        raise ClipError(
            f"The part from {corrections.start_time:g} to {end_time:.4g} s is no part of the clip "
            f"{recording.name} with at least {MIN_FRAMES} frames; the clip takes {seconds:.2f} s "
            f"at {recording.fps:.4g} frames a second."
        )
    part = slice(begin, end + 1)
    return replace(
        recording, positions=recording.positions[part], rotations=recording.rotations[part]
    )
