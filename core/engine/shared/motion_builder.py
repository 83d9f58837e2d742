"""Assemble the fields of a `Motion`: the one place where engines turn results into a motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel, LinkPoses
from ...geometry import so3
from ...motion import Footstep, Motion, Report
from ...motion.motion import Solid
from ...task import MonkeyBars, Task

Array = NDArray[np.float64]

SOLE_POINT_NAMES = ("heel", "ball", "tip")
MIN_MOMENT = 1e-6  # Smallest moment that a motion states [N m]; smaller ones are set to zero
RUNG_HALF_LENGTH = 0.3  # Half the length of a rung in pictures [m]


@dataclass(frozen=True)
class LimbContacts:
    """Contact points of one limb over n frames.

    Args:
        limb: name of the limb.
        names: names of its p points, as in `Motion.contact_names`.
        position: positions [m], shape (n, p, 3).
        active: whether the point carries load, shape (n, p).
        force: contact force on the body [N], shape (n, p, 3).
    """

    limb: str
    names: tuple[str, ...]
    position: Array
    active: NDArray[np.bool_]
    force: Array


@dataclass(frozen=True)
class PushSeries:
    """Resultant of all pushes over n frames.

    Args:
        force: resultant force [N], shape (n, 3).
        point: point at which it acts [m], shape (n, 3).
        moment: moment in addition to that of the force [N m], shape (n, 3).
    """

    force: Array
    point: Array
    moment: Array

    @staticmethod
    def without_rounding(force: Array, point: Array, moment: Array) -> PushSeries:
        """Return the series with zeros in place of moments below `MIN_MOMENT`."""
        significant = np.abs(moment).max(1, keepdims=True) > MIN_MOMENT
        return PushSeries(force, point, np.where(significant, moment, 0.0))


@dataclass(frozen=True)
class FrameSeries:
    """Everything that an engine computes per frame, for n frames.

    Args:
        placed: links of the body, l of them.
        contacts: contact points, one entry for each limb that has any.
        pushes: resultant of the pushes.
        planned_com: center of mass of the plan [m], shape (n, 3).
        goal_velocity: velocity that the task requests [m/s], shape (n, 3).
        reference_rotation: rotations of the links in the reference pose, shape (n, l, 3, 3).
        toe_orientation: quaternions of the toes, shape (n, legs, 4).
        relaxed: whether a constraint of the plan was violated, shape (n,).
    """

    placed: LinkPoses
    contacts: Sequence[LimbContacts]
    pushes: PushSeries
    planned_com: Array
    goal_velocity: Array
    reference_rotation: Array
    toe_orientation: Array
    relaxed: NDArray[np.bool_]


@dataclass(frozen=True)
class MotionBuilder:
    """Builder of motions of one body in one task."""

    task: Task
    model: KinematicModel

    def build(self, series: FrameSeries, footsteps: tuple[Footstep, ...], report: Report) -> Motion:
        """Return the motion with the given frames.

        Everything that does not change over time is taken from the task and the model.
        """
        task = self.task
        model = self.model
        character = model.character
        contacts = series.contacts
        mesh = task.ground.to_mesh()
        return Motion(
            fps=task.fps,
            gravity=np.array([0.0, 0.0, -task.gravity]),
            link_names=character.link_names(),
            link_mass=model.link_mass,
            link_inertia=model.link_inertia,
            link_position=series.placed.link_com,
            link_orientation=so3.quat_unwrap(so3.quat_from_matrix(series.placed.rotation)),
            contact_names=tuple(name for limb in contacts for name in limb.names),
            contact_limb=tuple(limb.limb for limb in contacts for _ in limb.names),
            contact_position=np.concatenate([limb.position for limb in contacts], 1),
            contact_active=np.concatenate([limb.active for limb in contacts], 1),
            contact_force=np.concatenate([limb.force for limb in contacts], 1),
            push_force=series.pushes.force,
            push_point=series.pushes.point,
            push_moment=series.pushes.moment,
            planned_com=series.planned_com,
            goal_velocity=series.goal_velocity,
            reference_orientation=so3.quat_unwrap(so3.quat_from_matrix(series.reference_rotation)),
            style_links=np.isin(np.arange(len(character.links)), _find_style_links(model)),
            relaxed=series.relaxed,
            terrain_vertices=None if mesh is None else mesh.vertices,
            terrain_triangles=None if mesh is None else mesh.triangles,
            toe_orientation=series.toe_orientation,
            link_origin=series.placed.origin,
            path=task.path.points,
            footsteps=footsteps,
            solids=_make_solids(model),
            rungs=_find_rung_ends(task.monkey_bars),
            hurdles=_find_hurdle_ends(task),
            hurdle_depth=np.array([hurdle.depth for hurdle in task.hurdles], float),
            report=report,
        )


def _find_style_links(model: KinematicModel) -> list[int]:
    """Return pelvis, trunk, arms and head: the links by which a style is judged."""
    character = model.character
    head = [] if character.head is None else [character.head]
    return [0, *character.trunk, *(k for arm in character.arms for k in arm.links), *head]


@lru_cache(maxsize=8)
def _make_solids(model: KinematicModel) -> tuple[Solid, ...]:
    """Return capsules for pictures, in the frames of the links' centers of mass."""
    rest = model.compute_link_poses(model.neutral[None])
    out = []
    for capsule in model.capsules:
        shift = rest.link_com[0, capsule.link] - rest.origin[0, capsule.link]
        out.append(Solid(capsule.link, capsule.start - shift, capsule.end - shift, capsule.radius))
    return tuple(out)


def _find_rung_ends(bars: MonkeyBars | None) -> Array:
    """Return the ends of the rungs, perpendicular to the path along them [m], (r, 2, 3)."""
    if bars is None:
        return np.zeros((0, 2, 3))
    rungs = bars.rungs
    direction = np.gradient(rungs[:, :2], axis=0)
    across = (
        np.column_stack([-direction[:, 1], direction[:, 0], np.zeros(len(direction))])
        / np.linalg.norm(direction, axis=1)[:, None]
    )
    return np.stack([rungs - RUNG_HALF_LENGTH * across, rungs + RUNG_HALF_LENGTH * across], 1)


def _find_hurdle_ends(task: Task) -> Array:
    """Return the ends of the hurdles' bars, at their height above the ground [m], (h, 2, 3)."""
    ends = np.array([(hurdle.start, hurdle.end) for hurdle in task.hurdles], float).reshape(
        -1, 2, 2
    )
    ground = np.nan_to_num(task.ground.sample_heights(ends.mean(1)))  # A bar may span a gap.
    level = ground + [hurdle.height for hurdle in task.hurdles]
    return np.concatenate([ends, np.broadcast_to(level[:, None, None], (len(ends), 2, 1))], -1)
