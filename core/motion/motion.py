"""A motion as arrays in world axes and SI units, which is the output of every engine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .footstep import Footstep
from .schema import ARRAYS, check_shapes
from .violations import ConstraintViolation

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Solid:
    """A capsule of a link, for pictures, in the frame of the link at its center of mass.

    Args:
        link: index of the link.
        start: (3,) first end [m].
        end: (3,) other end [m].
        radius: [m].
    """

    link: int
    start: Array
    end: Array
    radius: float


@dataclass(frozen=True)
class Report:
    """How a motion was made.

    Args:
        clip_seconds: duration of the motion [s].
        seconds: computation time by stage, without imports and pictures [s].
        notes: for the user.
        violations: intervals in which constraints were relaxed.
        style_rms_deg: root mean square angle of pelvis, trunk, head and arms from the style; None
            without a style [deg].
        legs_rms_deg: the same of thighs and shins [deg].
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


# Fields with a row for each frame
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
    "surface_line",
)


def _find_shape(values: Any) -> tuple[int, ...]:
    """Return the shape of an array or of a tuple of names."""
    if isinstance(values, tuple):
        return (len(values),)
    return values.shape if isinstance(values, np.ndarray) else np.shape(values)


@dataclass(frozen=True)
class Motion:
    """A motion of n frames, l links and c contact points.

    Args:
        fps: frame rate [1/s].
        gravity: (3,) [m/s^2].
        link_mass: (l,) [kg].
        link_inertia: (l, 3, 3) about the center of mass, link axes [kg m^2].
        link_position: (n, l, 3) centers of mass of the links [m].
        link_orientation: (n, l, 4) quaternions.
        contact_limb: limb of each contact point.
        contact_position: (n, c, 3) [m].
        contact_active: (n, c) whether a point bears load.
        contact_force: (n, c, 3) mean about the frame, with weights that fall to 0 at the frames
            before and after it [N].
        push_force: (n, 3) [N].
        push_point: (n, 3) point at which the push force acts [m].
        push_moment: (n, 3) in addition to the moment of the push force [N m].
        planned_com: (n, 3) center of mass of the plan [m].
        goal_velocity: (n, 3) requested velocity [m/s].
        reference_orientation: (n, l, 4) of the style.
        style_links: (l,) whether a link follows the style.
        relaxed: (n,) whether a constraint is relaxed.
        terrain_vertices: (v, 3) [m]; None without terrain.
        terrain_triangles: (t, 3) indices of vertices; None without terrain.
        toe_orientation: (n, legs, 4) of the toes, which are not links.
        link_origin: (n, l, 3) joints of the links [m].
        path: (p, 2) requested path [m].
        rungs: (r, 2, 3) ends of overhead bars, for pictures [m].
        hurdles: (h, 2, 3) ends of the bars of hurdles, for pictures [m].
        hurdle_depth: (h,) length of a hurdle along the path; 0 for a bare bar [m].
        surface_line: (n, k, 3) middle line of ground that moves, such as a bridge [m]; None where
            all ground is at rest as `terrain_vertices` has it.
        surface_width: width of this ground, level across its line [m]; None without it.

    Raises:
        MotionError: an array has a wrong shape.
    """

    fps: float
    gravity: Array
    link_names: tuple[str, ...]
    link_mass: Array
    link_inertia: Array
    link_position: Array
    link_orientation: Array
    contact_names: tuple[str, ...]
    contact_limb: tuple[str, ...]
    contact_position: Array
    contact_active: NDArray[np.bool_]
    contact_force: Array
    push_force: Array
    push_point: Array
    push_moment: Array
    planned_com: Array
    goal_velocity: Array
    reference_orientation: Array
    style_links: NDArray[np.bool_]
    relaxed: NDArray[np.bool_]
    terrain_vertices: Array | None
    terrain_triangles: NDArray[np.int64] | None
    toe_orientation: Array
    link_origin: Array
    path: Array
    footsteps: tuple[Footstep, ...]
    solids: tuple[Solid, ...] = ()
    rungs: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))
    hurdles: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))
    hurdle_depth: Array = field(default_factory=lambda: np.zeros(0))
    surface_line: Array | None = None
    surface_width: float | None = None
    report: Report = field(
        default_factory=lambda: Report(
            "task", "centroidal", "", seed=0, clip_seconds=0.0, seconds={}
        )
    )

    def __post_init__(self) -> None:
        arrays = {name: getattr(self, name) for name in ARRAYS}
        check_shapes({name: _find_shape(a) for name, a in arrays.items() if a is not None})

    def take_frames(self, selection: slice | NDArray[np.int64]) -> Motion:
        """Return the motion with some of its frames; its report and footsteps are unchanged."""
        arrays: dict[str, Any] = {
            name: values[selection]
            for name in PER_FRAME_ARRAYS
            if (values := getattr(self, name)) is not None
        }
        return replace(self, **arrays)

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.link_position)

    @property
    def grips(self) -> NDArray[np.bool_]:
        """Whether a contact point is the grip of a hand (c,)."""
        return np.array([name.endswith("/grip") for name in self.contact_names], bool)

    @property
    def com(self) -> Array:
        """Center of mass of the body (n, 3) [m]."""
        return (self.link_mass[:, None] * self.link_position).sum(1) / self.link_mass.sum()
