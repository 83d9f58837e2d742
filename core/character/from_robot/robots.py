"""The character of a robot from its MJCF or URDF file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ..character import Character, Foot, Limb
from ..link import Inertial, Joint, Link
from .file import read_robot
from .limbs import LimbChain, RobotLimbs, find_limbs
from .solids import LimbEnd, find_flat_sole, find_limb_end, make_shapes
from .stand import set_standing_pose
from .tree import BALL, RobotTree

Array = NDArray[np.float64]

# Distance of the ball of a foot from the rear of the sole [sole length]
BALL_POSITION_SHARE = 0.75
LETTER_OF_SIDE = {1: "L", -1: "R", 0: "M"}
# Greatest height difference of feet without a note [height of the root]
MAX_FOOT_HEIGHT_DIFFERENCE = 0.05


def load_robot(path: Path, fixed_joint_names: Sequence[str] = ()) -> Character:
    """Return the character of a robot.

    The neutral pose is the key pose 'home' of the file, or one with bent knees if there is no key
    pose. Masses and inertias are those of the file. Legs are the chains of links that end lowest,
    independent of their names. The notes of the character list parts that are not used.

    Args:
        path: of the file. Its meshes are not read and need not exist.
        fixed_joint_names: joints that keep their position, such as springs and fingers.

    Raises:
        CharacterError: the file cannot be read, it has no movable base, no legs or no mass, a
            joint of a leg slides, or there is no standing pose.
    """
    model = read_robot(path)
    tree = RobotTree(model, path.name, fixed_joint_names)
    set_standing_pose(tree)
    limbs = find_limbs(tree)
    return _RobotBuilder(tree, limbs).build(path.stem)


class _RobotBuilder:
    """Builds links and limbs from a robot in its standing pose."""

    def __init__(self, tree: RobotTree, limbs: RobotLimbs) -> None:
        self.tree = tree
        self.limbs = limbs
        self.joint_positions = [tree.joint_position(k) for k in range(len(tree.moving_links))]
        self.limb_ends = {k: find_limb_end(tree, k) for k in tree.list_leaves()}
        self.notes = list(tree.notes)

    def build(self, name: str) -> Character:
        links = tuple(self._make_link(k) for k in range(len(self.tree.moving_links)))
        legs = tuple(self._make_leg(chain) for chain in self.limbs.legs)
        arms = tuple(
            Limb(_limb_name("arm", chain, 0), "arm", chain.side, chain.links)
            for chain in self.limbs.arms
        )
        mass = sum(link.inertial.mass for link in links if link.inertial is not None)
        every = (*legs, *arms)
        names = [limb.name for limb in every]
        limbs = tuple(
            limb if names.count(limb.name) == 1 else _number_limb(limb, k)
            for k, limb in enumerate(every)
        )
        self._check_feet(legs)
        x = self.limbs
        return Character(
            name,
            links,
            limbs,
            trunk=x.trunk,
            head=x.head,
            mass=mass,
            notes=tuple(self.notes),
            neck=x.neck,
            tail=x.tail,
        )

    def _check_feet(self, legs: tuple[Limb, ...]) -> None:
        """Add a note if the feet are at different heights."""
        foot_heights = [float(self.limb_ends[leg.links[-1]].points[:, 2].min()) for leg in legs]
        standing_height = -min(foot_heights)
        if max(foot_heights) - min(foot_heights) > MAX_FOOT_HEIGHT_DIFFERENCE * standing_height:
            self.notes.append(
                "in the standing pose the feet differ in height by "
                f"{max(foot_heights) - min(foot_heights):.3f} m"
            )

    def _make_link(self, k: int) -> Link:
        mover = self.tree.moving_links[k]
        properties = self.tree.compute_mass_properties(k)
        ends = [
            self.joint_positions[j]
            for j, other in enumerate(self.tree.moving_links)
            if other.parent == k
        ]
        if k in self.limb_ends:
            ends.append(self.limb_ends[k].lowest)
        offset = self.joint_positions[k] - self.joint_positions[mover.parent] if k else np.zeros(3)
        return Link(
            mover.name,
            mover.parent,
            self._make_joint(k),
            offset=(float(offset[0]), float(offset[1]), float(offset[2])),
            shapes=make_shapes(self.tree, k, ends),
            inertial=Inertial(
                properties.mass, properties.center - self.joint_positions[k], properties.inertia
            ),
        )

    def _make_joint(self, k: int) -> Joint:
        """Return the joint of a link, with the axes of its hinges in the standing pose.

        As in the file, each hinge rotates the axes of the hinges after it.
        """
        model = self.tree.model
        mover = self.tree.moving_links[k]
        if not mover.joints:
            return Joint("root", "free")
        name = model.joint(mover.joints[0]).name or f"{mover.name}.joint"
        if all(model.jnt_type[j] == BALL for j in mover.joints):
            return Joint(name, "ball")
        if any(model.jnt_type[j] == BALL for j in mover.joints) or len(mover.joints) > 3:
            raise CharacterError(
                f"The body {mover.name!r} of {self.tree.name} has {len(mover.joints)} joints in "
                "series; it may have one ball or up to three hinges."
            )
        axes = []
        ranges = []
        for j, axis in zip(mover.joints, self.tree.hinge_axes(k), strict=True):
            angle = float(self.tree.pose[model.jnt_qposadr[j]])
            low, high = model.jnt_range[j] - angle if model.jnt_limited[j] else (-np.pi, np.pi)
            axes.append((float(axis[0]), float(axis[1]), float(axis[2])))
            # the range contains 0 also where a key pose is outside of it
            ranges.append((min(float(low), 0.0), max(float(high), 0.0)))
        return Joint(name, "hinges", tuple(axes), tuple(ranges))

    def _make_leg(self, chain: LimbChain) -> Limb:
        last = chain.links[-1]
        end = self.limb_ends[last]
        rows = max(leg.row for leg in self.limbs.legs)
        return Limb(
            _limb_name("leg", chain, rows),
            "leg",
            chain.side,
            links=chain.links,
            foot=self._make_foot(last, end, chain),
            row=chain.row,
        )

    def _make_foot(self, last: int, end: LimbEnd, chain: LimbChain) -> Foot:
        origin = self.joint_positions[last]
        leg_length = float(self.joint_positions[chain.links[0]][2] - end.lowest[2])
        sole = find_flat_sole(end, leg_length)
        if not end.has_shape:
            self.notes.append(
                f"the shape of the foot {self.tree.moving_links[last].name!r} is not in the file; "
                "a point foot is assumed"
            )
        if sole is None:
            return Foot.from_contact_point(last, end.lowest - origin, end.radius)
        rear = sole.rear - origin
        front = sole.front - origin
        ball = rear + BALL_POSITION_SHARE * (front - rear)
        return Foot(last, rear, ball, tip=front, pivot=ball, has_toe=False)


def _limb_name(kind: str, chain: LimbChain, rows: int) -> str:
    row = f".{chain.row}" if rows else ""
    return f"{kind}{row}.{LETTER_OF_SIDE[chain.side]}"


def _number_limb(limb: Limb, k: int) -> Limb:
    return Limb(
        f"{limb.name[:-2]}.{k}{limb.name[-2:]}",
        limb.kind,
        limb.side,
        links=limb.links,
        foot=limb.foot,
        hand=limb.hand,
        row=limb.row,
    )
