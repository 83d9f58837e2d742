"""Arms that swing against the legs and a head that stays level, or both as in a style.

Springs and dampers between them and the trunk, whose rest moves, make their motion. Controllers do
not know of them: to those they are disturbances, as arms are in Wu and Popović (2010).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...character.kinematic_model import KinematicModel
from ...geometry import so3
from .parts import Hinge, MovementPart, UpperLimb
from .trained_body import TRAINED
from .upper_body_style import UpperBodyAngles

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JointSpring:
    """Spring and damper of a hinge whose rest moves.

    Args:
        stiffness: [N m/rad].
        damping: [N m s/rad].
    """

    stiffness: float
    damping: float


@dataclass(frozen=True)
class UpperLimbParameters:
    """Motion of arms and head, for the body of the reference size.

    Args:
        shoulder, elbow, neck: springs. Tuned: the damping of the trunk's controller is too strong
            for a trunk without its arms, and shakes it where these yield within a control step.
        swing: angle of an arm to that of the opposite leg.
        max_swing: largest angle of an arm forward and backward [rad], that of a fast human walk.
        elbow_bend: angle of an elbow at rest [rad], that of a hanging human arm.
        elbow_share: by which an elbow bends more as its arm swings forward.
        min_hang: share of its length by which an elbow is below its shoulder in arms that swing:
            within 37 degrees of the vertical. Others, such as wings, are parts of the trunk.
        max_neck: largest angle of the neck about each axis [rad], within the human range.
        max_styled: largest angle of a shoulder about each axis in a style [rad]: arms straight up.
    """

    shoulder: JointSpring = JointSpring(6000.0, 1000.0)
    elbow: JointSpring = JointSpring(2000.0, 250.0)
    neck: JointSpring = JointSpring(600.0, 40.0)
    swing: float = 0.4
    max_swing: float = 0.6
    elbow_bend: float = 0.15
    elbow_share: float = 0.3
    min_hang: float = 0.8
    max_neck: float = 0.5
    max_styled: float = 3.0


UPPER_LIMBS = UpperLimbParameters()
# Axes of hinges by name
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def list_limb_links(character: Character) -> dict[str, tuple[tuple[int, ...], ...]]:
    """Return the links of each part of arms and head, by the name of the limb.

    Arms that do not hang in the neutral pose are left out.
    """
    model = KinematicModel(character)
    origin = model.compute_link_poses(model.neutral[None]).origin[0]
    limbs: dict[str, tuple[tuple[int, ...], ...]] = {}
    for arm in character.arms:
        if len(arm.links) < 2:
            continue
        reach = origin[arm.links[1]] - origin[arm.links[0]]
        if -reach[2] >= UPPER_LIMBS.min_hang * np.linalg.norm(reach):
            fore = _with_children(character, arm.links[1])
            upper = tuple(k for k in _with_children(character, arm.links[0]) if k not in fore)
            limbs[f"arm.{'L' if arm.side > 0 else 'R'}"] = (upper, fore)
    if character.head is not None:
        limbs["head"] = (_with_children(character, (*character.neck, character.head)[0]),)
    return limbs


def _with_children(character: Character, link: int) -> tuple[int, ...]:
    """Return a link and all links beyond it."""
    links = [link]
    for k, other in enumerate(character.links):
        if other.parent in links and k not in links:
            links.append(k)
    return tuple(links)


def make_movable(limbs: tuple[UpperLimb, ...], *, has_style: bool) -> tuple[UpperLimb, ...]:
    """Return arms and heads with the hinges that move them.

    Args:
        has_style: whether arms move as in a style, in all directions.
    """
    hinge_arm = _hinge_styled_arm if has_style else _hinge_arm
    return tuple(
        replace(limb, parts=(_hinge_head if limb.name == "head" else hinge_arm)(limb.parts))
        for limb in limbs
    )


def _hinge_head(parts: tuple[MovementPart, ...]) -> tuple[MovementPart, ...]:
    limit = UPPER_LIMBS.max_neck
    hinges = tuple(Hinge(AXES[axis], -limit, limit) for axis in "zyx")
    return (replace(parts[0], hinges=hinges),)


def _hinge_arm(parts: tuple[MovementPart, ...]) -> tuple[MovementPart, ...]:
    """Return an arm that swings about the axis to the left; elbows bend forward, against it."""
    limit = 2 * UPPER_LIMBS.max_swing
    return _hinge_shoulder(parts, (Hinge(AXES["y"], -limit, limit),))


def _hinge_styled_arm(parts: tuple[MovementPart, ...]) -> tuple[MovementPart, ...]:
    """Return an arm that moves in all directions."""
    limit = UPPER_LIMBS.max_styled
    return _hinge_shoulder(parts, tuple(Hinge(AXES[axis], -limit, limit) for axis in "xyz"))


def _hinge_shoulder(
    parts: tuple[MovementPart, ...], hinges: tuple[Hinge, ...]
) -> tuple[MovementPart, ...]:
    upper, fore = parts
    elbow = Hinge(AXES["y"], -2.0, 0.0)
    return replace(upper, hinges=hinges), replace(fore, hinges=(elbow,))


def find_joint_spring(limb: UpperLimb, part: int) -> JointSpring:
    """Return the spring of the hinges of a part of an arm or of a head.

    A head that is heavier than that of the search has a stiffer neck, of the same frequency: on the
    neck of the search large heads swing at the rate of the steps, and the body falls.
    """
    if limb.name != "head":
        return UPPER_LIMBS.shoulder if part == 0 else UPPER_LIMBS.elbow
    ratio = _compare_head(limb)
    return JointSpring(ratio * UPPER_LIMBS.neck.stiffness, ratio * UPPER_LIMBS.neck.damping)


def find_level_share(limb: UpperLimb) -> float:
    """Return the share of the trunk's turns that a neck takes out of its head.

    A head that stays level turns against its trunk, whose controller then loses its inertia. With
    this share the torque on the trunk is at most that in the search. Tuned: with 1, bodies whose
    heads are a third of their mass fell within 3 to 12 steps on a plane.
    """
    return 1.0 / _compare_head(limb)


def _compare_head(limb: UpperLimb) -> float:
    """Return the ratio of a head's inertia about its neck to that in the search, at least 1."""
    head = limb.parts[0]
    lever = head.center - head.joint
    inertia = float(np.trace(head.inertia)) + 2.0 * head.mass * float(lever @ lever)
    return max(inertia / TRAINED.head_inertia, 1.0)


def find_rest_angles(
    limbs: tuple[UpperLimb, ...],
    trunk: Array,
    legs: Array,
    *,
    facing: float,
    styled: UpperBodyAngles | None,
) -> Array:
    """Return the angles at which the springs of the limbs rest now, in the order of their hinges.

    Args:
        trunk: (3, 3) rotation of the trunk.
        legs: (2, 3) vectors from the hips to the ankles, left and right [m].
        facing: heading that the head looks to [rad].
        styled: angles of a style; None for arms that swing against the legs.
    """
    angles: list[float] = []
    for limb in limbs:
        if limb.name == "head":
            head = so3.rotation_about("z", facing)
            wanted = head if styled is None else head @ styled.head
            share = find_level_share(limb)
            angles += [share * angle for angle in _find_neck_angles(trunk, wanted)]
        elif styled is None:
            angles += _find_arm_angles(limb, legs @ trunk)
        else:
            angles += styled.arms[0 if limb.name.endswith("L") else 1].tolist()
    return np.array(angles)


def _find_arm_angles(limb: UpperLimb, legs: Array) -> list[float]:
    """Return the angles of shoulder and elbow of an arm that swings against the other side's leg.

    Args:
        legs: (2, 3) vectors from the hips to the ankles, in the axes of the trunk [m].
    """
    leg = legs[1 if limb.name.endswith("L") else 0]
    limit = UPPER_LIMBS.max_swing
    forward = float(np.arctan2(leg[0], -leg[2]))
    swing = float(np.clip(UPPER_LIMBS.swing * forward, -limit, limit))
    return [-swing, -(UPPER_LIMBS.elbow_bend + UPPER_LIMBS.elbow_share * max(swing, 0.0))]


def _find_neck_angles(trunk: Array, head: Array) -> list[float]:
    """Return the angles about z, y and x of a neck by the rotations of trunk and head (3, 3)."""
    wanted = trunk.T @ head
    pitch = float(np.arcsin(np.clip(-wanted[2, 0], -1.0, 1.0)))
    yaw = float(np.arctan2(wanted[1, 0], wanted[0, 0]))
    roll = float(np.arctan2(wanted[2, 1], wanted[2, 2]))
    limit = UPPER_LIMBS.max_neck
    return [float(np.clip(angle, -limit, limit)) for angle in (yaw, pitch, roll)]
