"""Controls that are the joints of paws."""

from __future__ import annotations

import numpy as np

from .skeleton import Skeleton

MIN_TOES = 3  # Least number of toes that hang on the control of a paw; birds have three


def find_paws(rig: Skeleton, deforming: frozenset[str], max_height: float) -> frozenset[str]:
    """Return the controls near the ground on which several toes hang, below a deform bone.

    They are the joints of paws: without them each toe would begin a foot at the bone above.

    Args:
        deforming: names of the deform bones.
        max_height: greatest height of such a control [skeleton height].
    """
    floor = float(np.minimum(rig.heads[:, 2], rig.tails[:, 2]).min())
    toe_counts = np.zeros(len(rig.names), int)
    for bone, parent in enumerate(rig.parents):
        toe_counts[parent] += parent >= 0 and rig.names[bone] in deforming
    return frozenset(
        rig.names[k]
        for k in np.flatnonzero(toe_counts >= MIN_TOES)
        if rig.names[k] not in deforming
        and rig.heads[k, 2] - floor < max_height * rig.height
        and rig.parents[k] >= 0
        and rig.names[rig.parents[k]] in deforming
    )
