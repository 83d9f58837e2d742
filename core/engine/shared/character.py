"""Loading of a task's character."""

from __future__ import annotations

import numpy as np

from ...character.character import Character
from ...character.from_rig.rig import character_from_skeleton
from ...character.load import load_character
from ...character.recognition.skeleton import Skeleton
from ...character.scaled import scale_character
from ...clip import has_tail_motion
from ...task import Task

# Maximum number of characters from rigs that are cached.
RIG_CACHE_SIZE = 4

# Characters from rigs by everything that they depend on.
_rig_cache: dict[tuple[object, ...], Character] = {}


def load_task_character(task: Task) -> Character:
    """Return the character of a task, scaled to the task's mass if it has one."""
    if isinstance(task.character, str):
        character = load_character(task.character)
    else:
        character = _load_rig(task.character, has_tail_motion(task.style))
    return (
        character
        if task.mass is None
        else scale_character(character, 1.0, task.mass / character.mass)
    )


def _load_rig(skeleton: Skeleton, tailed: bool) -> Character:
    """Return the character of a rig, from the cache if it is there."""
    identity = (
        skeleton.names,
        skeleton.parents,
        skeleton.deform_bones,
        skeleton.separate_bones,
        tuple(sorted(skeleton.parts.items())),
        tailed,
    )
    arrays = (skeleton.heads, skeleton.tails, skeleton.axes, *skeleton.skin.values())
    key = (identity, tuple(skeleton.skin), *(np.asarray(a, float).tobytes() for a in arrays))
    if key not in _rig_cache:
        while len(_rig_cache) >= RIG_CACHE_SIZE:
            del _rig_cache[next(iter(_rig_cache))]
        _rig_cache[key] = character_from_skeleton(skeleton, tailed)
    return _rig_cache[key]
