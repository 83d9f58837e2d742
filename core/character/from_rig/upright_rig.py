"""A character made from the bones of a rig that stands on two legs as people do:
upright, legs straight, arms hanging.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3
from ..character import Character, Foot, Hand, Limb
from ..link import Joint, Link, LinkShape
from ..recognition.anatomy import Anatomy, ArmBones, LegBones, find_foot_direction
from ..recognition.names import is_part_name
from ..recognition.skeleton import Skeleton
from .bind import bind_bones
from .binding import BoundCharacter
from .leg_joints import locate_leg_joints
from .shapes import (
    make_bulk_shape,
    make_head_shapes,
    make_limb_shape,
    make_pelvis_shapes,
    make_trunk_shapes,
)
from .sole import MeasuredSole, measure_sole, rotation_to_down

Array = NDArray[np.float64]

KNEE_RANGES = ((0.0, np.radians(150)),)
ELBOW_RANGES = ((np.radians(-150), 0.0),)  # flexion swings the forearm forward: about -y
# pitch: toes down +; roll
ANKLE_RANGES = ((np.radians(-40), np.radians(60)), (np.radians(-25), np.radians(25)))

# m and kg that a body's mass is scaled from by its height
REFERENCE_STATURE = 1.75
REFERENCE_MASS = 69.8

GRIP_DISTANCE = 0.32  # upper arms from the wrist to the middle of what a closed hand encloses
# of a leg that feet are apart from the middle, beyond which a body bears on their inner sides
MAX_FOOT_OFFSET = 0.5
MIN_BULKY_DEPTH = 1.2  # legs that a trunk or head is deep at least, not to be taken for a person's
MAX_ARM_REACH = 0.65  # of the shoulder's height that an arm may reach down
MAX_TRUNK_LEAN = np.radians(25)  # a trunk that leans more at rest is set upright as a whole


class UprightBuilder:
    """Measures one skeleton; everything in axes with x ahead, y left, z up."""

    def __init__(self, skeleton: Skeleton, anatomy: Anatomy) -> None:
        self.skeleton = skeleton
        self.anatomy = anatomy
        left, right = anatomy.legs
        lateral = skeleton.heads[left.hip] - skeleton.heads[right.hip]
        lateral[2] = 0.0
        if np.linalg.norm(lateral) < 1e-6 * max(skeleton.height, 1e-9):
            raise CharacterError(
                f"The hips of {skeleton.names[left.hip]!r} and {skeleton.names[right.hip]!r} are "
                "at the same place."
            )
        forward = np.cross(lateral, [0.0, 0.0, 1.0])
        self.notes = list(anatomy.notes)
        if find_foot_direction(skeleton, anatomy.legs) @ forward < 0:
            self.notes.append(
                "the feet point the other way than the names of left and right say; the names "
                "were followed"
            )
        # world to the body's axes
        self.to_body_axes = so3.rotation_about("z", -np.arctan2(forward[1], forward[0]))
        self.heads = skeleton.heads @ self.to_body_axes.T
        self.tails = skeleton.tails @ self.to_body_axes.T
        self.skin = {name: points @ self.to_body_axes.T for name, points in skeleton.skin.items()}
        self.hip_center = 0.5 * (self.heads[left.hip] + self.heads[right.hip])
        self.leg_joint_positions = {
            leg.hip: locate_leg_joints(leg, skeleton, self.heads, tails=self.tails, skin=self.skin)
            for leg in anatomy.legs
        }
        lengths = [
            np.linalg.norm(np.diff(self.leg_joint_positions[leg.hip], axis=0), axis=1)
            for leg in anatomy.legs
        ]
        if min(x.min() for x in lengths) < 1e-6 * max(skeleton.height, 1e-9):
            raise CharacterError(
                "A leg has a thigh or shin of no length; every bone of a leg must be longer than "
                "zero."
            )
        self.leg_length = float(np.mean([x.sum() for x in lengths]))
        self.links: list[Link] = []
        self.link_of: dict[int, int] = {}  # by bone
        self.rest_to_neutral: list[Array] = []  # by link: from rest axes to neutral axes
        self.joint_positions: list[Array] = []  # by link: its joint's place at rest

    def build(self) -> BoundCharacter:
        """Return the character, and the bones that follow its links."""
        a = self.anatomy
        top = (
            self.heads[a.neck]
            if a.neck is not None
            else self.heads[a.trunk[-1]]
            if a.trunk
            else self.hip_center + [0, 0, 1]
        )
        lean = top - self.hip_center
        trunk_rotation = so3.rotation_between(lean, np.array([0.0, 0.0, 1.0]))
        # a body with a tail is held level by it
        if np.linalg.norm(so3.log(trunk_rotation)) < MAX_TRUNK_LEAN or a.tails:
            trunk_rotation = np.eye(3)
        else:
            self.notes.append("the trunk leans at rest and was set upright")
        self._add_link(
            "pelvis",
            -1,
            Joint("root", "free"),
            bone=a.root,
            position=self.hip_center,
            rest_to_neutral=trunk_rotation,
        )
        trunk = self._add_trunk(trunk_rotation)
        chest = trunk[-1] if trunk else 0
        head = None
        if a.neck is not None:
            head = self._add_link(
                "head",
                chest,
                Joint("neck", "ball"),
                bone=a.neck,
                position=self.heads[a.neck],
                rest_to_neutral=trunk_rotation,
            )
        limbs = []
        for leg in a.legs:
            limbs.append(self._add_leg(leg))
        foot = limbs[0].foot
        assert foot is not None
        for arm in a.arms:
            if any(
                is_part_name(self.skeleton.names[k], "wing")
                for k in (arm.shoulder, arm.elbow, arm.wrist)
            ):
                continue  # wings stay folded or spread as they are
            limbs.append(self._add_arm(chest, arm, self.leg_length - float(foot.ball[2])))
        self._add_shapes(trunk, head, limbs)
        mass = REFERENCE_MASS * (self._measure_stature(limbs) / REFERENCE_STATURE) ** 3
        character = Character(
            "rig",
            tuple(self.links),
            tuple(limbs),
            trunk=tuple(trunk),
            head=head,
            mass=mass,
            notes=tuple(self.notes),
        )
        root_offset = self.rest_to_neutral[0] @ (self.heads[a.root] - self.hip_center)
        rest_to_link = {
            bone: self.rest_to_neutral[link] @ self.to_body_axes
            for bone, link in self.link_of.items()
        }
        head_offsets = {
            bone: self.rest_to_neutral[self.link_of[bone]]
            @ (self.heads[bone] - self.joint_positions[self.link_of[bone]])
            for leg in a.legs
            for bone in (leg.ankle,)
            if leg.has_detached_foot or len(leg.segments) == 1
        }
        binding = bind_bones(
            self.skeleton,
            a,
            self.link_of,
            rest_to_link=rest_to_link,
            root_offset=root_offset,
            has_toe=[f.has_toe for f in character.feet],
            head_offsets=head_offsets,
        )
        return BoundCharacter(character, binding)

    def _measure_stature(self, limbs: list[Limb]) -> float:
        """Height in the neutral pose, from the legs and what stands above them."""
        foot = limbs[0].foot
        assert foot is not None
        height_below = self.leg_length - float(foot.ball[2])
        points = [self.heads[k] for k in range(len(self.heads))] + [
            p for pts in self.skin.values() for p in pts[::7]
        ]
        height_above = max(
            float((self.rest_to_neutral[0] @ (p - self.hip_center))[2]) for p in points
        )
        return height_below + min(height_above, 2.0 * height_below)

    def _add_link(
        self,
        name: str,
        parent: int,
        joint: Joint,
        bone: int | None,
        position: Array,
        rest_to_neutral: Array,
    ) -> int:
        offset = (
            np.zeros(3)
            if parent < 0
            else self.rest_to_neutral[parent] @ (position - self.joint_positions[parent])
        )
        x, y, z = (float(v) for v in offset)
        self.links.append(Link(name, parent, joint, offset=(x, y, z), shapes=()))
        if bone is not None:
            self.link_of[bone] = len(self.links) - 1
        self.rest_to_neutral.append(rest_to_neutral)
        self.joint_positions.append(position)
        return len(self.links) - 1

    def _add_trunk(self, trunk_rotation: Array) -> list[int]:
        """One or two links for the spine: the upper one begins where the chest does,
        nearest to half-way to the neck.
        """
        a = self.anatomy
        if not a.trunk:
            return []
        first = a.trunk[0]
        chosen = [first]
        if len(a.trunk) > 1:
            heights = np.array(
                [(trunk_rotation @ (self.heads[k] - self.heads[first]))[2] for k in a.trunk]
            )
            end = (
                trunk_rotation
                @ (self.heads[a.neck if a.neck is not None else a.trunk[-1]] - self.heads[first])
            )[2]
            upper = a.trunk[1 + int(np.argmin(np.abs(heights[1:] - 0.45 * end)))]
            chosen.append(upper)
        names = ["chest"] if len(chosen) == 1 else ["spine", "chest"]
        joints = ["waist"] if len(chosen) == 1 else ["waist", "thorax"]
        out = []
        parent = 0
        for bone, name, joint in zip(chosen, names, joints, strict=True):
            parent = self._add_link(
                name,
                parent,
                Joint(joint, "ball"),
                bone=bone,
                position=self.heads[bone],
                rest_to_neutral=trunk_rotation,
            )
            out.append(parent)
        return out

    def _add_leg(self, leg: LegBones) -> Limb:
        side = "L" if leg.side > 0 else "R"
        hip, knee, ankle = self.leg_joint_positions[leg.hip]
        # such a leg goes where its sole does; thigh and shin are only thought of
        is_single_segment = len(leg.segments) == 1
        thigh = self._add_link(
            f"thigh.{side}",
            0,
            Joint(f"hip.{side}", "ball"),
            bone=None if is_single_segment else leg.hip,
            position=hip,
            rest_to_neutral=rotation_to_down(knee - hip),
        )
        shin = self._add_link(
            f"shin.{side}",
            thigh,
            Joint(f"knee.{side}", "hinges", ((0, 1, 0),), KNEE_RANGES),
            bone=None if is_single_segment else leg.knee,
            position=knee,
            rest_to_neutral=rotation_to_down(ankle - knee),
        )
        sole = self._measure_sole(leg, ankle, ankle - knee)
        foot = self._add_link(
            f"foot.{side}",
            shin,
            Joint(f"ankle.{side}", "hinges", ((0, 1, 0), (1, 0, 0)), ANKLE_RANGES),
            bone=leg.ankle if is_single_segment else leg.foot,
            position=ankle,
            rest_to_neutral=sole.rest_to_flat,
        )
        measured = Foot(
            foot, sole.heel, sole.ball, tip=sole.tip, pivot=sole.pivot, has_toe=sole.has_toe
        )
        return Limb(f"leg.{side}", "leg", leg.side, links=(thigh, shin, foot), foot=measured)

    def _measure_sole(self, leg: LegBones, ankle: Array, shin: Array) -> MeasuredSole:
        foot_bones = self.skeleton.subtree(leg.ankle)
        skin = self._subtree_skin(leg.ankle)
        shin_skin = self.skin.get(self.skeleton.names[leg.segments[-1]], np.zeros((0, 3)))
        if leg.foot is None and len(leg.segments) > 1:
            skin = []
        # a heel that is blended follows the shin in part
        skin.append(shin_skin[(shin_skin - ankle) @ shin > 0])
        bone_ends = np.concatenate([self.heads[foot_bones[1:]], self.tails[foot_bones]])
        toe = self.heads[leg.toe] if leg.toe is not None else None
        toe_skin = np.concatenate(
            [np.zeros((0, 3)), *(self._subtree_skin(leg.toe) if leg.toe is not None else [])]
        )
        lateral_offset = leg.side * (ankle[1] - self.hip_center[1])
        inner_side = -leg.side if lateral_offset > MAX_FOOT_OFFSET * self.leg_length else 0
        return measure_sole(
            ankle,
            shin,
            np.array([1.0, 0.0, 0.0]),
            toe=toe,
            skin=np.concatenate(skin),
            bone_ends=bone_ends,
            leg_length=self.leg_length,
            toe_skin=toe_skin,
            inner_side=inner_side,
        )

    def _add_arm(self, chest: int, arm: ArmBones, hip_height: float) -> Limb:
        """An arm of a body whose hips are so high above the soles."""
        side = "L" if arm.side > 0 else "R"
        a, b, c = (self.heads[k] for k in (arm.shoulder, arm.elbow, arm.wrist))
        raise_rotation = so3.rotation_about(
            "x",
            arm.side
            * self._find_arm_raise(
                arm, float((self.rest_to_neutral[0] @ (a - self.hip_center))[2]) + hip_height
            ),
        )
        upper = self._add_link(
            f"upper_arm.{side}",
            chest,
            Joint(f"shoulder.{side}", "ball"),
            bone=arm.shoulder,
            position=a,
            rest_to_neutral=raise_rotation @ rotation_to_down(b - a),
        )
        fore = self._add_link(
            f"forearm.{side}",
            upper,
            Joint(f"elbow.{side}", "hinges", ((0, 1, 0),), ELBOW_RANGES),
            bone=arm.elbow,
            position=b,
            rest_to_neutral=raise_rotation @ rotation_to_down(c - b),
        )
        grip = np.linalg.norm(c - b) + GRIP_DISTANCE * np.linalg.norm(b - a)
        return Limb(
            f"arm.{side}",
            "arm",
            arm.side,
            (upper, fore),
            hand=Hand(fore, raise_rotation @ np.array([0.0, 0.0, -grip])),
        )

    def _find_arm_raise(self, arm: ArmBones, shoulder_height: float) -> float:
        """Angle from the vertical at which an arm hangs, rad: none, but for one that would drag
        its hand over the ground.
        """
        a, b, c = (self.heads[k] for k in (arm.shoulder, arm.elbow, arm.wrist))
        hand = np.concatenate(
            [self.heads[self.skeleton.subtree(arm.wrist)], *self._subtree_skin(arm.wrist)]
        )
        reach = sum(float(np.linalg.norm(v)) for v in (b - a, c - b)) + float(
            np.linalg.norm(hand - c, axis=1).max()
        )
        return float(np.arccos(min(MAX_ARM_REACH * shoulder_height / max(reach, 1e-9), 1.0)))

    def _subtree_skin(self, bone: int) -> list[Array]:
        names = (self.skeleton.names[k] for k in self.skeleton.subtree(bone))
        return [self.skin[name] for name in names if name in self.skin]

    def _add_shapes(self, trunk: list[int], head: int | None, limbs: list[Limb]) -> None:
        """Give every link its solids."""

        def child_offset(link: int) -> Array:
            return next(np.asarray(x.offset) for x in self.links if x.parent == link)

        offsets = {k: np.asarray(x.offset) for k, x in enumerate(self.links)}
        hip_half_width = float(
            np.mean([abs(offsets[limb.links[0]][1]) for limb in limbs if limb.kind == "leg"])
        )
        shoulders = [offsets[limb.links[0]] for limb in limbs if limb.kind == "arm"]
        shapes: dict[int, tuple[LinkShape, ...]] = {
            0: make_pelvis_shapes(
                hip_half_width, self.leg_length, offsets[trunk[0]] if trunk else None
            )
        }
        for k, link in enumerate(trunk):
            above = trunk[k + 1] if k + 1 < len(trunk) else head
            end = offsets[above] if above is not None else np.array([0, 0, 0.3 * self.leg_length])
            shapes[link] = make_trunk_shapes(
                end, shoulders if link == trunk[-1] else [], hip_half_width, self.leg_length
            )
        if head is not None:
            shapes[head] = make_head_shapes(self._measure_head_height(head), self.leg_length)
        for limb in limbs:
            roles = ("thigh", "shin", "foot") if limb.kind == "leg" else ("upper_arm", "forearm")
            for role, link in zip(roles, limb.links, strict=True):
                if role == "foot":
                    assert limb.foot is not None
                    shapes[link] = (
                        make_limb_shape(role, limb.foot.heel, limb.foot.tip, self.leg_length),
                    )
                else:
                    arm_direction = (
                        np.array([0.0, 0.0, -1.0])
                        if limb.hand is None
                        else limb.hand.grip / np.linalg.norm(limb.hand.grip)
                    )
                    end = (
                        child_offset(link)
                        if role != "forearm"
                        else 1.45 * np.linalg.norm(offsets[link]) * arm_direction
                    )
                    shapes[link] = (make_limb_shape(role, np.zeros(3), end, self.leg_length),)
        for link in (*trunk, *([head] if head is not None else [])):
            skin = self._link_skin(link)
            if len(skin) and float(np.ptp(skin[:, 0])) > MIN_BULKY_DEPTH * self.leg_length:
                shapes[link] = (make_bulk_shape(skin),)
        self.links = [
            Link(x.name, x.parent, x.joint, offset=x.offset, shapes=shapes[k])
            for k, x in enumerate(self.links)
        ]

    def _link_skin(self, link: int) -> Array:
        """Skin of the bone that a link was made from, around its joint. (m, 3)."""
        names = [
            self.skeleton.names[bone] for bone, number in self.link_of.items() if number == link
        ]
        points = np.concatenate(
            [np.zeros((0, 3)), *(self.skin[name] for name in names if name in self.skin)]
        )
        return np.asarray((points - self.joint_positions[link]) @ self.rest_to_neutral[link].T)

    def _measure_head_height(self, head: int) -> float:
        a = self.anatomy
        assert a.neck is not None
        below = self.skeleton.subtree(a.neck)
        points = [self.heads[below], *self._subtree_skin(a.neck)]
        top = float(
            ((np.concatenate(points) - self.joint_positions[head]) @ self.rest_to_neutral[head].T)[
                :, 2
            ].max()
        )
        return float(np.clip(top, 0.18 * self.leg_length, 0.8 * self.leg_length))
