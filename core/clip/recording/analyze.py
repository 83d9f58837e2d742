"""Analysis of a clip of a body on two legs or on four."""

from __future__ import annotations

from ...errors import ClipError
from .bvh import Recording
from .corrections import NO_CORRECTIONS, ClipCorrections
from .gait_analysis import GaitAnalysis, analyze_gait
from .quadruped.actor import QUADRUPED, is_quadruped
from .quadruped.gait_analysis import QuadrupedGaitAnalysis, analyze_quadruped_gait
from .recognize_body import HUMAN, recognize_body


def analyze_clip(
    recording: Recording, corrections: ClipCorrections = NO_CORRECTIONS
) -> GaitAnalysis | QuadrupedGaitAnalysis:
    """Return the gait of a clip.

    Args:
        corrections: what the user states about a clip of a person.

    Raises:
        ClipError: the clip shows no body with two or four legs, or no whole stride forward.
    """
    if corrections.feet is None and _is_quadruped(recording, corrections.up_axis):
        return analyze_quadruped_gait(recording)
    return analyze_gait(recording, corrections)


def _is_quadruped(recording: Recording, up_axis: str | None) -> bool:
    """Return whether a clip shows a body on four legs.

    A human body is tried first, since a person may have the hands on the ground in some pose.
    """
    if recording.rig is not None and recording.rig.anatomy is not None:
        return is_quadruped(recording.rig.anatomy)
    for body_kind in (HUMAN, QUADRUPED):
        try:
            recognize_body(recording, body_kind, up_axis)
        except ClipError:
            continue
        return body_kind is QUADRUPED
    return False
