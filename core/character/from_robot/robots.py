"""Robots' files, MJCF and URDF, as characters."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ..character import Character, Foot, Limb
from ..link import Inertial, Joint, Link
from .file import read_robot
from .limbs import Chain, Limbs, limbs_of
from .solids import Ending, ending, shapes_of, sole_of
from .stand import stand
from .tree import BALL, RobotTree

Array = NDArray[np.float64]

BALL_OF_FOOT = 0.75            # of a sole's length from its rear, where it is rolled over
SIDES = {1: "L", -1: "R", 0: "M"}
ABOVE = 0.05                   # leg lengths that feet of the standing robot may differ in height


def load_robot(path: Path, hold: Sequence[str] = ()) -> Character:
    """Read a robot's MJCF or URDF file as a character.

    It stands as the file's key pose 'home' says, or with its knees bent where there is none. Masses and inertias are the
    file's. Legs are the chains of links that end lowest, whatever their names; what was done about parts that Footfall has no
    use for is told in the character's notes.

    Args:
        path: of the file. Meshes that it names are not read and need not be there.
        hold: names of joints that are to stay as they are, such as springs and fingers.

    Raises:
        CharacterError: the file cannot be read, nothing in it moves freely, it has no legs or no mass, a leg slides, or no
            pose is found in which it stands.
    """
    model = read_robot(path)
    tree = RobotTree(model, path.name, hold)
    stand(tree)
    limbs = limbs_of(tree)
    return _Builder(tree, limbs).character(path.stem)


class _Builder:
    """A robot that stands, on its way to links and limbs."""

    def __init__(self, tree: RobotTree, limbs: Limbs) -> None:
        self.tree, self.limbs = tree, limbs
        self.places = [tree.joint_place(k) for k in range(len(tree.movers))]
        self.endings = {k: ending(tree, k) for k in tree.leaves()}
        self.notes = list(tree.notes)

    def character(self, name: str) -> Character:
        links = tuple(self._link(k) for k in range(len(self.tree.movers)))
        legs = tuple(self._leg(chain) for chain in self.limbs.legs)
        arms = tuple(Limb(_named("arm", chain, 0), "arm", chain.side, chain.links) for chain in self.limbs.arms)
        mass = sum(link.inertial.mass for link in links if link.inertial is not None)
        every = (*legs, *arms)
        names = [limb.name for limb in every]
        limbs = tuple(limb if names.count(limb.name) == 1 else _numbered(limb, k) for k, limb in enumerate(every))
        self._check_feet(legs)
        x = self.limbs
        return Character(name, links, limbs, x.trunk, x.head, mass, tuple(self.notes), x.neck, x.tail)

    def _check_feet(self, legs: tuple[Limb, ...]) -> None:
        """Feet that do not stand on one level are told."""
        low = [float(self.endings[leg.links[-1]].points[:, 2].min()) for leg in legs]
        tall = -min(low)
        if max(low) - min(low) > ABOVE * tall:
            self.notes.append(f"in the pose in which it stands its feet differ in height by {max(low) - min(low):.3f} m")

    def _link(self, k: int) -> Link:
        mover = self.tree.movers[k]
        mass, centre, inertia = self.tree.inertia(k)
        ends = [self.places[j] for j, other in enumerate(self.tree.movers) if other.parent == k]
        if k in self.endings:
            ends.append(self.endings[k].lowest)
        offset = self.places[k] - self.places[mover.parent] if k else np.zeros(3)
        return Link(mover.name, mover.parent, self._joint(k), (float(offset[0]), float(offset[1]), float(offset[2])),
                    shapes_of(self.tree, k, ends), Inertial(mass, centre - self.places[k], inertia))

    def _joint(self, k: int) -> Joint:
        """A link's joint with its hinges' axes as they stand; each turns those after it, as it did in the file."""
        model, mover = self.tree.model, self.tree.movers[k]
        if not mover.joints:
            return Joint("root", "free")
        name = model.joint(mover.joints[0]).name or f"{mover.name}.joint"
        if all(model.jnt_type[j] == BALL for j in mover.joints):
            return Joint(name, "ball")
        if any(model.jnt_type[j] == BALL for j in mover.joints) or len(mover.joints) > 3:
            raise CharacterError(f"The body {mover.name!r} of {self.tree.name} has {len(mover.joints)} joints in a row; it may "
                                 "have one ball or up to three hinges.")
        axes, ranges = [], []
        for j, axis in zip(mover.joints, self.tree.axes(k), strict=True):
            now = float(self.tree.pose[model.jnt_qposadr[j]])
            low, high = model.jnt_range[j] - now if model.jnt_limited[j] else (-np.pi, np.pi)
            axes.append((float(axis[0]), float(axis[1]), float(axis[2])))
            ranges.append((min(float(low), 0.0), max(float(high), 0.0)))       # a key pose may be at the end of a range
        return Joint(name, "hinges", tuple(axes), tuple(ranges))

    def _leg(self, chain: Chain) -> Limb:
        last = chain.links[-1]
        end = self.endings[last]
        rows = max(leg.row for leg in self.limbs.legs)
        return Limb(_named("leg", chain, rows), "leg", chain.side, chain.links, self._foot(last, end, chain), row=chain.row)

    def _foot(self, last: int, end: Ending, chain: Chain) -> Foot:
        at = self.places[last]
        tall = float(self.places[chain.links[0]][2] - end.lowest[2])
        sole = sole_of(end, tall)
        if not end.known:
            self.notes.append(f"the shape of the foot {self.tree.movers[last].name!r} is not in the file; it was taken for a point")
        if sole is None:
            return Foot.round(last, end.lowest - at, end.radius)
        rear, front = sole[0] - at, sole[1] - at
        ball = rear + BALL_OF_FOOT * (front - rear)
        return Foot(last, rear, ball, front, ball, has_toe=False)


def _named(kind: str, chain: Chain, rows: int) -> str:
    row = f".{chain.row}" if rows else ""
    return f"{kind}{row}.{SIDES[chain.side]}"


def _numbered(limb: Limb, k: int) -> Limb:
    return Limb(f"{limb.name[:-2]}.{k}{limb.name[-2:]}", limb.kind, limb.side, limb.links, limb.foot, limb.hand, limb.row)
