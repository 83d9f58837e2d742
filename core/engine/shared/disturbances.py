"""Pushes on parts of the body, as the plan feels them."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...character.kinematic_model import KinematicModel
from ...errors import TaskError
from ...motion import Easing
from ...plan.external import ExternalForce
from ...plan.horizon import State
from ...task import Push, Task

Array = NDArray[np.float64]

STOPPED = 0.3         # s in which a body that a push has turned stops turning
CAUGHT = 2.0          # s after a push in which steps catch it
FALLS = 0.2           # s in which the body cannot do as planned, from which on that is a fall
TWISTED = 0.5         # the same where legs do not reach around a body that a moment has turned


def link_at(character: Character, place: str) -> int | None:
    """The link that a push acts on; None for the centre of mass.

    Raises:
        TaskError: the body has no such part.
    """
    found = parts_of(character).get(place)
    if found is None and place != "com":
        raise TaskError(f"A push acts at {place!r}; {character.name} has no such part.")
    return found


def parts_of(character: Character) -> dict[str, int]:
    """The links of a body that pushes act on, by the names of the places."""
    parts = {"pelvis": 0, "chest": character.trunk[-1] if character.trunk else 0}
    if character.head is not None:
        parts["head"] = character.head
    for name, limbs in (("hand", character.arms), ("foot", character.legs)):
        parts |= {f"{name}.{'L' if limb.side > 0 else 'R'}": limb.links[-1] for limb in limbs if limb.side}
    return parts


def felt(task: Task, model: KinematicModel, turn: Callable[[Array], Array], times: Array | None = None,
         poses: Array | None = None) -> tuple[ExternalForce, ...]:
    """The pushes of a task with their arms on the body.

    Args:
        turn: rotations (n, 3, 3) of the body at times (n,), which carry the neutral pose where poses are not known.
        times, poses: (n,), (n, nq) that the body takes, where they are known.
    """
    if not task.pushes:
        return ()
    weight = model.character.mass * task.gravity
    placed = model.place(model.neutral[None] if poses is None else poses)
    out = []
    for push in task.pushes:
        link = link_at(model.character, push.at)
        arm = np.zeros((len(placed.com), 3)) if link is None else placed.centre[:, link] - placed.com
        force, moment = np.asarray(push.force) / weight, np.asarray(push.moment) / weight
        out.append(ExternalForce(push.time, push.end, force, _arm(arm, turn, times), moment))
    return tuple(out)


def _arm(arm: Array, turn: Callable[[Array], Array], times: Array | None) -> Callable[[Array], Array]:
    if times is None:
        return lambda t: (turn(t) @ arm[0][:, None])[..., 0]
    return lambda t: np.stack([np.interp(t, times, arm[:, axis]) for axis in range(3)], -1)


def yet_to_come(external: tuple[ExternalForce, ...], now: State, time: float, gravity: float,
                height: float) -> Callable[[Array], Array]:
    """The velocity that a pushed body will yet gain, at times (n,), (n, 2) m/s.

    What is left of the push acts about the foot and not about the centre of mass: one on the head carries the body farther,
    one on a foot hardly at all, and a moment carries it too. So does the angular momentum that the body has by now: the forces
    that stop it from turning carry it on.

    Args:
        now: the body at `time`.
        gravity: m/s^2.
        height: of the centre of mass over the ground, m.
    """
    felt_still = [e for e in external if e.begin <= time < e.end]
    turning = gravity / height * np.array([now.momentum[1], -now.momentum[0]])

    def gained(times: Array) -> Array:
        out = np.clip((times - time) / STOPPED, 0, 1)[:, None] * turning
        for e in felt_still:
            lever = 1 + float(e.arm(np.array([time]))[0, 2]) / height
            out = out + gravity * lever * e.integrals(times, time)[0][:, :2]
            x, y = e.turning(times, time)[:, :2].T
            out = out + gravity / height * np.stack([y, -x], -1)
        return out
    return gained


def told_falls(task: Task, eased: tuple[Easing, ...], before: float, unit: float) -> tuple[str, ...]:
    """A note for each push that no steps would have caught.

    Args:
        before: s that the clip begins after time 0.
        unit: s of the clip for one of the task's.
    """
    out = []
    for push in task.pushes:
        turned = _lasting([e for e in eased if e.reason == "reach"], push) if any(push.moment) else 0.0
        if _lasting([e for e in eased if e.reason != "reach"], push) > FALLS or turned > TWISTED:
            out.append(f"the push at {(push.time - before) * unit:.2f} s is more than steps can catch: the body falls there. "
                       "Make it weaker, shorter or nearer to the centre of mass")
    return tuple(out)


def _lasting(eased: list[Easing], push: Push) -> float:
    """For how long something gave way in the time in which steps catch a push, s."""
    return sum(max(min(e.end, push.time + CAUGHT) - max(e.begin, push.time), 0.0) for e in eased)
