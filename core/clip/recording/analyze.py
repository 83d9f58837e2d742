"""What a clip shows, whoever it is: somebody on two legs or on four."""

from __future__ import annotations

from ...errors import ClipError
from .bvh import Recording
from .find_actor import HUMAN, recognize_body
from .gait_analysis import GaitAnalysis, analyze_gait
from .quadruped.actor import QUADRUPED, is_quadruped
from .quadruped.gait_analysis import QuadrupedGaitAnalysis, analyze_quadruped_gait


def analyze_clip(recording: Recording) -> GaitAnalysis | QuadrupedGaitAnalysis:
    """Find the gait of a clip.

    Raises:
        ClipError: nobody with two legs or four, or nobody who goes ahead for a stride.
    """
    return (
        analyze_quadruped_gait(recording) if _is_quadruped(recording) else analyze_gait(recording)
    )


def _is_quadruped(recording: Recording) -> bool:
    """Whether a clip is of a body on four legs. People may have hands on the ground in some pose,
    so they are looked for first.
    """
    if recording.rig is not None and recording.rig.anatomy is not None:
        return is_quadruped(recording.rig.anatomy)
    for body_kind in (HUMAN, QUADRUPED):
        try:
            recognize_body(recording, body_kind)
        except ClipError:
            continue
        return body_kind is QUADRUPED
    return False
