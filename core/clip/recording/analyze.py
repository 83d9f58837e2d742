"""What a clip shows, whoever it is: somebody on two legs or on four."""
from __future__ import annotations

from ...errors import ClipError
from .bvh import Recording
from .find_actor import PERSON, recognised
from .gait_analysis import Understood, understand
from .quadruped.actor import QUADRUPED, goes_on_four
from .quadruped.gait_analysis import UnderstoodQuadruped, understand_quadruped


def understand_anybody(recording: Recording) -> Understood | UnderstoodQuadruped:
    """Find the gait of a clip.

    Raises:
        ClipError: nobody with two legs or four, or nobody who goes ahead for a stride.
    """
    return understand_quadruped(recording) if _on_four(recording) else understand(recording)


def _on_four(recording: Recording) -> bool:
    """Whether a clip is of a body on four legs. People may have hands on the ground in some pose, so they are looked for first."""
    if recording.known is not None and recording.known.anatomy is not None:
        return goes_on_four(recording.known.anatomy)
    for sought in (PERSON, QUADRUPED):
        try:
            recognised(recording, sought)
        except ClipError:
            continue
        return sought is QUADRUPED
    return False
