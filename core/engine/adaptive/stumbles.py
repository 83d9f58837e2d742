"""Stumbles of a recorded walk: feet that slide, and legs that pass through each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.capsule import Capsule, LineSegment, find_nearest_points, make_capsules
from ...character.character import Character
from ...character.kinematic_model import KinematicModel, LinkPoses
from ...geometry.spans import find_spans
from ...task import Task
from .recording import ClipFrames, WalkRecorder

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StumbleBounds:
    """What a viewer notices, for a body of the reference size.

    Args:
        slide: largest distance of a resting point from its place in the middle of its contact [m].
        leg_depth: depth of shins and feet of one leg in those of the other [m], as
            `slide`.
        leg_time: longest time beyond that depth [s], three frames at 30 a second.
    """

    slide: float = 0.02
    leg_depth: float = 0.02
    leg_time: float = 0.1


STUMBLES = StumbleBounds()
# Number of frames of the shortest contact whose points can be seen to slide
MIN_CONTACT_FRAMES = 3


def measure_slide(position: Array, resting: NDArray[np.bool_]) -> float:
    """Return the largest distance of a resting point from its place in mid-contact [m].

    Args:
        position: (n, points, 3) of contact points [m].
        resting: (n, points) whether they rest on the ground.
    """
    largest = 0.0
    for point in np.flatnonzero(resting.any(0)):
        for contact in find_spans(resting[:, point]):
            part = position[contact, point]
            if len(part) >= MIN_CONTACT_FRAMES:
                distance = np.linalg.norm(part - part[len(part) // 2], axis=1)
                largest = max(largest, float(distance.max()))
    return largest


class LegDepth:
    """Depth of the shins and feet of a biped in those of its other leg.

    Args:
        character: with two legs of thigh, shin and foot.
    """

    def __init__(self, character: Character) -> None:
        shapes = make_capsules(character)
        self._legs = [
            [shape for shape in shapes if shape.link in leg.links[1:]] for leg in character.legs
        ]

    def measure(self, placed: LinkPoses) -> Array:
        """Return the depth in n frames, negative where the legs are apart (n,) [m]."""
        depth = np.full(len(placed.origin), -np.inf)
        for first in self._legs[0]:
            for second in self._legs[1]:
                nearest = find_nearest_points(_place(first, placed), _place(second, placed))
                depth = np.maximum(depth, first.radius + second.radius - nearest.distance)
        return depth


class StumbleFinder:
    """Judge of the frames of a clip that is being recorded.

    Args:
        task: in the units of the controllers.
        character: at the reference size.
        clip: its frames among the recorded instants; others are not judged.
    """

    def __init__(self, task: Task, character: Character, clip: ClipFrames) -> None:
        self._task = task
        self._model = KinematicModel(character)
        self._depth = LegDepth(character)
        self._clip = clip

    def has_stumble(self, recorder: WalkRecorder, begin: int, end: int) -> bool:
        """Return whether a foot slides or legs pass through each other between two instants."""
        clip = self._clip
        lead = 2 * clip.per_frame + 1  # Contacts depend on the two frames before
        begin = max(begin, clip.first, lead)
        count = (min(end, clip.first + clip.per_frame * clip.count) - begin) // clip.per_frame
        if count < MIN_CONTACT_FRAMES:
            return False
        record = recorder.cut(begin - lead)
        frames = ClipFrames(lead, clip.per_frame, count)
        placed = record.place_links(self._model, lead + clip.per_frame * np.arange(count))
        overlap = measure_longest_run(self._depth.measure(placed) > STUMBLES.leg_depth)
        if overlap * clip.per_frame * record.substep > STUMBLES.leg_time:
            return True
        return any(
            measure_slide(contact.position, contact.active) > STUMBLES.slide
            for contact in record.arrange_contacts(self._task, frames, self._model)
        )


def measure_longest_run(marked: NDArray[np.bool_]) -> int:
    """Return the largest number of consecutive marked frames."""
    return max((span.stop - span.start for span in find_spans(marked)), default=0)


def _place(shape: Capsule, placed: LinkPoses) -> LineSegment:
    return shape.segment_at(placed.origin[:, shape.link], placed.rotation[:, shape.link])
