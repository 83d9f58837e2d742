"""Mirror images of windows, by which a network sees each window begin on the left foot.

A symmetric body in a symmetric style moves on its right foot as on its left one, in a mirror. A
network that learns one of the two needs half of the samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...character.kinematic_model import KinematicModel
from ...clip import Style
from ...motion import Footstep
from .sketch_curves import FOOT_COUNT, GAIT_COUNT
from .states import StateVectors
from .windows import WINDOWS, Windows

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Signs of a vector, and of an axis of rotation, seen in a mirror that stands upright along x
VECTOR_SIGNS = np.array([1.0, -1.0, 1.0])
AXIS_SIGNS = -VECTOR_SIGNS
# Largest distance of a link from its mirror image in a symmetric body [m]
MAX_ASYMMETRY = 1e-3
# Largest angle of a joint in the pose by which a body's symmetry is tested [rad]
TEST_ANGLE = 0.3


@dataclass(frozen=True)
class SignedOrder:
    """A change of order and signs of the entries of vectors.

    Args:
        index: which entry comes into each place, shape (k,).
        sign: factor of each, shape (k,).
    """

    index: IntArray
    sign: Array

    def apply(self, vectors: Array) -> Array:
        """Return changed vectors. (..., k) -> (..., k)."""
        return np.asarray(vectors[..., self.index] * self.sign)


@dataclass(frozen=True)
class Mirror:
    """Mirror image of the inputs and outputs of a network.

    Args:
        sketch: change of the inputs that a sketch determines.
        state: change of the vectors of states.
    """

    sketch: SignedOrder
    state: SignedOrder

    @staticmethod
    def from_body(vectors: StateVectors, style: Style) -> Mirror | None:
        """Return the mirror of a biped; None where body or style are not symmetric."""
        model = vectors.model
        if vectors.leg_count != 2 or not is_symmetric_style(style):
            return None
        pose = _mirror_pose(model)
        if pose is None or not _is_symmetric(model, pose):
            return None
        feet = np.array([3, 4, 5, 0, 1, 2])
        index = np.concatenate([np.arange(12), 12 + feet, 18 + pose.index])
        signs = [VECTOR_SIGNS, VECTOR_SIGNS, AXIS_SIGNS, AXIS_SIGNS, VECTOR_SIGNS, VECTOR_SIGNS]
        return Mirror(_mirror_sketch(), SignedOrder(index, np.concatenate([*signs, pose.sign])))

    def apply_to_inputs(self, inputs: Array) -> Array:
        """Return mirrored inputs: of the sketch, whether there is a state, and of the state."""
        sketch, flag, state = np.split(
            inputs, [len(self.sketch.index), len(self.sketch.index) + 1], axis=-1
        )
        return np.concatenate([self.sketch.apply(sketch), flag, self.state.apply(state)], -1)


def is_symmetric_style(style: Style) -> bool:
    """Return whether both sides of a style move alike."""
    return all(
        c.right_longer == 0 and c.right_later == 0 and c.right_lower == 0
        for c in (style.standing, *style.cycles)
    )


def find_mirrored(
    windows: Windows, footsteps: tuple[Footstep, ...], character: Character
) -> NDArray[np.bool_]:
    """Return whether the last foot to strike before each window is a right one, shape (w,)."""
    order = sorted(footsteps, key=lambda f: f.strike)
    strikes = np.array([f.strike for f in order])
    last = np.searchsorted(strikes, windows.begin + 0.5 * WINDOWS.min_period) - 1
    is_right = np.array([character.legs[f.leg].side < 0 for f in order])
    return is_right[np.maximum(last, 0)]


def _mirror_sketch() -> SignedOrder:
    """Return the change of the inputs of a sketch."""
    # Place, heading and lean; heights in front, behind, left and right; gait; feet; duration.
    pendulum = (np.arange(5), np.array([1.0, -1.0, -1.0, 1.0, -1.0]))
    heights = (5 + np.array([0, 1, 3, 2]), np.ones(4))
    gait = (9 + np.arange(GAIT_COUNT), np.ones(GAIT_COUNT))
    first = 9 + GAIT_COUNT
    one_foot = np.arange(FOOT_COUNT)
    feet = (
        first + np.concatenate([FOOT_COUNT + one_foot, one_foot]),
        np.tile([1.0, -1.0, 1.0, -1.0, 1.0, 1.0], 2),
    )
    index, sign = (
        np.concatenate(parts) for parts in zip(pendulum, heights, gait, feet, strict=True)
    )
    count = WINDOWS.sketch_count
    all_index = (len(index) * np.arange(count)[:, None] + index).ravel()
    return SignedOrder(
        np.append(all_index, count * len(index)), np.append(np.tile(sign, count), 1.0)
    )


def _mirror_pose(model: KinematicModel) -> SignedOrder | None:
    """Return the change of a change of pose; None where a joint has no counterpart."""
    links = {link.name: link for link in model.character.links}
    index = np.arange(model.nv)
    sign = np.ones(model.nv)
    for name, link in links.items():
        other = links.get(_swap_side(name))
        if other is None or (other.joint.kind, len(other.joint.axes)) != (
            link.joint.kind,
            len(link.joint.axes),
        ):
            return None
        dofs = model.joint_dofs(link.joint.name)
        index[dofs] = model.joint_dofs(other.joint.name)
        if link.joint.kind == "hinges":
            axes = np.array(link.joint.axes, float)
            mirrored = np.array(other.joint.axes, float) * AXIS_SIGNS
            sign[dofs] = np.sign((axes * mirrored).sum(-1))
        else:
            sign[dofs[-3:]] = AXIS_SIGNS
    sign[:3] = VECTOR_SIGNS
    return SignedOrder(index, sign)


def _swap_side(name: str) -> str:
    """Return the name of a link on the other side."""
    for side, other in ((".L", ".R"), (".R", ".L")):
        if name.endswith(side):
            return name.removesuffix(side) + other
    return name


def _is_symmetric(model: KinematicModel, mirror: SignedOrder) -> bool:
    """Return whether the links of a bent body and of its mirrored pose are mirror images."""
    bend = TEST_ANGLE * np.sin(1.0 + np.arange(model.nv))
    bend[:6] = 0.0
    poses = model.integrate(np.tile(model.neutral, (2, 1)), np.stack([bend, mirror.apply(bend)]))
    placed = model.compute_link_poses(poses).link_com
    names = [link.name for link in model.character.links]
    other = [names.index(_swap_side(name)) for name in names]
    distance = np.abs(placed[1][other] * VECTOR_SIGNS - placed[0]).max()
    return bool(distance < MAX_ASYMMETRY)
