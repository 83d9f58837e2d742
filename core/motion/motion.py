"""A generated motion as arrays, in world axes and SI units;
any engine writes this and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError
from .easing import ConstraintViolation
from .footstep import Footstep

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Solid:
    """A capsule that stands for a link in pictures: its ends in the frame of the link's centre
    of mass, and its radius.
    """

    link: int
    start: Array  # (3,)
    end: Array  # (3,)
    radius: float


@dataclass(frozen=True)
class Report:
    """What was asked and what it cost to compute, in seconds a stage,
    without import and without pictures.

    `violations` tells where something had to give way and why; `notes` what else the user should
    know. `style_rms_deg` and `legs_rms_deg` are the root mean square angles between the body and
    its style, of pelvis, trunk, head and arms, and of thighs and shins; None of a motion that
    follows no style.
    """

    scenario: str
    engine: str
    character: str
    seed: int
    clip_seconds: float
    seconds: dict[str, float]
    notes: tuple[str, ...] = ()
    violations: tuple[ConstraintViolation, ...] = ()
    style_rms_deg: float | None = None
    legs_rms_deg: float | None = None


# Fields of a motion whose first axis counts frames.
PER_FRAME_ARRAYS = (
    "link_position",
    "link_orientation",
    "link_origin",
    "contact_position",
    "contact_active",
    "contact_force",
    "push_force",
    "push_point",
    "push_moment",
    "planned_com",
    "goal_velocity",
    "reference_orientation",
    "relaxed",
    "toe_orientation",
)


@dataclass(frozen=True)
class Motion:
    """n frames of l links and c points of the soles;
    see the motion file's keys of the same names.
    """

    fps: float
    gravity: Array  # (3,)
    link_names: tuple[str, ...]
    link_mass: Array  # (l,)
    link_inertia: Array  # (l, 3, 3)
    link_position: Array  # (n, l, 3)
    link_orientation: Array  # (n, l, 4)
    contact_names: tuple[str, ...]
    contact_limb: tuple[str, ...]
    contact_position: Array  # (n, c, 3)
    contact_active: NDArray[np.bool_]  # (n, c)
    contact_force: Array  # (n, c, 3)
    push_force: Array  # (n, 3)
    push_point: Array  # (n, 3)
    push_moment: Array  # (n, 3) beside that of the force
    planned_com: Array  # (n, 3)
    goal_velocity: Array  # (n, 3)
    reference_orientation: Array  # (n, l, 4)
    style_links: NDArray[np.bool_]  # (l,)
    relaxed: NDArray[np.bool_]  # (n,)
    terrain_vertices: Array | None  # (v, 3)
    terrain_triangles: NDArray[np.int64] | None
    toe_orientation: Array  # (n, legs, 4) of the toes, which are no links
    link_origin: Array  # (n, l, 3) joints
    path: Array  # (p, 2) the path that was drawn
    footsteps: tuple[Footstep, ...]
    solids: tuple[Solid, ...] = ()
    # (r, 2, 3) ends of bars overhead, for pictures
    rungs: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))
    # (h, 2, 3) ends of their bars [m], for pictures
    hurdles: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))
    # (h,) front to back [m], 0 of a bare bar
    hurdle_depth: Array = field(default_factory=lambda: np.zeros(0))
    report: Report = field(
        default_factory=lambda: Report(
            "task", "centroidal", "", seed=0, clip_seconds=0.0, seconds={}
        )
    )

    def __post_init__(self) -> None:
        n = len(self.link_position)
        count = len(self.link_names)
        contacts = len(self.contact_names)
        shapes = {
            "link_mass": (count,),
            "link_inertia": (count, 3, 3),
            "link_position": (n, count, 3),
            "link_orientation": (n, count, 4),
            "contact_position": (n, contacts, 3),
            "contact_active": (n, contacts),
            "contact_force": (n, contacts, 3),
            "push_force": (n, 3),
            "push_point": (n, 3),
            "push_moment": (n, 3),
            "planned_com": (n, 3),
            "goal_velocity": (n, 3),
            "reference_orientation": (n, count, 4),
            "style_links": (count,),
            "relaxed": (n,),
        }
        for name, shape in shapes.items():
            actual_shape = np.shape(getattr(self, name))
            if actual_shape != shape:
                raise MotionError(
                    f"The motion's {name} has shape {actual_shape}; with {n} frames, {count} "
                    f"links and {contacts} contact points it must be {shape}."
                )

    def take_frames(self, selection: slice) -> Motion:
        """Return the motion with some of its frames; its report and footsteps are unchanged."""
        return replace(self, **{name: getattr(self, name)[selection] for name in PER_FRAME_ARRAYS})

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.link_position)

    @property
    def grips(self) -> NDArray[np.bool_]:
        """Which contact points are hands, that hold and neither rest on
        the ground nor slip. (c,).
        """
        return np.array([name.endswith("/grip") for name in self.contact_names], bool)

    @property
    def com(self) -> Array:
        """Centre of mass of the whole body. (n, 3)."""
        return (self.link_mass[:, None] * self.link_position).sum(1) / self.link_mass.sum()
