"""Where the centre of mass of an actor is, from shares of people's segments (de Leva 1996, J Biomech 29:1223)."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .actor import Actor

Array = NDArray[np.float64]

# (share of the mass, share of the way to the far joint at which it lies), mean of women and men
THIGH, SHANK, FOOT = (0.145, 0.39), (0.046, 0.44), (0.013, 0.5)
UPPER_ARM, FOREARM = (0.026, 0.58), (0.021, 0.6)         # the hand belongs to the forearm
TRUNK, HEAD = (0.43, 0.5), (0.068, 1.0)
# of trunk, head and arms: share of the mass, and how high over the hips it lies, leg lengths
UPPER, OVER = 0.59, 0.33


def lean_shift(actor: Actor) -> float:
    """How much farther ahead the centre of mass would be if the skeleton's shoulders stood right over its hips, m."""
    return -UPPER * OVER * actor.leg_length * float(np.sin(actor.lean))


def centre_of_mass(actor: Actor) -> Array:
    """(n, 3), m."""
    middle = actor.hips.mean(1)
    top = actor.shoulders.mean(1) if actor.shoulders is not None else actor.neck
    head = actor.head if actor.head is not None else actor.neck
    parts = [(TRUNK, middle, top), (HEAD, actor.neck, head)]
    limbs = [(THIGH, actor.hips, actor.knees), (SHANK, actor.knees, actor.ankles), (FOOT, actor.ankles, actor.balls)]
    if actor.arms is not None:
        shoulders, elbows, wrists = actor.arms
        limbs += [(UPPER_ARM, shoulders, elbows), (FOREARM, elbows, wrists)]
    parts += [(told, a[:, side], b[:, side]) for told, a, b in limbs for side in (0, 1)]
    total = sum(share for (share, _), _, _ in parts)
    return np.asarray(sum(share * (a + at * (b - a)) for (share, at), a, b in parts) / total)
