"""A body driven by torques in a physics engine, and the controller that finds them (Mordatch, de Lasa, Hertzmann 2010)."""
from collections.abc import Callable

from .body import Body
from .body_state import Reading
from .bullet_physics import BulletPhysics
from .controller import Controller, Torques
from .gains import CATCHING, Gains
from .model import SimulatedModel
from .mujoco_physics import MujocoPhysics
from .physics import FootLoad, Physics, State
from .reference import Reference, SwingTarget

# by the names that `footfall run --physics` takes
PHYSICS: dict[str, Callable[[SimulatedModel], Physics]] = {"mujoco": MujocoPhysics, "bullet": BulletPhysics}

__all__ = ["CATCHING", "PHYSICS", "Body", "BulletPhysics", "Controller", "FootLoad", "Gains", "MujocoPhysics", "Physics",
           "Reading", "Reference", "SimulatedModel", "State", "SwingTarget", "Torques"]
