"""Pushes on parts of the body, as the plan feels them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...character.kinematic_model import KinematicModel
from ...errors import TaskError
from ...motion import ConstraintViolation
from ...plan.external import ExternalForce
from ...plan.horizon import CentroidalState
from ...task import Push, Task

Array = NDArray[np.float64]

TURN_STOP_TIME = 0.3  # s in which a body that a push has turned stops turning
RECOVERY_TIME = 2.0  # s after a push in which steps catch it
MAX_RELAXED_TIME = 0.2  # s in which the body cannot do as planned, from which on that is a fall
MAX_TWISTED_TIME = 0.5  # the same where legs do not reach around a body that a moment has turned


def find_pushed_link(character: Character, part_name: str) -> int | None:
    """The link that a push acts on; None for the centre of mass.

    Raises:
        TaskError: the body has no such part.
    """
    link = list_push_parts(character).get(part_name)
    if link is None and part_name != "com":
        raise TaskError(f"A push acts at {part_name!r}; {character.name} has no such part.")
    return link


def list_push_parts(character: Character) -> dict[str, int]:
    """The links of a body that pushes act on, by the names of the places."""
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
    """The pushes of a task with their arms on the body.

    Args:
        rotation_at: rotations (n, 3, 3) of the body at times (n,), which carry the neutral pose
            where poses are not known.
        times, poses: (n,), (n, nq) that the body takes, where they are known.
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
    """The velocity that a pushed body will yet gain, at times (n,), (n, 2) m/s.

    What is left of the push acts about the foot and not about the centre of mass: one on the head
    carries the body farther, one on a foot hardly at all, and a moment carries it too. So does the
    angular momentum that the body has by now: the forces that stop it from turning carry it on.

    Args:
        now: the body at `time`.
        gravity: m/s^2.
        height: of the centre of mass over the ground, m.
    """
    active = [e for e in external_forces if e.begin <= time < e.end]
    turning_velocity = gravity / height * np.array([now.momentum[1], -now.momentum[0]])

    def evaluate_gain(times: Array) -> Array:
        out = np.clip((times - time) / TURN_STOP_TIME, 0, 1)[:, None] * turning_velocity
        for e in active:
            lever = 1 + float(e.arm(np.array([time]))[0, 2]) / height
            out = out + gravity * lever * e.integrals_at(times, time)[0][:, :2]
            x, y = e.angular_impulse_at(times, time)[:, :2].T
            out = out + gravity / height * np.stack([y, -x], -1)
        return out

    return evaluate_gain


def make_fall_notes(
    task: Task, violations: tuple[ConstraintViolation, ...], run_up_time: float, time_unit: float
) -> tuple[str, ...]:
    """A note for each push that no steps would have caught.

    Args:
        run_up_time: s that the clip begins after time 0.
        time_unit: s of the clip for one of the task's.
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
                "can catch: the body falls there. Make it weaker, shorter or nearer to the centre "
                "of mass"
            )
    return tuple(out)


def _sum_violation_time(violations: list[ConstraintViolation], push: Push) -> float:
    """For how long something gave way in the time in which steps catch a push, s."""
    return sum(
        max(min(e.end, push.time + RECOVERY_TIME) - max(e.begin, push.time), 0.0)
        for e in violations
    )
