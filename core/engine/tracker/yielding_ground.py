"""Ground that yields, as a task has it, in the plane of its path."""

from __future__ import annotations

import numpy as np

from ...errors import TaskError
from ...task import Task
from ...terrain import BridgeTerrain, SpongyTerrain, YieldingTerrain
from .bridge_ground import BridgeGround
from .contact_ground import ContactGround
from .link_chain import LinkChain
from .spongy_ground import SpongyGround
from .task_checks import FOOT_LINE, OTHER_ENGINES, find_forward, sample_path_ground

# Largest distance of the ends of yielding ground from the line of the path [m].
MAX_ASIDE = 0.1


def make_contact_ground(task: Task, length: float) -> ContactGround:
    """Return the ground of a task along its path, for the simulation.

    Args:
        task: at human scale.
        length: distance that the walk reaches [m].

    Raises:
        TaskError: the path does not lead along the yielding ground, or the ground ends, tilts
            sideways or is too steep.
    """
    terrain = task.ground
    if isinstance(terrain, SpongyTerrain):
        begin = _locate_band(task, terrain)
        return SpongyGround(begin, begin + terrain.length, terrain.stiffness, terrain.damping)
    if isinstance(terrain, BridgeTerrain):
        begin = _locate_band(task, terrain)
        chain = LinkChain(
            terrain.links,
            terrain.length,
            terrain.sag,
            mass=terrain.mass,
            damping=terrain.damping,
            gravity=task.gravity,
        )
        return BridgeGround(begin, chain)
    return sample_path_ground(task, length)


def _locate_band(task: Task, terrain: YieldingTerrain) -> float:
    """Return where yielding ground begins along the path [m].

    Raises:
        TaskError: the path does not lead along it.
    """
    forward = find_forward(task)
    left = np.array([-forward[1], forward[0]])
    ends = np.array([terrain.start, terrain.end]) - task.path.points[0]
    begin, end = ends @ forward
    if np.abs(ends @ left).max() > MAX_ASIDE or end < begin or begin < 0:
        raise TaskError(
            "The path does not lead along the yielding ground from its start to its end; the "
            "engine 'tracker' walks over it lengthwise. Let the path begin before its start and "
            "pass through both ends."
        )
    if terrain.width < 2 * FOOT_LINE:
        units = task.units
        raise TaskError(
            f"The yielding ground is {units.to_user_length(terrain.width):.2g} m wide; it must be "
            f"at least {units.to_user_length(2 * FOOT_LINE):.2g} m wide, or {OTHER_ENGINES} on "
            "firm ground."
        )
    return float(begin)
