"""Pushes as external forces of the plan, and their effect on the body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...character.kinematic_model import KinematicModel
from ...errors import TaskError
from ...motion import ConstraintViolation
from ...plan.external import ExternalForce
from ...plan.horizon import CentroidalState
from ...task import Push, Task
from .scaling import Scale

Array = NDArray[np.float64]

# Time in which the rotation caused by a push is stopped [s].
TURN_STOP_TIME = 0.3
# Time from the start of a push in which steps recover the balance [s].
RECOVERY_TIME = 2.0
# Maximum time of violated constraints in the recovery [s]; longer is noted.
MAX_RELAXED_TIME = 0.2
# Maximum time of violated leg reach after a push with a moment [s]; longer is noted.
MAX_TWISTED_TIME = 0.5


def begin_pushes(pushes: tuple[Push, ...], scale: Scale, now: float) -> tuple[Push, ...]:
    """Return pushes of a command at human scale, which begin now.

    Args:
        pushes: pushes at the scale of the task.
        scale: units of the human scale.
        now: current time at human scale [s].
    """
    return tuple(replace(push.in_units(scale.length, scale.time), time=now) for push in pushes)


def find_pushed_link(character: Character, part_name: str) -> int | None:
    """Return the index of the link on which a push acts; None for the center of mass.

    Raises:
        TaskError: the body has no such part.
    """
    link = list_push_parts(character).get(part_name)
    if link is None and part_name != "com":
        raise TaskError(f"A push acts at {part_name!r}; {character.name} has no such part.")
    return link


def list_push_parts(character: Character) -> dict[str, int]:
    """Return the links on which pushes can act, by the names of the body parts."""
    parts = {"pelvis": 0, "chest": character.trunk[-1] if character.trunk else 0}
    if character.head is not None:
        parts["head"] = character.head
    for name, limbs in (("hand", character.arms), ("foot", character.legs)):
        parts |= {
            f"{name}.{'L' if limb.side > 0 else 'R'}": limb.links[-1] for limb in limbs if limb.side
        }
    return parts


def compute_external_forces(
    task: Task,
    model: KinematicModel,
    rotation_at: Callable[[Array], Array],
    times: Array | None = None,
    poses: Array | None = None,
) -> tuple[ExternalForce, ...]:
    """Return the pushes of a task with their lever arms about the center of mass.

    Args:
        rotation_at: rotations of the body (n, 3, 3) at times (n,) [s]. They turn the neutral pose
            if no poses are given.
        times, poses: (n,) [s] and (n, nq) of an earlier solution, if there is one.
    """
    if not task.pushes:
        return ()
    weight = model.character.mass * task.gravity
    placed = model.compute_link_poses(model.neutral[None] if poses is None else poses)
    out = []
    for push in task.pushes:
        link = find_pushed_link(model.character, push.body_part)
        arm = (
            np.zeros((len(placed.com), 3))
            if link is None
            else placed.link_com[:, link] - placed.com
        )
        force = np.asarray(push.force) / weight
        moment = np.asarray(push.moment) / weight
        out.append(
            ExternalForce(
                push.time,
                push.end,
                force,
                arm=_make_lever_arm(arm, rotation_at, times),
                moment=moment,
            )
        )
    return tuple(out)


def _make_lever_arm(
    arm: Array, rotation_at: Callable[[Array], Array], times: Array | None
) -> Callable[[Array], Array]:
    if times is None:
        return lambda t: (rotation_at(t) @ arm[0][:, None])[..., 0]
    return lambda t: np.stack([np.interp(t, times, arm[:, axis]) for axis in range(3)], -1)


def predict_velocity_gain(
    external_forces: tuple[ExternalForce, ...],
    now: CentroidalState,
    time: float,
    gravity: float,
    height: float,
) -> Callable[[Array], Array]:
    """Return a function of the horizontal velocity that a pushed body will still gain.

    It maps times (n,) [s] to (n, 2) [m/s]. The remaining push acts about the foot, not about the
    center of mass: a push on the head moves the body farther, one on a foot hardly at all, and a
    moment moves it, too. So does the present angular momentum, since the forces that stop the
    rotation accelerate the body.

    Args:
        now: state of the body at `time` [s].
        gravity: [m/s^2].
        height: of the center of mass above the ground [m].
    """
    active = [e for e in external_forces if e.begin <= time < e.end]
    turning_velocity = gravity / height * np.array([now.momentum[1], -now.momentum[0]])

    def evaluate_gain(times: Array) -> Array:
        out = np.clip((times - time) / TURN_STOP_TIME, 0, 1)[:, None] * turning_velocity
        for e in active:
            lever = 1 + float(e.arm(np.array([time]))[0, 2]) / height
            out = out + gravity * lever * e.integrate_force(times, time).integral[:, :2]
            x, y = e.angular_impulse_at(times, time)[:, :2].T
            out = out + gravity / height * np.stack([y, -x], -1)
        return out

    return evaluate_gain


def make_recovery_notes(
    task: Task, violations: tuple[ConstraintViolation, ...], run_up_time: float, time_unit: float
) -> tuple[str, ...]:
    """Return a note for each push from which a body recovers only with relaxed constraints.

    Args:
        run_up_time: start of the clip in the time of the task [s].
        time_unit: duration in the clip of one second of the task [s].
    """
    out = []
    for push in task.pushes:
        twisted_time = (
            _sum_violation_time([e for e in violations if e.reason == "reach"], push)
            if any(push.moment)
            else 0.0
        )
        if (
            _sum_violation_time([e for e in violations if e.reason != "reach"], push)
            > MAX_RELAXED_TIME
            or twisted_time > MAX_TWISTED_TIME
        ):
            out.append(
                f"the push at {(push.time - run_up_time) * time_unit:.2f} s is more than steps "
                "can catch: the body recovers only with relaxed constraints. Make it weaker, "
                "shorter or nearer to the center of mass"
            )
    return tuple(out)


def _sum_violation_time(violations: list[ConstraintViolation], push: Push) -> float:
    """Return the total time of violations during the recovery from a push [s]."""
    return sum(
        max(min(e.end, push.time + RECOVERY_TIME) - max(e.begin, push.time), 0.0)
        for e in violations
    )
