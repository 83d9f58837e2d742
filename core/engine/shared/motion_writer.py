"""Poses, plan and wish written down as a motion."""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel, Placed
from ...fullbody.foot_path import FootPath, Hold
from ...fullbody.targets import Wish
from ...fullbody.toes import lay_sole
from ...geometry import so3
from ...motion import Motion, Report
from ...motion.easing import joined, stretches
from ...motion.motion import Solid
from ...plan.external import ExternalForce
from ...plan.result import Plan
from ...sketch.sketch import Sketch
from ...task import Task

Array = NDArray[np.float64]

POINTS = ("heel", "ball", "tip")
RUNG = 0.3            # m, half the length of a rung in pictures
NOTHING = 1e-6        # N m, less than which is none
MISSED = 0.01         # m between planned and actual centre of mass, above which the plan counts as eased


def record_motion(task: Task, model: KinematicModel, drawn: Sketch, plan: Plan, wish: Wish, poses: Array,
                  external: tuple[ExternalForce, ...], report: Report) -> Motion:
    """Everything that a motion tells, from poses (n, nq) and what they were to fulfil."""
    character = model.character
    placed, reference = model.place(poses), model.place(wish.reference)
    sample = plan.at(wish.time)
    n, legs = len(poses), len(character.legs)
    feet = [_touching(task, model, leg, wish.feet[leg], placed, sample.force[:, leg]) for leg in range(legs)]
    hands = _hands(model, wish, poses, sample.force[:, legs:, 0])
    goal = np.zeros((n, 3))
    course = drawn.course
    goal[:, :2] = np.stack([np.interp(wish.time, course.time, course.goal[:, k]) for k in range(2)], -1)
    missed = np.linalg.norm(placed.com - sample.com, axis=1) > MISSED
    eased = joined([*(e for e in plan.eased if e.begin < wish.time[-1]), *stretches(wish.time, missed, "miss")])
    relaxed = np.any([(wish.time >= e.begin) & (wish.time <= e.end) for e in eased], axis=0) if eased else np.zeros(n, bool)
    pushed = _pushes(wish.time, external, placed.com, plan.weight)
    mesh = task.ground.mesh()
    style = np.isin(np.arange(len(character.links)), style_links(model))
    return Motion(
        fps=task.fps, gravity=np.array([0.0, 0.0, -task.gravity]), link_names=character.link_names(), link_mass=model.link_mass,
        link_inertia=model.link_inertia, link_position=placed.centre,
        link_orientation=so3.continuous(so3.quat_from_matrix(placed.rotation)),
        contact_names=(*(name for foot in feet for name in foot.names), *hands.names),
        contact_limb=(*(limb.name for limb, foot in zip(character.legs, feet, strict=True) for _ in foot.names), *hands.limbs),
        contact_position=np.concatenate([*(foot.place for foot in feet), hands.place], 1),
        contact_active=np.concatenate([*(foot.active for foot in feet), hands.active], 1),
        contact_force=np.concatenate([*(foot.force for foot in feet), hands.force], 1), push_force=pushed[0],
        push_point=pushed[1], push_moment=pushed[2], planned_com=sample.com, goal_velocity=goal,
        reference_orientation=so3.continuous(so3.quat_from_matrix(reference.rotation)), style_links=style,
        relaxed=relaxed,
        terrain_vertices=None if mesh is None else mesh[0], terrain_triangles=None if mesh is None else mesh[1],
        toe_orientation=np.stack([foot.toes for foot in feet], 1),
        link_origin=placed.origin, path=task.path.points, footsteps=plan.footsteps,
        solids=solids_of(model), rungs=_rungs(task), hurdles=_hurdle_bars(task),
        hurdle_depth=np.array([hurdle.depth for hurdle in task.hurdles], float), report=replace(report, eased=eased))


@dataclass(frozen=True)
class _Touching:
    """Where one foot touches the ground, or may: heel, ball and tip of a sole, the one point of a round foot; n frames."""

    names: tuple[str, ...]
    place: Array                  # (n, p, 3)
    active: NDArray[np.bool_]     # (n, p)
    force: Array                  # (n, p, 3) N
    toes: Array                   # (n, 4) orientation


def _touching(task: Task, model: KinematicModel, leg: int, path: FootPath, placed: Placed, planned: Array) -> _Touching:
    foot = model.character.feet[leg]
    origin, rotation, name = placed.origin[:, foot.link], placed.rotation[:, foot.link], model.character.links[foot.link].name
    toe_down = (path.hold == Hold.FLAT) | (path.hold == Hold.BALL)
    if foot.is_point:
        place = origin + rotation @ foot.middle - foot.radius * path.rest[..., 2]
        return _Touching((f"{name}/point",), place[:, None], toe_down[:, None], planned[:, 1:] * toe_down[:, None, None],
                         so3.continuous(so3.quat_from_matrix(rotation)))
    sole = lay_sole(foot, path, origin, rotation, task.ground)
    active = np.stack([(path.hold == Hold.HEEL) | (path.hold == Hold.FLAT), toe_down, np.zeros(len(origin), bool)], 1)
    force = np.concatenate([planned, np.zeros((len(origin), 1, 3))], 1) * active[..., None]
    return _Touching(tuple(f"{name}/{point}" for point in POINTS), sole.points, active, force,
                     so3.continuous(so3.quat_from_matrix(sole.toes)))


@dataclass(frozen=True)
class _Hands:
    """Hands of a body that holds on with them, none of any other; n frames."""

    names: tuple[str, ...]
    limbs: tuple[str, ...]
    place: Array              # (n, h, 3) of the grips
    active: NDArray[np.bool_]     # (n, h)
    force: Array              # (n, h, 3) N


def _hands(model: KinematicModel, wish: Wish, poses: Array, force: Array) -> _Hands:
    n = len(poses)
    if not wish.hands:
        return _Hands((), (), np.zeros((n, 0, 3)), np.zeros((n, 0), bool), np.zeros((n, 0, 3)))
    placed = model.place(poses)
    limbs = tuple(limb.name for limb in model.character.holders)
    place = np.stack([placed.origin[:, hand.link] + placed.rotation[:, hand.link] @ hand.grip for hand in model.character.hands], 1)
    active = np.stack([hand.hold for hand in wish.hands], 1)
    names = tuple(limb.replace("arm", "hand", 1) + "/grip" for limb in limbs)
    return _Hands(names, limbs, place, active, force * active[..., None])


def _rungs(task: Task) -> Array:
    """Ends of the rungs of bars overhead, across the way along them. (r, 2, 3)."""
    if task.bars is None:
        return np.zeros((0, 2, 3))
    rungs = task.bars.rungs
    way = np.gradient(rungs[:, :2], axis=0)
    across = np.column_stack([-way[:, 1], way[:, 0], np.zeros(len(way))]) / np.linalg.norm(way, axis=1)[:, None]
    return np.stack([rungs - RUNG * across, rungs + RUNG * across], 1)


def _hurdle_bars(task: Task) -> Array:
    """Return the ends of the hurdles' bars, at their height above the ground. (h, 2, 3) [m]."""
    ends = np.array([(hurdle.start, hurdle.end) for hurdle in task.hurdles], float).reshape(-1, 2, 2)
    ground = np.nan_to_num(task.ground.height(ends.mean(1)))          # a bar may hang over a gap
    level = ground + [hurdle.height for hurdle in task.hurdles]
    return np.concatenate([ends, np.broadcast_to(level[:, None, None], (len(ends), 2, 1))], -1)


def _pushes(times: Array, external: tuple[ExternalForce, ...], com: Array, weight: float) -> tuple[Array, Array, Array]:
    """Sum of all forces, N, a point where it does what they do, or nearly, and the moment, N m, that does the rest.

    Where there is a moment alone, the point is where it acts on the body. Each (n, 3).
    """
    force, torque, moment, place = (np.zeros((len(times), 3)) for _ in range(4))
    for e in external:
        acting, turning = e.at(times), e.moment_at(times)
        force += weight * acting
        torque += weight * np.cross(e.arm(times), acting)
        moment += weight * turning
        place = np.where(turning.any(1, keepdims=True), com + e.arm(times), place)
    size = (force**2).sum(1, keepdims=True)
    pushed = size > 1e-6
    point = np.where(pushed, com + np.cross(force, torque) / np.maximum(size, 1e-6), place)
    moment += torque - np.where(pushed, np.cross(point - com, force), 0.0)          # of forces that pass each other by
    return force, point, np.where(np.abs(moment).max(1, keepdims=True) > NOTHING, moment, 0.0)


def style_links(model: KinematicModel) -> list[int]:
    """Pelvis, trunk, head and arms: the links by which a style is judged."""
    character = model.character
    head = [] if character.head is None else [character.head]
    return [0, *character.trunk, *(k for arm in character.arms for k in arm.links), *head]


def solids_of(model: KinematicModel) -> tuple[Solid, ...]:
    """Capsules for pictures, in the frames of the links' centres of mass."""
    rest = model.place(model.neutral[None])
    out = []
    for capsule in model.capsules:
        shift = rest.centre[0, capsule.link] - rest.origin[0, capsule.link]
        out.append(Solid(capsule.link, capsule.start - shift, capsule.end - shift, capsule.radius))
    return tuple(out)
