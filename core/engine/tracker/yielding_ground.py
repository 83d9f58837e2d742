"""Ground that yields, as a task has it, in the plane of its path."""

from __future__ import annotations

import numpy as np

from ...errors import TaskError
from ...task import Task
from ...terrain import BridgeTerrain, SpongyTerrain, YieldingTerrain
from .bridge_ground import BridgeGround
from .contact_ground import ContactGround
from .link_chain import LinkChain
from .simulation import SIMULATION
from .spongy_ground import SpongyGround
from .task_checks import (
    FOOT_LINE,
    GROUND_MARGIN,
    MAX_STEP,
    MAX_STEP_CHOSEN,
    OTHER_ENGINES,
    find_forward,
    sample_path_ground,
)

# Largest angle of the fastest swing of a bridge in a time step [rad]. From 2 on its motion grows
# without end; a body on it makes its swings about twice as fast.
MAX_SWING = 0.8
# Largest distance of the ends of yielding ground from the line of the path [m].
MAX_ASIDE = 0.1


def make_contact_ground(task: Task, length: float) -> ContactGround:
    """Return the ground of a task along its path, for the simulation.

    Args:
        task: at human scale.
        length: distance that the walk reaches [m].

    Raises:
        TaskError: the path does not lead along the yielding ground, links of a bridge swing too
            fast, or the ground ends, tilts sideways or is too steep.
    """
    terrain = task.ground
    if isinstance(terrain, SpongyTerrain):
        begin = _locate_band(task, terrain)
        # Columns that the walk cannot reach would only take memory.
        reached = min(begin + terrain.length, max(length, begin) + GROUND_MARGIN)
        return SpongyGround(begin, reached, terrain.stiffness, terrain.damping)
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
        _check_links(chain)
        return BridgeGround(begin, chain)
    is_steady = np.ptp(task.speed.values) == 0
    return sample_path_ground(task, length, MAX_STEP_CHOSEN if is_steady else MAX_STEP)


def _check_links(chain: LinkChain) -> None:
    """Refuse a bridge whose links swing too fast for the time steps.

    Raises:
        TaskError: they do.
    """
    swing = SIMULATION.time_step * chain.fastest_rate
    if swing > MAX_SWING:
        raise TaskError(
            f"The bridge has {chain.count} links, which swing too fast for the engine 'tracker' at "
            f"this sag. Give it at most {int(chain.count * MAX_SWING / swing)} links, or let it "
            "sag more."
        )


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
