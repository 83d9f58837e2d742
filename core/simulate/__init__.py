"""Simulation of a body that joint torques drive, and the controller that computes the torques.

Source: Mordatch, de Lasa and Hertzmann 2010, section 6.
"""

from collections.abc import Callable

from .body import SimulatedBody
from .body_state import BodyState
from .bullet_physics import BulletPhysics
from .controller import Controller, ControlResult
from .model import SimulatedModel
from .mujoco_physics import MujocoPhysics
from .physics import FootLoad, Physics, PhysicsState
from .reference import RECOVERY_GAINS, ControlReference, Gains, SwingTarget

# Physics engines by the names of `footfall run --physics`
PHYSICS: dict[str, Callable[[SimulatedModel], Physics]] = {
    "mujoco": MujocoPhysics,
    "bullet": BulletPhysics,
}

__all__ = [
    "PHYSICS",
    "RECOVERY_GAINS",
    "BodyState",
    "BulletPhysics",
    "ControlReference",
    "ControlResult",
    "Controller",
    "FootLoad",
    "Gains",
    "MujocoPhysics",
    "Physics",
    "PhysicsState",
    "SimulatedBody",
    "SimulatedModel",
    "SwingTarget",
]
