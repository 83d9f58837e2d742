"""The character of a task."""
from __future__ import annotations

import numpy as np

from ...character.character import Character
from ...character.from_rig.rig import character_from_skeleton
from ...character.load import load_character
from ...character.recognition.skeleton import Skeleton
from ...character.scaled import scaled
from ...clip import carries_tail
from ...task import Task

MEASURED = 4          # rigs that are not measured again when they are asked for again


_measured: dict[tuple[object, ...], Character] = {}          # rigs that a process was asked for, by all that tells them


def body_of(task: Task) -> Character:
    """The character that a task names or describes, of the mass that the task gives it."""
    if isinstance(task.character, str):
        own = load_character(task.character)
    else:
        own = _measured_rig(task.character, carries_tail(task.style))
    return own if task.mass is None else scaled(own, 1.0, task.mass / own.mass)


def _measured_rig(skeleton: Skeleton, tailed: bool) -> Character:
    """A rig's character; it is measured once a process."""
    told = (skeleton.names, skeleton.parents, skeleton.deforming, tuple(sorted(skeleton.parts.items())), tailed)
    arrays = (skeleton.heads, skeleton.tails, skeleton.axes, *skeleton.skin.values())
    key = (told, tuple(skeleton.skin), *(np.asarray(a, float).tobytes() for a in arrays))
    if key not in _measured:
        while len(_measured) >= MEASURED:
            del _measured[next(iter(_measured))]
        _measured[key] = character_from_skeleton(skeleton, tailed)
    return _measured[key]
