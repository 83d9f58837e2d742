"""The character of a rig in its rest pose, with any number of legs of any number of segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3
from ..character import Character, Foot, Limb
from ..link import Joint, Link, LinkShape
from ..recognition.anatomy import Anatomy, LegBones
from ..recognition.skeleton import Skeleton
from ..to_mujoco import WATER_DENSITY
from .round_sole import measure_round_sole

Array = NDArray[np.float64]

# Ranges of pitch and roll of an ankle [rad], somewhat wider than those of a human, as poses of
# other bodies are
FOOT_RANGES = ((np.radians(-60), np.radians(60)), (np.radians(-30), np.radians(30)))


@dataclass(frozen=True)
class RestStanceParameters:
    """Parameters of characters in the pose of their rest.

    Args:
        skinless_radius: radius of a solid without skin [leg length].
        skin_radius_share: radius of a solid over the mean distance of the skin from its axis;
            guarded by the tests that scripts/mutations.py names
        min_sole_length: least length of a sole; shorter feet are points [leg length]. Tuned:
            doubled, the front paws of khronos_Fox are points.
        sole_height_band: greatest height of the skin of a sole above the lowest point of the foot
            [leg length]; for robots it is the same. Tuned: doubled, the soles of
            quaternius_dino_Velociraptor are 7 % longer.
        max_lying_foot_height: greatest height of the ankle of a foot without skin that lies on the
            ground [length of the foot ahead of the ankle].
        max_foot_radius: greatest radius of a foot without a sole [leg length].
        straightening_share: greatest straightening of a joint of a leg over its bend at rest. At 1
            it would be straight, from where it has no force and may bend to either side.
        max_joint_bend: greatest bend of a joint of a leg [rad], that at which human calf and thigh
            touch.
        straight_joint_range: range in both directions of a joint that is straight at rest [rad],
            for which rest does not say how it bends; of 23 rigs, a joint of khronos_Fox.
        max_spine_links: greatest number of links of the trunk. More take time to solve, and the
            bones between them follow.
        max_neck_links: greatest number of links of the neck, likewise; a neck bends less.
        max_tail_links: greatest number of links of the tail, likewise; a tail bends most.
    """

    skinless_radius: float = 0.05
    skin_radius_share: float = 0.75
    min_sole_length: float = 0.06
    sole_height_band: float = 0.03
    max_lying_foot_height: float = 0.75
    max_foot_radius: float = 0.1
    straightening_share: float = 0.95
    max_joint_bend: float = float(np.radians(150))
    straight_joint_range: float = float(np.radians(70))
    max_spine_links: int = 3
    max_neck_links: int = 2
    max_tail_links: int = 6


STANCE = RestStanceParameters()


class RestStanceBuilder:
    """Measures one skeleton; all arrays are in axes with x forward, y left, z up.

    The neutral pose is the rest pose of the rig.

    Args:
        with_tail: whether the character includes the tail.
    """

    def __init__(self, skeleton: Skeleton, anatomy: Anatomy, with_tail: bool = False) -> None:
        self.skeleton = skeleton
        self.anatomy = anatomy
        self.with_tail = with_tail
        self.reversed_bones: set[int] = set()  # bones of a tail that point toward the body
        forward = np.asarray(anatomy.forward, float)
        # world to body axes (3, 3)
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
        self.link_of: dict[int, int] = {}  # link of each bone
        self.joint_positions: list[Array] = []  # (3,) of each link [m]

    def build(self) -> Character:
        """Return the character; afterwards `link_of` maps bones to links."""
        a = self.anatomy
        self._add_link("pelvis", Joint("root", "free"), a.root, position=self.hip_center, parent=-1)
        trunk = [
            self._add_link(f"spine{k}", Joint(f"spine{k}", "ball"), bone, self.heads[bone])
            for k, bone in enumerate(_select_evenly(a.trunk, STANCE.max_spine_links))
        ]
        neck = []
        head = None
        if a.neck is not None:
            bones = tuple(b for b in (a.neck_bones or (a.neck,)) if b != a.head)
            neck = [
                self._add_link(f"neck{k}", Joint(f"neck{k}", "ball"), bone, self.heads[bone])
                for k, bone in enumerate(_select_evenly(bones, STANCE.max_neck_links))
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
        """Add a link for a bone and return it.

        Without a parent, it is the link of the nearest ancestor of the bone that has one.
        """
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
        """Add the links of a tail and return them.

        In some rigs the hierarchy of a tail begins at its tip, with bones that point toward the
        body. Their links are in the reverse order, with the joint at the tail of the bone.
        """
        begins, ends = (
            float(np.linalg.norm(self.heads[chain[k]] - self.hip_center)) for k in (0, -1)
        )
        if begins <= ends:
            return [
                self._add_link(f"tail{k}", Joint(f"tail{k}", "ball"), bone, self.heads[bone])
                for k, bone in enumerate(_select_evenly(chain, STANCE.max_tail_links))
            ]
        links: list[int] = []
        for k, bone in enumerate(chain[: -STANCE.max_tail_links - 1 : -1]):
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
        """Return the positions of the joints of a leg, downward, and of its end (k, 3) [m]."""
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
        """Return a sole if the skin of the foot is on the ground over some length.

        Otherwise return the sphere that fits its skin, or a point without skin.
        """
        foot_bones = self.skeleton.subtree(leg.foot if leg.foot is not None else leg.segments[-1])
        ankle = self.joint_positions[link]
        skin = self._collect_foot_skin(leg, foot_bones, ankle)
        points = (
            skin if len(skin) else np.concatenate([self.heads[foot_bones], self.tails[foot_bones]])
        )
        lowest = float(points[:, 2].min())
        sole = points[points[:, 2] < lowest + STANCE.sole_height_band * self.leg_length]
        if not len(skin) and ankle[2] - lowest < STANCE.max_lying_foot_height * (
            float(points[:, 0].max()) - ankle[0]
        ):
            # bones are inside of the foot: where they are level, the sole is below all of them
            sole = points
        rear = float(sole[:, 0].min())
        front = float(sole[:, 0].max())
        y = float(np.median(sole[:, 1]))
        if leg.foot is None or front - rear < STANCE.min_sole_length * self.leg_length:
            if len(skin):
                round_sole = measure_round_sole(points, STANCE.max_foot_radius * self.leg_length)
                return Foot.from_contact_point(link, round_sole.contact - ankle, round_sole.radius)
            return Foot.from_contact_point(
                link, np.array([0.5 * (rear + front), y, lowest]) - ankle, 0.0
            )
        inset = 0.1 * (front - rear)
        heel, ball, tip = (
            np.array([x, y, lowest]) - ankle for x in (rear + inset, front - inset, front)
        )
        return Foot(link, heel, ball, tip=tip, pivot=ball, has_toe=False)

    def _collect_foot_skin(self, leg: LegBones, foot_bones: Sequence[int], ankle: Array) -> Array:
        """Return the skin of a foot, with that of the shin beyond the ankle (m, 3) [m].

        The skin of a heel or hoof follows the shin in part.
        """
        names = [self.skeleton.names[k] for k in foot_bones]
        skin = [self.skin[name] for name in names if name in self.skin]
        shin_skin = self.skin.get(self.skeleton.names[leg.segments[-1]])
        if leg.foot is not None and shin_skin is not None:
            shin = ankle - self.heads[leg.segments[-1]]
            skin.append(shin_skin[(shin_skin - ankle) @ shin > 0])
        return np.concatenate([np.zeros((0, 3)), *skin])

    def _add_shapes(self) -> None:
        """Add a capsule to every link, with a radius from its skin."""
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
        """Return the radius of the solid of a link [m]."""
        bones = [k for k in range(len(self.skeleton.names)) if self._find_link(k) == link]
        skin = [
            self.skin[self.skeleton.names[k]] for k in bones if self.skeleton.names[k] in self.skin
        ]
        if not skin:
            return STANCE.skinless_radius * self.leg_length
        offsets = np.concatenate(skin) - self.joint_positions[link]
        share = np.clip(offsets @ end / (end @ end), 0, 1)
        radius = STANCE.skin_radius_share * float(
            np.linalg.norm(offsets - share[:, None] * end, axis=1).mean()
        )
        return float(np.clip(radius, 0.01 * self.leg_length, 0.5 * self.leg_length))

    def _find_link(self, bone: int) -> int:
        """Return the link that a bone moves with; -1 for a tail without links."""
        tails = {chain[0] for chain in self.anatomy.tails if chain}
        while bone >= 0 and bone not in self.link_of:
            if bone in tails:
                return -1
            bone = self.skeleton.parents[bone]
        return self.link_of.get(bone, -1)


def _select_evenly(bones: tuple[int, ...], count: int) -> list[int]:
    """Return up to `count` evenly spaced bones of a chain, with the first one.

    The last bone is included if `count` is greater than 1.
    """
    if len(bones) <= count:
        return list(bones)
    return [
        bones[k] for k in np.unique(np.round(np.linspace(0, len(bones) - 1, count)).astype(int))
    ]


def _bend_range(positions: Array) -> tuple[float, float]:
    """Return the range of a joint about the axis to the left [rad].

    Args:
        positions: (3, 3) beginning of the first segment, joint, and end of the second [m].
    """
    first, second = np.diff(positions, axis=0)
    bend_angle = float(
        np.arctan2(
            first[2] * second[0] - first[0] * second[2], first[0] * second[0] + first[2] * second[2]
        )
    )
    if abs(bend_angle) < np.radians(4):
        return -STANCE.straight_joint_range, STANCE.straight_joint_range
    straight = -STANCE.straightening_share * bend_angle
    folded = np.sign(bend_angle) * max(STANCE.max_joint_bend - abs(bend_angle), np.radians(30))
    return float(min(straight, folded)), float(max(straight, folded))


def _shape_volume(shape: LinkShape) -> float:
    length = float(np.linalg.norm(np.subtract(shape.end, shape.start)))
    return float(np.pi * shape.radii[0] ** 2 * (length + 4 / 3 * shape.radii[0]))
