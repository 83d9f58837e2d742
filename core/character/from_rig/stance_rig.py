"""A character made from the bones of a rig that stands as it rests:
any number of legs, of any number of segments.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3
from ..character import Character, Foot, Limb
from ..link import Joint, Link, LinkShape
from ..recognition.anatomy import Anatomy, LegBones
from ..recognition.skeleton import Skeleton

Array = NDArray[np.float64]

WATER_DENSITY = 1000.0  # kg/m^3 of all that is inside a skin
SKINLESS_RADIUS = 0.05  # leg lengths, radius of a part that has no skin
SKIN_RADIUS_SHARE = 0.75  # of the mean distance of the skin from a bone, the radius of its solid
MIN_SOLE_LENGTH = 0.06  # leg lengths, the shortest sole that is stood on as one
# leg lengths over the lowest point of a foot, within which its skin is sole
SOLE_HEIGHT_BAND = 0.03
# of its length, that a foot without skin is high at most to lie on the ground
MAX_LYING_FOOT_HEIGHT = 0.75
STRAIGHTENING_SHARE = 0.95  # of the way to straight, that a joint of a leg goes
MAX_JOINT_BEND = np.radians(150)  # bend of a joint of a leg at most
STRAIGHT_JOINT_RANGE = np.radians(70)  # that a joint turns either way which is straight at rest
FOOT_RANGES = ((np.radians(-60), np.radians(60)), (np.radians(-30), np.radians(30)))
MAX_SPINE_LINKS = 3  # links of a trunk at most
MAX_NECK_LINKS = 2  # of a neck
MAX_TAIL_LINKS = 6  # of a tail


class StanceBuilder:
    """Measures one skeleton; everything in axes with x ahead, y left, z up.
    Its neutral pose is how it rests.

    Args:
        with_tail: give it its tail; without, the tail is the rig's own matter.
    """

    def __init__(self, skeleton: Skeleton, anatomy: Anatomy, with_tail: bool = False) -> None:
        self.skeleton = skeleton
        self.anatomy = anatomy
        self.with_tail = with_tail
        self.reversed_bones: set[int] = set()  # bones of a tail that point to the body
        forward = np.asarray(anatomy.forward, float)
        # world to the body's axes
        self.to_body_axes = so3.rotation_about("z", -np.arctan2(forward[1], forward[0]))
        self.heads = skeleton.heads @ self.to_body_axes.T
        self.tails = skeleton.tails @ self.to_body_axes.T
        self.skin = {name: points @ self.to_body_axes.T for name, points in skeleton.skin.items()}
        rear = [leg.hip for leg in anatomy.legs if leg.row == 0]
        self.hip_center = self.heads[rear].mean(0)
        lengths = [
            float(np.linalg.norm(np.diff(self._locate_joints(leg), axis=0), axis=1).sum())
            for leg in anatomy.legs
        ]
        if min(lengths) < 1e-6 * max(skeleton.height, 1e-9):
            raise CharacterError(
                "A leg has no length; every bone of a leg must be longer than zero."
            )
        self.leg_length = float(np.mean(lengths))
        self.links: list[Link] = []
        self.link_of: dict[int, int] = {}  # by bone
        self.joint_positions: list[Array] = []  # by link: its joint's place

    def build(self) -> Character:
        """Return the character; afterwards `link_of` maps bones to links."""
        a = self.anatomy
        self._add_link("pelvis", Joint("root", "free"), a.root, position=self.hip_center, parent=-1)
        trunk = [
            self._add_link(f"spine{k}", Joint(f"spine{k}", "ball"), bone, self.heads[bone])
            for k, bone in enumerate(_select_evenly(a.trunk, MAX_SPINE_LINKS))
        ]
        neck = []
        head = None
        if a.neck is not None:
            bones = tuple(b for b in (a.neck_bones or (a.neck,)) if b != a.head)
            neck = [
                self._add_link(f"neck{k}", Joint(f"neck{k}", "ball"), bone, self.heads[bone])
                for k, bone in enumerate(_select_evenly(bones, MAX_NECK_LINKS))
            ]
            head = (
                self._add_link("head", Joint("head", "ball"), a.head, self.heads[a.head])
                if a.head is not None
                else None
            )
            if head is None and neck:
                head = neck.pop()
        limbs = [self._add_leg(leg) for leg in a.legs]
        tail = self._add_tail(a.tails[0]) if self.with_tail and a.tails else []
        self._add_shapes()
        volume = sum(_shape_volume(s) for link in self.links for s in link.shapes)
        return Character(
            "rig",
            tuple(self.links),
            tuple(limbs),
            trunk=tuple(trunk),
            head=head,
            mass=WATER_DENSITY * volume,
            notes=a.notes,
            neck=tuple(neck),
            tail=tuple(tail),
        )

    def _add_link(
        self, name: str, joint: Joint, bone: int, position: Array, parent: int | None = None
    ) -> int:
        """A link that follows a bone, on the link of the nearest bone above it that has one."""
        if parent is None:
            ancestor = self.skeleton.parents[bone]
            while ancestor >= 0 and ancestor not in self.link_of:
                ancestor = self.skeleton.parents[ancestor]
            parent = self.link_of.get(ancestor, 0)
        x, y, z = (
            float(v)
            for v in (np.zeros(3) if parent < 0 else position - self.joint_positions[parent])
        )
        self.links.append(Link(name, parent, joint, offset=(x, y, z), shapes=()))
        self.link_of[bone] = len(self.links) - 1
        self.joint_positions.append(position)
        return len(self.links) - 1

    def _add_tail(self, chain: tuple[int, ...]) -> list[int]:
        """The links of a tail. Rigs may have its bones hang on each other from the tip on,
        each pointing to the body.
        """
        begins, ends = (
            float(np.linalg.norm(self.heads[chain[k]] - self.hip_center)) for k in (0, -1)
        )
        if begins <= ends:
            return [
                self._add_link(f"tail{k}", Joint(f"tail{k}", "ball"), bone, self.heads[bone])
                for k, bone in enumerate(_select_evenly(chain, MAX_TAIL_LINKS))
            ]
        links: list[int] = []
        for k, bone in enumerate(chain[: -MAX_TAIL_LINKS - 1 : -1]):
            self.reversed_bones.add(bone)
            links.append(
                self._add_link(
                    f"tail{k}",
                    Joint(f"tail{k}", "ball"),
                    bone,
                    position=self.tails[bone],
                    parent=links[-1] if links else 0,
                )
            )
        return links

    def _locate_joints(self, leg: LegBones) -> Array:
        """Places of the joints of a leg from the hip down, and of its end. (k, 3)."""
        last = leg.foot if leg.foot is not None else leg.segments[-1]
        bones = [*leg.segments, *([leg.foot] if leg.foot is not None else [])]
        return np.concatenate([self.heads[bones], self.tails[[last]]])

    def _add_leg(self, leg: LegBones) -> Limb:
        row = (
            {0: "hind", self.anatomy.row_count - 1: "front"}.get(leg.row, f"row{leg.row}")
            if self.anatomy.row_count > 1
            else "leg"
        )
        side = {1: ".L", -1: ".R"}.get(leg.side, "")
        positions = self._locate_joints(leg)
        links = []
        for k, bone in enumerate(leg.segments):
            name = f"{row}{k}{side}"
            joint = (
                Joint(name, "ball")
                if k == 0
                else Joint(name, "hinges", ((0, 1, 0),), (_bend_range(positions[k - 1 : k + 2]),))
            )
            links.append(self._add_link(name, joint, bone, positions[k]))
        if leg.foot is not None:
            name = f"{row}_foot{side}"
            links.append(
                self._add_link(
                    name,
                    Joint(name, "hinges", ((0, 1, 0), (1, 0, 0)), FOOT_RANGES),
                    leg.foot,
                    positions[-2],
                )
            )
        return Limb(
            f"{row}{side}",
            "leg",
            leg.side,
            links=tuple(links),
            foot=self._measure_foot(leg, links[-1]),
            row=leg.row,
        )

    def _measure_foot(self, leg: LegBones, link: int) -> Foot:
        """What a leg stands on: a sole where its skin lies on the ground over
        some length, else a point.
        """
        foot_bones = self.skeleton.subtree(leg.foot if leg.foot is not None else leg.segments[-1])
        ankle = self.joint_positions[link]
        skin = [
            self.skin[self.skeleton.names[k]]
            for k in foot_bones
            if self.skeleton.names[k] in self.skin
        ]
        points = (
            np.concatenate(skin)
            if skin
            else np.concatenate([self.heads[foot_bones], self.tails[foot_bones]])
        )
        lowest = float(points[:, 2].min())
        sole = points[points[:, 2] < lowest + SOLE_HEIGHT_BAND * self.leg_length]
        if not skin and ankle[2] - lowest < MAX_LYING_FOOT_HEIGHT * (
            float(points[:, 0].max()) - ankle[0]
        ):
            # bones run inside of a foot: where they lie, the sole is all the way below them
            sole = points
        rear = float(sole[:, 0].min())
        front = float(sole[:, 0].max())
        y = float(np.median(sole[:, 1]))
        if leg.foot is None or front - rear < MIN_SOLE_LENGTH * self.leg_length:
            return Foot.from_contact_point(
                link, np.array([0.5 * (rear + front), y, lowest]) - ankle, 0.0
            )
        inset = 0.1 * (front - rear)
        heel, ball, tip = (
            np.array([x, y, lowest]) - ankle for x in (rear + inset, front - inset, front)
        )
        return Foot(link, heel, ball, tip=tip, pivot=ball, has_toe=False)

    def _add_shapes(self) -> None:
        """Give every link a solid as thick as its skin."""
        ends: dict[int, list[Array]] = {}
        for link in self.links[1:]:
            ends.setdefault(link.parent, []).append(np.asarray(link.offset))
        bone_of = {link: bone for bone, link in self.link_of.items()}
        shaped = []
        for k, link in enumerate(self.links):
            bone = bone_of[k]
            child_offsets = [
                v for v in ends.get(k, []) if np.linalg.norm(v) > 0.02 * self.leg_length
            ]
            bone_end = self.heads[bone] if bone in self.reversed_bones else self.tails[bone]
            end = (
                max(child_offsets, key=lambda v: abs(v[0]))
                if child_offsets
                else bone_end - self.joint_positions[k]
            )
            if np.linalg.norm(end) < 0.02 * self.leg_length:
                end = np.array([0.0, 0.0, -0.05 * self.leg_length])
            radius = self._measure_skin_radius(k, end)
            x, y, z = (float(v) for v in end)
            shaped.append(
                replace(
                    link,
                    shapes=(LinkShape("capsule", (0.0, 0.0, 0.0), (x, y, z), (radius, radius)),),
                )
            )
        self.links = shaped

    def _measure_skin_radius(self, link: int, end: Array) -> float:
        """How thick the skin is around a link, m."""
        bones = [k for k in range(len(self.skeleton.names)) if self._find_link(k) == link]
        skin = [
            self.skin[self.skeleton.names[k]] for k in bones if self.skeleton.names[k] in self.skin
        ]
        if not skin:
            return SKINLESS_RADIUS * self.leg_length
        offsets = np.concatenate(skin) - self.joint_positions[link]
        share = np.clip(offsets @ end / (end @ end), 0, 1)
        radius = SKIN_RADIUS_SHARE * float(
            np.linalg.norm(offsets - share[:, None] * end, axis=1).mean()
        )
        return float(np.clip(radius, 0.01 * self.leg_length, 0.5 * self.leg_length))

    def _find_link(self, bone: int) -> int:
        """The link that carries a bone; -1 for tails and other things that
        nothing is planned for.
        """
        tails = {chain[0] for chain in self.anatomy.tails if chain}
        while bone >= 0 and bone not in self.link_of:
            if bone in tails:
                return -1
            bone = self.skeleton.parents[bone]
        return self.link_of.get(bone, -1)


def _select_evenly(bones: tuple[int, ...], count: int) -> list[int]:
    """So many of a row of bones, evenly, the first one always and the last
    one where there are more.
    """
    if len(bones) <= count:
        return list(bones)
    return [
        bones[k] for k in np.unique(np.round(np.linspace(0, len(bones) - 1, count)).astype(int))
    ]


def _bend_range(positions: Array) -> tuple[float, float]:
    """Range of a joint between two segments, told by three places (3, 3),
    about the axis to the left, rad.
    """
    first, second = np.diff(positions, axis=0)
    bend_angle = float(
        np.arctan2(
            first[2] * second[0] - first[0] * second[2], first[0] * second[0] + first[2] * second[2]
        )
    )
    if abs(bend_angle) < np.radians(4):
        return -STRAIGHT_JOINT_RANGE, STRAIGHT_JOINT_RANGE
    straight = -STRAIGHTENING_SHARE * bend_angle
    folded = np.sign(bend_angle) * max(MAX_JOINT_BEND - abs(bend_angle), np.radians(30))
    return float(min(straight, folded)), float(max(straight, folded))


def _shape_volume(shape: LinkShape) -> float:
    length = float(np.linalg.norm(np.subtract(shape.end, shape.start)))
    return float(np.pi * shape.radii[0] ** 2 * (length + 4 / 3 * shape.radii[0]))
