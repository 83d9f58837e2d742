"""Poses, plan and wish written down as a motion."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel, LinkPoses
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.targets import BodyTargets
from ...fullbody.toes import place_sole
from ...geometry import so3
from ...motion import Motion, Report
from ...motion.easing import find_violations, merge_violations
from ...motion.motion import Solid
from ...plan.external import ExternalForce
from ...plan.result import Plan
from ...sketch.sketch import Sketch
from ...task import Task

Array = NDArray[np.float64]

SOLE_POINT_NAMES = ("heel", "ball", "tip")
RUNG_HALF_LENGTH = 0.3  # m, half the length of a rung in pictures
MIN_MOMENT = 1e-6  # N m, less than which is none
# m between planned and actual centre of mass, above which the plan counts as eased
MAX_COM_ERROR = 0.01


def record_motion(
    task: Task,
    model: KinematicModel,
    sketch: Sketch,
    plan: Plan,
    targets: BodyTargets,
    poses: Array,
    external_forces: tuple[ExternalForce, ...],
    report: Report,
) -> Motion:
    """Everything that a motion tells, from poses (n, nq) and what they were to fulfil."""
    character = model.character
    placed = model.compute_link_poses(poses)
    reference = model.compute_link_poses(targets.reference)
    sample = plan.sample(targets.time)
    n = len(poses)
    legs = len(character.legs)
    feet = [
        _find_foot_contacts(
            task,
            model,
            leg,
            path=targets.feet[leg],
            placed=placed,
            planned_force=sample.force[:, leg],
        )
        for leg in range(legs)
    ]
    hands = _find_hand_contacts(model, targets, poses, sample.force[:, legs:, 0])
    goal = np.zeros((n, 3))
    course = sketch.course
    goal[:, :2] = np.stack(
        [np.interp(targets.time, course.time, course.target_velocity[:, k]) for k in range(2)], -1
    )
    is_off_plan = np.linalg.norm(placed.com - sample.com, axis=1) > MAX_COM_ERROR
    violations = merge_violations(
        [
            *(e for e in plan.violations if e.begin < targets.time[-1]),
            *find_violations(targets.time, is_off_plan, "miss"),
        ]
    )
    relaxed = (
        np.any([(targets.time >= e.begin) & (targets.time <= e.end) for e in violations], axis=0)
        if violations
        else np.zeros(n, bool)
    )
    push_arrays = _sum_pushes(targets.time, external_forces, placed.com, plan.weight)
    mesh = task.ground.to_mesh()
    is_style_link = np.isin(np.arange(len(character.links)), find_style_links(model))
    return Motion(
        fps=task.fps,
        gravity=np.array([0.0, 0.0, -task.gravity]),
        link_names=character.link_names(),
        link_mass=model.link_mass,
        link_inertia=model.link_inertia,
        link_position=placed.link_com,
        link_orientation=so3.quat_unwrap(so3.quat_from_matrix(placed.rotation)),
        contact_names=(*(name for foot in feet for name in foot.names), *hands.names),
        contact_limb=(
            *(
                limb.name
                for limb, foot in zip(character.legs, feet, strict=True)
                for _ in foot.names
            ),
            *hands.limbs,
        ),
        contact_position=np.concatenate([*(foot.place for foot in feet), hands.place], 1),
        contact_active=np.concatenate([*(foot.active for foot in feet), hands.active], 1),
        contact_force=np.concatenate([*(foot.force for foot in feet), hands.force], 1),
        push_force=push_arrays[0],
        push_point=push_arrays[1],
        push_moment=push_arrays[2],
        planned_com=sample.com,
        goal_velocity=goal,
        reference_orientation=so3.quat_unwrap(so3.quat_from_matrix(reference.rotation)),
        style_links=is_style_link,
        relaxed=relaxed,
        terrain_vertices=None if mesh is None else mesh[0],
        terrain_triangles=None if mesh is None else mesh[1],
        toe_orientation=np.stack([foot.toes for foot in feet], 1),
        link_origin=placed.origin,
        path=task.path.points,
        footsteps=plan.footsteps,
        solids=make_solids(model),
        rungs=_find_rung_ends(task),
        hurdles=_find_hurdle_ends(task),
        hurdle_depth=np.array([hurdle.depth for hurdle in task.hurdles], float),
        report=replace(report, violations=violations),
    )


@dataclass(frozen=True)
class _FootContacts:
    """Where one foot touches the ground, or may: heel, ball and tip of a sole, the one point of
    a round foot; n frames.
    """

    names: tuple[str, ...]
    place: Array  # (n, p, 3)
    active: NDArray[np.bool_]  # (n, p)
    force: Array  # (n, p, 3) N
    toes: Array  # (n, 4) orientation


def _find_foot_contacts(
    task: Task,
    model: KinematicModel,
    leg: int,
    path: FootPath,
    placed: LinkPoses,
    planned_force: Array,
) -> _FootContacts:
    foot = model.character.feet[leg]
    origin = placed.origin[:, foot.link]
    rotation = placed.rotation[:, foot.link]
    name = model.character.links[foot.link].name
    toe_down = (path.support == FootSupport.FLAT) | (path.support == FootSupport.BALL)
    if foot.is_point:
        place = origin + rotation @ foot.sphere_center - foot.radius * path.rest_rotation[..., 2]
        return _FootContacts(
            (f"{name}/point",),
            place[:, None],
            toe_down[:, None],
            force=planned_force[:, 1:] * toe_down[:, None, None],
            toes=so3.quat_unwrap(so3.quat_from_matrix(rotation)),
        )
    sole = place_sole(foot, path, origin, rotation=rotation, ground=task.ground)
    active = np.stack(
        [
            (path.support == FootSupport.HEEL) | (path.support == FootSupport.FLAT),
            toe_down,
            np.zeros(len(origin), bool),
        ],
        1,
    )
    force = np.concatenate([planned_force, np.zeros((len(origin), 1, 3))], 1) * active[..., None]
    return _FootContacts(
        tuple(f"{name}/{point}" for point in SOLE_POINT_NAMES),
        sole.points,
        active,
        force=force,
        toes=so3.quat_unwrap(so3.quat_from_matrix(sole.toes)),
    )


@dataclass(frozen=True)
class _HandContacts:
    """Hands of a body that holds on with them, none of any other; n frames."""

    names: tuple[str, ...]
    limbs: tuple[str, ...]
    place: Array  # (n, h, 3) of the grips
    active: NDArray[np.bool_]  # (n, h)
    force: Array  # (n, h, 3) N


def _find_hand_contacts(
    model: KinematicModel, targets: BodyTargets, poses: Array, force: Array
) -> _HandContacts:
    n = len(poses)
    if not targets.hands:
        return _HandContacts(
            (), (), np.zeros((n, 0, 3)), active=np.zeros((n, 0), bool), force=np.zeros((n, 0, 3))
        )
    placed = model.compute_link_poses(poses)
    limbs = tuple(limb.name for limb in model.character.grasping_arms)
    place = np.stack(
        [
            placed.origin[:, hand.link] + placed.rotation[:, hand.link] @ hand.grip
            for hand in model.character.hands
        ],
        1,
    )
    active = np.stack([hand.is_holding for hand in targets.hands], 1)
    names = tuple(limb.replace("arm", "hand", 1) + "/grip" for limb in limbs)
    return _HandContacts(names, limbs, place, active=active, force=force * active[..., None])


def _find_rung_ends(task: Task) -> Array:
    """Ends of the rungs of bars overhead, across the way along them. (r, 2, 3)."""
    if task.monkey_bars is None:
        return np.zeros((0, 2, 3))
    rungs = task.monkey_bars.rungs
    direction = np.gradient(rungs[:, :2], axis=0)
    across = (
        np.column_stack([-direction[:, 1], direction[:, 0], np.zeros(len(direction))])
        / np.linalg.norm(direction, axis=1)[:, None]
    )
    return np.stack([rungs - RUNG_HALF_LENGTH * across, rungs + RUNG_HALF_LENGTH * across], 1)


def _find_hurdle_ends(task: Task) -> Array:
    """Return the ends of the hurdles' bars, at their height above the ground. (h, 2, 3) [m]."""
    ends = np.array([(hurdle.start, hurdle.end) for hurdle in task.hurdles], float).reshape(
        -1, 2, 2
    )
    ground = np.nan_to_num(task.ground.sample_heights(ends.mean(1)))  # a bar may hang over a gap
    level = ground + [hurdle.height for hurdle in task.hurdles]
    return np.concatenate([ends, np.broadcast_to(level[:, None, None], (len(ends), 2, 1))], -1)


def _sum_pushes(
    times: Array, external_forces: tuple[ExternalForce, ...], com: Array, weight: float
) -> tuple[Array, Array, Array]:
    """Sum of all forces, N, a point where it does what they do, or nearly, and the moment,
    N m, that does the rest.

    Where there is a moment alone, the point is where it acts on the body. Each (n, 3).
    """
    force, torque, moment, place = (np.zeros((len(times), 3)) for _ in range(4))
    for external_force in external_forces:
        acting = external_force.force_at(times)
        turning = external_force.moment_at(times)
        force += weight * acting
        torque += weight * np.cross(external_force.arm(times), acting)
        moment += weight * turning
        place = np.where(turning.any(1, keepdims=True), com + external_force.arm(times), place)
    size = (force**2).sum(1, keepdims=True)
    has_force = size > 1e-6
    point = np.where(has_force, com + np.cross(force, torque) / np.maximum(size, 1e-6), place)
    # of forces that pass each other by
    moment += torque - np.where(has_force, np.cross(point - com, force), 0.0)
    return force, point, np.where(np.abs(moment).max(1, keepdims=True) > MIN_MOMENT, moment, 0.0)


def find_style_links(model: KinematicModel) -> list[int]:
    """Pelvis, trunk, head and arms: the links by which a style is judged."""
    character = model.character
    head = [] if character.head is None else [character.head]
    return [0, *character.trunk, *(k for arm in character.arms for k in arm.links), *head]


def make_solids(model: KinematicModel) -> tuple[Solid, ...]:
    """Capsules for pictures, in the frames of the links' centres of mass."""
    rest = model.compute_link_poses(model.neutral[None])
    out = []
    for capsule in model.capsules:
        shift = rest.link_com[0, capsule.link] - rest.origin[0, capsule.link]
        out.append(Solid(capsule.link, capsule.start - shift, capsule.end - shift, capsule.radius))
    return tuple(out)
