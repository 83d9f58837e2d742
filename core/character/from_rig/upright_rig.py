"""The character of a rig that stands like a human: upright, with straight legs and hanging arms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3
from ..character import Character, Hand, Limb
from ..link import Joint, Link
from ..recognition.anatomy import Anatomy, ArmBones, LegBones, find_foot_direction
from ..recognition.names import is_part_name
from ..recognition.skeleton import Skeleton
from .arm_raise import HangingArm
from .bind import LinkBinding, bind_bones
from .bind_soles import find_settled_soles
from .binding import Binding, BoundCharacter
from .limb_joints import locate_arm_joints, locate_leg_joints
from .shapes import make_bulk_shape
from .sole import FootGeometry, MeasuredSole, measure_sole, rotation_to_down
from .upright_shapes import UprightParts, make_upright_shapes

Array = NDArray[np.float64]

# Ranges of the hinges of a human [rad]; a positive angle flexes the knee
KNEE_RANGES = ((0.0, np.radians(150)),)
ELBOW_RANGES = ((np.radians(-150), 0.0),)  # flexion is negative
# Pitch, positive with the toes down, then roll
ANKLE_RANGES = ((np.radians(-40), np.radians(60)), (np.radians(-25), np.radians(25)))

# Stature [m] and mass [kg] of the body from which masses are scaled by the cube of the stature
REFERENCE_STATURE = 1.75
REFERENCE_MASS = 69.8

GRIP_DISTANCE = 0.32  # Distance from the wrist to the grip of the closed hand [upper arm length]
# Lateral distance of the feet from the middle beyond which they bear on their inner sides
# [leg length]
MAX_FOOT_OFFSET = 0.5
# Least depth of a trunk or head whose solid is measured from its skin, as it is not of human
# proportions [leg length]
MIN_BULKY_DEPTH = 1.2
MAX_TRUNK_LEAN = np.radians(25)  # Lean beyond which a trunk is set upright [rad]: a bow


class UprightBuilder:
    """Measures one skeleton; all arrays are in axes with x forward, y left, z up."""

    def __init__(self, skeleton: Skeleton, anatomy: Anatomy) -> None:
        self.skeleton = skeleton
        self.anatomy = anatomy
        left, right = anatomy.legs
        lateral = skeleton.heads[left.hip] - skeleton.heads[right.hip]
        lateral[2] = 0.0
        forward = np.cross(lateral, [0.0, 0.0, 1.0])
        if np.linalg.norm(lateral) < 1e-6 * max(skeleton.height, 1e-9):
            forward = np.array(anatomy.forward)  # a flat character, seen from its side
        self.notes = list(anatomy.notes)
        if find_foot_direction(skeleton, anatomy.legs) @ forward < 0:
            self.notes.append(
                "the feet point backward according to the names of left and right; the names were "
                "followed"
            )
        # world to body axes (3, 3)
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
        self.link_of: dict[int, int] = {}  # link of each bone
        self.rest_to_neutral: list[Array] = []  # (3, 3) of each link, rest pose to neutral pose
        self.joint_positions: list[Array] = []  # (3,) of each link at rest [m]

    def build(self) -> BoundCharacter:
        """Return the character, and the bones that follow its links."""
        trunk_rotation = self._straighten_trunk()
        self._add_link(
            "pelvis",
            -1,
            Joint("root", "free"),
            bone=self.anatomy.root,
            position=self.hip_center,
            rest_to_neutral=trunk_rotation,
        )
        trunk = self._add_trunk(trunk_rotation)
        chest = trunk[-1] if trunk else 0
        head = self._add_head(chest, trunk_rotation)
        limbs = self._add_limbs(chest)
        self._add_shapes(UprightParts(tuple(trunk), head, tuple(limbs)))
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
        return BoundCharacter(character, self._bind(character))

    def _straighten_trunk(self) -> Array:
        """Return the rotation that sets a leaning trunk upright (3, 3); notes it."""
        a = self.anatomy
        top = (
            self.heads[a.neck]
            if a.neck is not None
            else self.heads[a.trunk[-1]]
            if a.trunk
            else self.hip_center + [0, 0, 1]
        )
        lean = top - self.hip_center
        rotation = so3.rotation_between(lean, np.array([0.0, 0.0, 1.0]))
        # a tail balances a body with a level trunk
        if np.linalg.norm(so3.log(rotation)) < MAX_TRUNK_LEAN or a.tails:
            return np.eye(3)
        self.notes.append("the trunk leans at rest and was set upright")
        return rotation

    def _add_head(self, chest: int, trunk_rotation: Array) -> int | None:
        neck = self.anatomy.neck
        if neck is None:
            return None
        return self._add_link(
            "head",
            chest,
            Joint("neck", "ball"),
            bone=neck,
            position=self.heads[neck],
            rest_to_neutral=trunk_rotation,
        )

    def _add_limbs(self, chest: int) -> list[Limb]:
        """Add legs and arms; wings are left as they are at rest."""
        limbs = [self._add_leg(leg) for leg in self.anatomy.legs]
        foot = limbs[0].foot
        assert foot is not None
        for arm in self.anatomy.arms:
            if not any(is_part_name(self.skeleton.names[k], "wing") for k in arm.bones):
                limbs.append(self._add_arm(chest, arm, self.leg_length - float(foot.ball[2])))
        return limbs

    def _bind(self, character: Character) -> Binding:
        rest_to_link = {
            bone: self.rest_to_neutral[link] @ self.to_body_axes
            for bone, link in self.link_of.items()
        }
        head_offsets = {
            leg.ankle: self.rest_to_neutral[self.link_of[leg.ankle]]
            @ (self.heads[leg.ankle] - self.joint_positions[self.link_of[leg.ankle]])
            for leg in self.anatomy.legs
            if leg.has_detached_foot or len(leg.segments) == 1
        }
        joints = np.stack(self.joint_positions) @ self.to_body_axes
        joint_positions = {bone: joints[link] for bone, link in self.link_of.items()}
        root_bone = self.heads[self.anatomy.root]
        bound = LinkBinding(self.link_of, rest_to_link, head_offsets, joint_positions)
        root_offset = self.rest_to_neutral[0] @ (root_bone - self.hip_center)
        has_toe = [f.has_toe for f in character.feet]
        binding = bind_bones(
            self.skeleton, self.anatomy, bound, root_offset=root_offset, has_toe=has_toe
        )
        settled_soles = find_settled_soles(self.skeleton, self.anatomy, character.legs, bound)
        return replace(binding, settled_soles=settled_soles)

    def _measure_stature(self, limbs: list[Limb]) -> float:
        """Return the height of the body in the neutral pose [m]."""
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
        """Add one or two links for the spine; return them.

        The upper link begins at the chest: at the joint nearest to 45 % of the height of the neck.
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
        # a leg of a single bone follows the foot; its thigh and shin have no bones
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
        links = (thigh, shin, foot)
        return Limb(f"leg.{side}", "leg", leg.side, links=links, foot=sole.make_foot(foot))

    def _measure_sole(self, leg: LegBones, ankle: Array, shin: Array) -> MeasuredSole:
        foot_bones = self.skeleton.subtree(leg.ankle)
        skin = self._subtree_skin(leg.ankle)
        shin_skin = self.skin.get(self.skeleton.names[leg.segments[-1]], np.zeros((0, 3)))
        if leg.foot is None and len(leg.segments) > 1:
            skin = []
        # skin of the heel may follow the shin in part
        skin.append(shin_skin[(shin_skin - ankle) @ shin > 0])
        bone_ends = np.concatenate([self.heads[foot_bones[1:]], self.tails[foot_bones]])
        toe = self.heads[leg.toe] if leg.toe is not None else None
        toe_skin = np.concatenate(
            [np.zeros((0, 3)), *(self._subtree_skin(leg.toe) if leg.toe is not None else [])]
        )
        lateral_offset = leg.side * (ankle[1] - self.hip_center[1])
        inner_side = -leg.side if lateral_offset > MAX_FOOT_OFFSET * self.leg_length else 0
        foot = FootGeometry(
            ankle,
            shin,
            toe,
            skin=np.concatenate(skin),
            bone_ends=bone_ends,
            toe_skin=toe_skin,
        )
        return measure_sole(foot, np.array([1.0, 0.0, 0.0]), self.leg_length, inner_side)

    def _add_arm(self, chest: int, arm: ArmBones, hip_height: float) -> Limb:
        """Add an arm of a body with the hips at a height above the soles [m]."""
        side = "L" if arm.side > 0 else "R"
        joints = locate_arm_joints(arm, self.heads, self.tails, self._subtree_skin(arm.elbow))
        a, b, c = joints
        shoulder_height = float((self.rest_to_neutral[0] @ (a - self.hip_center))[2]) + hip_height
        raise_rotation = so3.rotation_about(
            "x", arm.side * self._find_arm_raise(arm, joints, shoulder_height)
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

    def _find_arm_raise(self, arm: ArmBones, joints: Array, shoulder_height: float) -> float:
        """Return the angle of a hanging arm from the vertical [rad].

        It is 0 unless the hand would touch the ground, or the arm the skin of a round body.

        Args:
            joints: shoulder, elbow and wrist at rest (3, 3) [m].
            shoulder_height: of the shoulder above the soles [m].
        """
        hand = [self.heads[self.skeleton.subtree(arm.wrist)], *self._subtree_skin(arm.wrist)]
        hanging = HangingArm.measure(joints, np.concatenate(hand), self._collect_skin([arm.elbow]))
        trunk = self._collect_skin([self.anatomy.root, *self.anatomy.trunk]) - joints[0]
        return max(
            hanging.find_ground_raise(shoulder_height),
            hanging.find_skin_raise(trunk @ self.rest_to_neutral[0].T * [1, arm.side, 1]),
        )

    def _collect_skin(self, bones: Sequence[int]) -> Array:
        """Return the skin of some bones (m, 3) [m]."""
        names = [self.skeleton.names[k] for k in bones]
        skin = [self.skin[name] for name in names if name in self.skin]
        return np.concatenate([np.zeros((0, 3)), *skin])

    def _subtree_skin(self, bone: int) -> list[Array]:
        names = (self.skeleton.names[k] for k in self.skeleton.subtree(bone))
        return [self.skin[name] for name in names if name in self.skin]

    def _add_shapes(self, parts: UprightParts) -> None:
        head_height = None if parts.head is None else self._measure_head_height(parts.head)
        shapes = make_upright_shapes(self.links, parts, head_height, self.leg_length)
        for link in (*parts.trunk, *([parts.head] if parts.head is not None else [])):
            skin = self._link_skin(link)
            if len(skin) and float(np.ptp(skin[:, 0])) > MIN_BULKY_DEPTH * self.leg_length:
                shapes[link] = (make_bulk_shape(skin),)
        self.links = [replace(link, shapes=shapes[k]) for k, link in enumerate(self.links)]

    def _link_skin(self, link: int) -> Array:
        """Return the skin (m, 3) of the bones of a link from its joint in the neutral pose [m]."""
        points = self._collect_skin([bone for bone, k in self.link_of.items() if k == link])
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
